import { parse as parseLosslessly, stringify as stringifyLosslessly } from 'lossless-json'
import { problem } from '../errors.ts'
import { pauseIfLong } from '../util/pause.ts'
import { parseOwnJson } from './json-numbers.ts'

/** Deeper nesting than this is refused: no documented body needs ten levels. */
export const MAX_DEPTH = 100

/** How much a JSON text may hold. */
export interface JsonLimits {
  /** Each element of an array and each member of an object is one. */
  readonly values: number
  /** Objects and arrays: an empty one takes as long to parse as ten numbers. */
  readonly nested: number
  /** Of one object: names that differ take far longer to read than other values. */
  readonly members: number
}

/** At most this many members has an object of a limited text: no documented object has more than ten. */
export const MOST_MEMBERS = 10_000

/** What a request's body may hold, so that none holds up the others (D97). */
export const REQUEST_LIMITS: JsonLimits = { values: 500_000, nested: 100_000, members: MOST_MEMBERS }

const UNLIMITED: JsonLimits = { values: Infinity, nested: Infinity, members: Infinity }

/** A number with more digits is refused: no parser says how it would be read (RFC 8259, section 9). */
const MAX_DIGITS = 10_000

/** From this many digits on a double may round a whole number. */
const UNSAFE_DIGITS = 16

const QUOTE = 34
const BACKSLASH = 92
const COLON = 58
const COMMA = 44

interface Survey {
  readonly depth: number
  /** Colons outside strings: in valid JSON, one a member. */
  readonly members: number
  readonly hasLongNumber: boolean
}

const tooMuch = (what: string): Error => problem.invalidInput(`The JSON text has ${what}. Send less at a time (D97).`)

/** The offset of the quote that closes the string opened at `start`, or the text's length. */
function findStringEnd(text: string, start: number): number {
  let end = start
  for (;;) {
    end = text.indexOf('"', end + 1)
    if (end === -1) return text.length
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1
    if (backslashes % 2 === 0) return end
  }
}

/**
 * One pass over the text that tells how it must be parsed; the text need not be valid.
 *
 * @throws {Problem} 400 InvalidInput past the limits.
 */
function survey(text: string, limits: JsonLimits): Survey {
  let depth = 0
  let deepest = 0
  let members = 0
  let commas = 0
  let nested = 0
  let digits = 0
  let hasLongNumber = false
  /** How many members the object at each depth has so far. */
  const membersAt = [0]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code >= 48 && code <= 57) {
      digits += 1
      if (digits === UNSAFE_DIGITS) hasLongNumber = true
      if (digits > MAX_DIGITS) throw tooMuch(`a number of more than ${MAX_DIGITS} digits`)
      continue
    }
    // A point does not end a run: 922337203.6854775807e10 is whole.
    if (code !== 46) digits = 0
    if (code === QUOTE) at = findStringEnd(text, at)
    else if (code === COLON) {
      members += 1
      const inObject = (membersAt[depth] ?? 0) + 1
      if (inObject > limits.members) throw tooMuch(`an object of more than ${limits.members} members`)
      membersAt[depth] = inObject
    } else if (code === COMMA) {
      commas += 1
      if (commas >= limits.values) throw tooMuch(`more than ${limits.values} values`)
    } else if (code === 123 || code === 91) {
      nested += 1
      if (nested > limits.nested) throw tooMuch(`more than ${limits.nested} objects and arrays`)
      depth += 1
      membersAt[depth] = 0
      if (depth > deepest) deepest = depth
    } else if (code === 125 || code === 93) depth -= 1
  }
  return { depth: deepest, members, hasLongNumber }
}

/** How many members the objects of a parsed value have in all. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const entry of value) if (typeof entry === 'object') count += countMembers(entry)
    return count
  }
  // On an object of 100,000 members Object.values takes twice as long.
  const members = value as Readonly<Record<string, unknown>>
  for (const name of Object.keys(members)) {
    const member = members[name]
    count += typeof member === 'object' ? 1 + countMembers(member) : 1
  }
  return count
}

/** `line 3, column 5` of an offset, both from 1. */
export function toPlace(text: string, offset: number): string {
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  return `line ${line}, column ${offset - before.lastIndexOf('\n')}`
}

