import { parse as parseLosslessly } from 'lossless-json'

/** Limits on the content of a JSON text. */
export interface JsonLimits {
  /** Maximum number of values; each array element and each object member counts. */
  readonly values: number
  /** Maximum number of objects and arrays: an empty one takes as long to parse as ten numbers. */
  readonly nested: number
  /** Maximum number of members per object: distinct names take much longer to parse than other values. */
  readonly members: number
  /** Maximum number of items per array. */
  readonly items: number
  /** Maximum number of characters per string, because a string is parsed in one go. */
  readonly string: number
}

/** Maximum number of members per object in limited text; no documented object has more than ten. */
export const MOST_MEMBERS = 10_000

/** Maximum number of characters per string in limited text; the largest allowed image is shorter in Base64. */
export const MOST_STRING = 20_000_000

/** Maximum number of items per array in limited text, twice the number of resources that a session can hold. */
export const MOST_ITEMS = 500_000

/** Limits on a request's body, so that no request blocks the others (D97). */
export const REQUEST_LIMITS: JsonLimits = {
  values: 500_000,
  nested: 100_000,
  members: MOST_MEMBERS,
  items: MOST_ITEMS,
  string: MOST_STRING,
}

/** For text that the mock itself wrote, and for files. Request bodies always have limits. */
export const UNLIMITED: JsonLimits = {
  values: Infinity,
  nested: Infinity,
  members: Infinity,
  items: Infinity,
  string: Infinity,
}

/** Minimum state size in bytes per value and per object or array; ordinary states use four times as much. */
const BYTES_A_VALUE = 4
const BYTES_A_NESTED = 32

/** Limits on a state with a maximum size in bytes (D97). No actual state of that size exceeds them. */
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

/**
 * Maximum length in characters of a text in which to search for a syntax error: the search is slow, and longer texts are
 * not handwritten.
 */
const MOST_SEARCHED = 1_000_000

/** Whether a character is escaped, that is, preceded by an odd number of backslashes. */
export function isEscaped(text: string, offset: number): boolean {
  let backslashes = 0
  while (text.charCodeAt(offset - 1 - backslashes) === BACKSLASH) backslashes += 1
  return backslashes % 2 === 1
}

/** Finds the closing quote of the string that starts at `start`; returns the text's length if there is none. */
export function findStringEnd(text: string, start: number): number {
  let end = start
  for (;;) {
    end = text.indexOf('"', end + 1)
    if (end === -1) return text.length
    if (!isEscaped(text, end)) return end
  }
}

/** The line of an offset: its number, starting at 1, and the offset at which it starts. */
export interface Line {
  readonly offset: number
  readonly number: number
  readonly start: number
}

export const FIRST_LINE: Line = { offset: 0, number: 1, start: 0 }

/** Finds the line of an offset, counting from the line of an earlier offset. */
export function findLine(text: string, offset: number, earlier: Line = FIRST_LINE): Line {
  let { number, start } = earlier
  for (let at = earlier.offset; at < offset; at += 1) {
    if (text.charCodeAt(at) !== LINE_FEED) continue
    number += 1
    start = at + 1
  }
  return { offset, number, start }
}

/** Formats an offset as `line 3, column 5`, both starting at 1. */
export function toTextPosition(text: string, offset: number, earlier?: Line): string {
  const { number, start } = findLine(text, offset, earlier)
  return `line ${number}, column ${offset - start + 1}`
}

/** Returns the value at a path of a parsed JSON value; undefined if the path does not exist. */
export function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let found = root
  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined
    found = (found as Readonly<Record<PropertyKey, unknown>>)[step]
  }
  return found
}

/** Formats a path as in the error table: `actions[1].someProperty`. */
export function toPath(steps: readonly PropertyKey[]): string {
  return steps
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at === 0 ? '' : '.'}${String(step)}`))
    .join('')
}

/** Whether the string that ends just before an offset is a member name. */
function isName(text: string, offset: number): boolean {
  if (text.charCodeAt(offset) === COLON) return true
  const colon = /\s*:/y
  colon.lastIndex = offset
  return colon.test(text)
}

/** The part of a text that contains an error. */
export interface FaultyPart {
  /** JSON that opens the same objects and arrays as the text before this part. */
  readonly prefix: string
  /** The offsets of the part in the text. */
  readonly start: number
  readonly end: number
  /** The line of an offset before this part. */
  readonly line: Line
}

/** An enclosing object or array: the names found so far, for objects only, and the current member or index. */
export interface Level {
  readonly names?: Set<string>
  step: string | number
}

/** Describes the path and position of the first duplicate member name at or after an offset. The text must contain one. */
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
      // A regular expression would overflow the stack for strings of several megabytes.
      const opening = at
      at = findStringEnd(text, opening)
      if (level?.names === undefined || !isName(text, at + 1)) continue
      const name = text.slice(opening + 1, at)
      level.step = name.includes('\\') ? (JSON.parse(`"${name}"`) as string) : name
      if (level.names.has(level.step)) {
        return `${toPath(levels.map(({ step }) => step))}: member name appears twice (${toTextPosition(text, opening, line)}).`
      }
      level.names.add(level.step)
    }
  }
  return 'a member name appears twice.'
}

/** Describes the position of the first syntax error, and the unexpected text. */
export function describeSyntaxFault(text: string, { prefix, start, end, line }: FaultyPart): string {
  if (text.trim() === '') return 'line 1, column 1: JSON expected, but the text is empty.'
  if (end - start > MOST_SEARCHED) return `${toTextPosition(text, start, line)}: invalid JSON from here on.`
  try {
    parseLosslessly(prefix + text.slice(start, end), undefined, { onDuplicateKey: ({ newValue }) => newValue })
  } catch (fault) {
    const position = /position (\d+)/.exec(String(fault))?.[1]
    const offset = position === undefined ? text.length : Number(position) - prefix.length + start
    const found = offset < text.length ? `unexpected ${JSON.stringify(text[offset])}` : 'unexpected end of the text'
    return `${toTextPosition(text, Math.min(offset, text.length), line)}: ${found}.`
  }
  return `${toTextPosition(text, start, line)}: invalid JSON from here on.`
}
