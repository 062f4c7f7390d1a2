import { parse as parseLosslessly } from 'lossless-json'

/** How much a JSON text may hold. */
export interface JsonLimits {
  /** Each element of an array and each member of an object is one. */
  readonly values: number
  /** Objects and arrays: an empty one takes as long to parse as ten numbers. */
  readonly nested: number
  /** Of one object: names that differ take far longer to read than other values. */
  readonly members: number
  /** Of one array. */
  readonly items: number
  /** Characters of one string: it is read in one go. */
  readonly string: number
}

/** At most this many members has an object of a limited text: no documented object has more than ten. */
export const MOST_MEMBERS = 10_000

/** At most so many characters has a string of a limited text: the largest image in base64 has fewer. */
export const MOST_STRING = 20_000_000

/** At most this many items has an array of a limited text: a session has room for half as many resources. */
export const MOST_ITEMS = 500_000

/** What a request's body may hold, so that none holds up the others (D97). */
export const REQUEST_LIMITS: JsonLimits = {
  values: 500_000,
  nested: 100_000,
  members: MOST_MEMBERS,
  items: MOST_ITEMS,
  string: MOST_STRING,
}

/** For what the mock wrote itself, and for files: a request's body always has limits. */
export const UNLIMITED: JsonLimits = {
  values: Infinity,
  nested: Infinity,
  members: Infinity,
  items: Infinity,
  string: Infinity,
}

/** The fewest bytes of a state for each value, and for each object or array in it: ordinary ones take four times as many. */
const BYTES_A_VALUE = 4
const BYTES_A_NESTED = 32

/** What a state may hold that has at most so many bytes (D97): more than a state of that size ever does. */
export const toStateLimits = (bytes: number): JsonLimits => ({
  values: Math.ceil(bytes / BYTES_A_VALUE),
  nested: Math.ceil(bytes / BYTES_A_NESTED),
  members: MOST_MEMBERS,
  items: MOST_ITEMS,
  string: MOST_STRING,
})

const QUOTE = 34
const BACKSLASH = 92
const COLON = 58
const LINE_FEED = 10

/** In a longer text no fault is looked for: that takes a while, and nobody wrote it by hand. In characters. */
const MOST_SEARCHED = 1_000_000

/** Whether the character at an offset has an odd number of backslashes before it. */
export function isEscaped(text: string, offset: number): boolean {
  let backslashes = 0
  while (text.charCodeAt(offset - 1 - backslashes) === BACKSLASH) backslashes += 1
  return backslashes % 2 === 1
}

/** The offset of the quote that closes the string opened at `start`, or the text's length. */
export function findStringEnd(text: string, start: number): number {
  let end = start
  for (;;) {
    end = text.indexOf('"', end + 1)
    if (end === -1) return text.length
    if (!isEscaped(text, end)) return end
  }
}

/** The line of an offset: its number from 1, and where it starts. */
export interface Line {
  readonly offset: number
  readonly number: number
  readonly start: number
}

export const FIRST_LINE: Line = { offset: 0, number: 1, start: 0 }

/** The line of an offset, counted on from that of an earlier one. */
export function findLine(text: string, offset: number, earlier: Line = FIRST_LINE): Line {
  let { number, start } = earlier
  for (let at = earlier.offset; at < offset; at += 1) {
    if (text.charCodeAt(at) !== LINE_FEED) continue
    number += 1
    start = at + 1
  }
  return { offset, number, start }
}

/** `line 3, column 5` of an offset, both from 1. */
export function toPlace(text: string, offset: number, earlier?: Line): string {
  const { number, start } = findLine(text, offset, earlier)
  return `line ${number}, column ${offset - start + 1}`
}

/** The value at a path of a parsed JSON value; undefined if there is none. */
export function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let found = root
  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined
    found = (found as Readonly<Record<PropertyKey, unknown>>)[step]
  }
  return found
}

/** `actions[1].someProperty`, the way the error table writes a path. */
export function toPath(steps: readonly PropertyKey[]): string {
  return steps
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at === 0 ? '' : '.'}${String(step)}`))
    .join('')
}

/** Whether a string that ends just before an offset is a member's name. */
function isName(text: string, offset: number): boolean {
  if (text.charCodeAt(offset) === COLON) return true
  const colon = /\s*:/y
  colon.lastIndex = offset
  return colon.test(text)
}

/** Where in a text a fault is. */
export interface FaultyPart {
  /** JSON that opens the same objects and arrays as the text before the part. */
  readonly prefix: string
  /** Offsets of the part in the text. */
  readonly start: number
  readonly end: number
  /** The line of an offset before the part. */
  readonly line: Line
}

/** An object or array that a text is read in: its names so far if it is an object, and the member that is read. */
export interface Level {
  readonly names?: Set<string>
  step: string | number
}

/** The path and place of the first member name from an offset on that its object already has; the text has one. */
export function describeDuplicate(
  text: string,
  { start, line }: Pick<FaultyPart, 'start' | 'line'>,
  enclosing: readonly Level[],
): string {
  const levels = [...enclosing]
  for (let at = start; at < text.length; at += 1) {
    const level = levels.at(-1)
    const found = text[at]
    if (found === '{') levels.push({ names: new Set(), step: '' })
    else if (found === '[') levels.push({ step: 0 })
    else if (found === '}' || found === ']') levels.pop()
    else if (found === ',' && typeof level?.step === 'number') level.step += 1
    else if (text.charCodeAt(at) === QUOTE) {
      // No regular expression: on a string of some megabytes it runs out of stack.
      const opening = at
      at = findStringEnd(text, opening)
      if (level?.names === undefined || !isName(text, at + 1)) continue
      const name = text.slice(opening + 1, at)
      level.step = name.includes('\\') ? (JSON.parse(`"${name}"`) as string) : name
      if (level.names.has(level.step)) {
        return `${toPath(levels.map(({ step }) => step))}: member name appears twice (${toPlace(text, opening, line)}).`
      }
      level.names.add(level.step)
    }
  }
  return 'a member name appears twice.'
}

/** The place of the first syntax fault, and what is there. */
export function describeSyntaxFault(text: string, { prefix, start, end, line }: FaultyPart): string {
  if (end - start > MOST_SEARCHED) return `${toPlace(text, start, line)}: not JSON from here on.`
  if (start === 0 && text.trim() === '') return 'line 1, column 1: the text is empty; JSON expected.'
  try {
    parseLosslessly(prefix + text.slice(start, end), undefined, { onDuplicateKey: ({ newValue }) => newValue })
  } catch (fault) {
    const position = /position (\d+)/.exec(String(fault))?.[1]
    const offset = position === undefined ? text.length : Number(position) - prefix.length + start
    const found = offset < text.length ? `unexpected ${JSON.stringify(text[offset])}` : 'unexpected end of the text'
    return `${toPlace(text, Math.min(offset, text.length), line)}: ${found}.`
  }
  return `${toPlace(text, start, line)}: not JSON from here on.`
}