/** Whether a string that ends just before an offset is a member's name. */
function isName(text: string, offset: number): boolean {
  if (text.charCodeAt(offset) === COLON) return true
  const colon = /\s*:/y
  colon.lastIndex = offset
  return colon.test(text)
}

/** The path and place of the first member name that its object already has; the text is valid JSON that has one. */
function describeDuplicate(text: string): string {
  type Level = { readonly names?: Set<string>; step: string | number }
  const levels: Level[] = []
  for (let at = 0; at < text.length; at += 1) {
    const level = levels.at(-1)
    const found = text[at]
    if (found === '{') levels.push({ names: new Set(), step: '' })
    else if (found === '[') levels.push({ step: 0 })
    else if (found === '}' || found === ']') levels.pop()
    else if (found === ',' && typeof level?.step === 'number') level.step += 1
    else if (found === '"') {
      // No regular expression: on a string of some megabytes it runs out of stack.
      const start = at
      at = findStringEnd(text, start)
      if (level?.names === undefined || !isName(text, at + 1)) continue
      const name = text.slice(start + 1, at)
      level.step = name.includes('\\') ? (JSON.parse(`"${name}"`) as string) : name
      if (level.names.has(level.step)) {
        return `${toPath(levels.map(({ step }) => step))}: member name appears twice (${toPlace(text, start)}).`
      }
      level.names.add(level.step)
    }
  }
  return 'a member name appears twice.'
}

/** `actions[1].someProperty`, the way the error table writes a path. */
export function toPath(steps: readonly PropertyKey[]): string {
  return steps
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at === 0 ? '' : '.'}${String(step)}`))
    .join('')
}

function describeSyntaxFault(text: string): string {
  if (text.trim() === '') return 'line 1, column 1: the text is empty; JSON expected.'
  try {
    parseLosslessly(text)
  } catch (fault) {
    const offset = Number(/position (\d+)/.exec(String(fault))?.[1] ?? text.length)
    const found = offset < text.length ? `unexpected ${JSON.stringify(text[offset])}` : 'unexpected end of the text'
    return `${toPlace(text, Math.min(offset, text.length))}: ${found}.`
  }
  return 'line 1, column 1: not JSON.'
}

/** Parses a text; between the three steps, others may have their turn. */
function* parseInSteps(text: string, limits: JsonLimits): Generator<void, unknown, void> {
  const { depth, members, hasLongNumber } = survey(text, limits)
  if (depth > MAX_DEPTH) throw problem.invalidJson(`nested deeper than ${MAX_DEPTH} levels.`)
  yield
  let value: unknown
  try {
    value = hasLongNumber ? parseOwnJson(text) : JSON.parse(text)
  } catch {
    throw problem.invalidJson(describeSyntaxFault(text))
  }
  yield
  if (members > 0 && countMembers(value) !== members) throw problem.invalidJson(describeDuplicate(text))
  return value
}

/**
 * Parses JSON text (RFC 8259) without losing a digit of a whole number: past 2^53 it becomes a `bigint` (D3).
 *
 * @throws {Problem} 400 InvalidJsonInput for what is not JSON, is nested deeper than {@link MAX_DEPTH},
 * or names a member twice (D4); `detailedErrorMessage` says where. 400 InvalidInput for what holds more than the limits.
 */
export function parseJson(text: string, limits: JsonLimits = UNLIMITED): unknown {
  const steps = parseInSteps(text, limits)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** As {@link parseJson}, for a request's body: other requests have their turn before, between and after the steps of a long one. */
export async function parseJsonBody(text: string, limits?: JsonLimits): Promise<unknown> {
  const steps = parseInSteps(text, limits ?? UNLIMITED)
  for (;;) {
    await pauseIfLong(text)
    const { done, value } = steps.next()
    if (done !== true) continue
    await pauseIfLong(text)
    return value
  }
}

/** As {@link parseJson}; undefined for a text that it refuses. */
export function findJson(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** Whether a parsed JSON value is an object, not an array or null. */
export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Gives what is written in a member's place. */
type Replace = (name: string, value: unknown) => unknown

/** Writes JSON text; a `bigint` becomes a number with all its digits (D3). */
export function stringifyJson(value: unknown, indent?: number, replace?: Replace): string {
  try {
    return JSON.stringify(value, replace, indent) ?? 'null'
  } catch {
    return stringifyLosslessly(value, replace, indent) ?? 'null'
  }
}
