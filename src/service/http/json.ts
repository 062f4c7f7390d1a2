import { parse as parseWith, stringify as stringifyLosslessly } from 'lossless-json'
import { problem } from '../../errors.ts'
import { hasInexactNumber, parseNumber } from './numbers.ts'

const QUOTE = 34
const COLON = 58
const OPENING_BRACKET = 91
const BACKSLASH = 92
const CLOSING_BRACKET = 93
const OPENING_BRACE = 123
const CLOSING_BRACE = 125

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

/** Formats an offset as `line 3, column 5`, both starting at 1. */
export function toTextPosition(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n')
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`
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
function isMemberName(text: string, offset: number): boolean {
  if (text.charCodeAt(offset) === COLON) return true
  const colon = /\s*:/y
  colon.lastIndex = offset
  return colon.test(text)
}

/** Whether a member name of a text satisfies the predicate, which gets each name as it is written, with its escapes. */
export function hasMemberName(text: string, isWanted: (name: string) => boolean): boolean {
  for (let start = text.indexOf('"'); start !== -1;) {
    const end = findStringEnd(text, start)
    if (isMemberName(text, end + 1) && isWanted(text.slice(start + 1, end))) return true
    start = text.indexOf('"', end + 1)
  }
  return false
}

/** Maximum nesting depth. Documented bodies need fewer than ten levels. */
export const MAX_DEPTH = 100

/**
 * Counts the members of all objects in a parsed value.
 *
 * @throws {Problem} 400 InvalidJsonInput if it is nested too deeply.
 */
export function countMembers(value: unknown, depth = 0): number {
  if (typeof value !== 'object' || value === null) return 0
  if (depth === MAX_DEPTH) throw problem.invalidJson(`nested more than ${MAX_DEPTH} levels deep. Flatten it.`)
  let count = 0
  if (Array.isArray(value)) {
    // Not `for…of`: V8 calls its iterator for each entry, because lists of numbers and of texts differ.
    for (let at = 0; at < value.length; at += 1) {
      const entry: unknown = value[at]
      if (typeof entry === 'object') count += countMembers(entry, depth + 1)
    }
    return count
  }
  // Object.values takes twice as long for an object with 100,000 members.
  const members = value as Readonly<Record<string, unknown>>
  for (const name of Object.keys(members)) {
    const member = members[name]
    count += typeof member === 'object' ? 1 + countMembers(member, depth + 1) : 1
  }
  return count
}

/**
 * The slow parser, which passes numbers on as they are written and reports where a text is not JSON.
 *
 * @param toNumber converts the text of a number, by default exactly
 */
export const parseLosslessly = (text: string, toNumber: (text: string) => number | bigint = parseNumber): unknown =>
  parseWith(text, undefined, { parseNumber: toNumber, onDuplicateKey: ({ newValue }) => newValue })

/** Parses JSON text written by a mock, which needs no further checks. Numbers are exact ({@link parseNumber}). */
export const parseOwnJson = (text: string): unknown =>
  hasInexactNumber(text) ? parseLosslessly(text) : JSON.parse(text)

/** Describes the path and position of the first duplicate member name. The text must be JSON with one. */
function describeDuplicate(text: string): string {
  const levels: { readonly names?: Set<string>; step: string | number }[] = []
  for (let at = 0; at < text.length; at += 1) {
    const level = levels.at(-1)
    const found = text[at]
    if (found === '{') levels.push({ names: new Set(), step: '' })
    else if (found === '[') levels.push({ step: 0 })
    else if (found === '}' || found === ']') levels.pop()
    else if (found === ',' && typeof level?.step === 'number') level.step += 1
    else if (found === '"') {
      const opening = at
      at = findStringEnd(text, opening)
      if (level?.names === undefined || !isMemberName(text, at + 1)) continue
      level.step = String(JSON.parse(text.slice(opening, at + 1)))
      if (level.names.has(level.step))
        return `${toPath(levels.map(({ step }) => step))}: member name appears twice (${toTextPosition(text, opening)}).`
      level.names.add(level.step)
    }
  }
  return 'a member name appears twice.'
}

/** Describes the position of the first syntax error, and the unexpected text. */
function describeSyntaxFault(text: string): string {
  if (text.trim() === '') return 'line 1, column 1: JSON expected, but the text is empty.'
  try {
    parseLosslessly(text)
  } catch (fault) {
    const offset = Math.min(Number(/position (\d+)/.exec(String(fault))?.[1] ?? text.length), text.length)
    const found = offset < text.length ? `unexpected ${JSON.stringify(text[offset])}` : 'unexpected end of the text'
    return `${toTextPosition(text, offset)}: ${found}.`
  }
  return `${toTextPosition(text, 0)}: invalid JSON from here on.`
}

/** Counts the colons of a text: at least as many as it has member names. */
function countColons(text: string): number {
  let colons = 0
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) colons += 1
  return colons
}

/** Counts the member names of a text, and refuses one that is nested too deeply. */
function countNames(text: string): number {
  let [names, depth] = [0, 0]
  for (let at = 0; at < text.length; at += 1) {
    const found = text.charCodeAt(at)
    if (found === QUOTE) at = findStringEnd(text, at)
    else if (found === COLON) names += 1
    else if (found === CLOSING_BRACE || found === CLOSING_BRACKET) depth -= 1
    else if (found === OPENING_BRACE || found === OPENING_BRACKET) {
      depth += 1
      if (depth > MAX_DEPTH) throw problem.invalidJson(`nested more than ${MAX_DEPTH} levels deep. Flatten it.`)
    }
  }
  return names
}

/**
 * Parses JSON text (RFC 8259) and keeps all digits of integers: those beyond 2^53 become a `bigint` (D3).
 *
 * @throws {Problem} 400 InvalidJsonInput for text that is not JSON, is nested too deeply, or has duplicate member names
 * (D4); `detailedErrorMessage` includes the position.
 */
export function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = parseOwnJson(text)
  } catch {
    // Throws for a text that is nested too deeply.
    countNames(text)
    throw problem.invalidJson(describeSyntaxFault(text))
  }
  const members = countMembers(value)
  // Most texts have no colon but those of their members.
  if (members !== countColons(text) && members !== countNames(text)) throw problem.invalidJson(describeDuplicate(text))
  return value
}

/** Like {@link parseJson}, but returns undefined for invalid text. */
export function findJson(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** Whether a parsed JSON value is an object, but not an array or null. */
export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the replacement for a member's value, as in `JSON.stringify`. */
type Replace = (name: string, value: unknown) => unknown

/** Converts a value to JSON text; a `bigint` becomes a number with all its digits (D3). */
export function stringifyJson(value: unknown, indent?: number, replace?: Replace): string {
  try {
    return JSON.stringify(value, replace, indent) ?? 'null'
  } catch {
    return stringifyLosslessly(value, replace, indent) ?? 'null'
  }
}

/** Maximum length of a displayed value. */
const LONGEST_EXCERPT = 80

/** Formats a value for an error message. The value may have any type, because callers may not use TypeScript. */
export function showValue(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'then' in value) return 'a promise that was not awaited'
  if (value === undefined || typeof value === 'number') return String(value)
  return typeof value === 'function' ? 'a function' : stringifyJson(value).slice(0, LONGEST_EXCERPT)
}

/** Parses lower-case `true` or `false`. */
export function readFlag(text: string): boolean | undefined {
  return text === 'true' ? true : text === 'false' ? false : undefined
}
