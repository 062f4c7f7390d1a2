import { stringify as stringifyLosslessly } from 'lossless-json'
import { pause, runAtOnce, runInTurns } from '../../util/turns.ts'
import { UNLIMITED } from './json-problems.ts'
import type { JsonLimits } from './json-problems.ts'
import { parseInSlices, toExactInteger } from './json-parser.ts'

/** Number of characters to parse before yielding to other requests. */
const SLICE = 100_000

/**
 * Parses JSON text (RFC 8259) and keeps all digits of integers: those beyond 2^53 become a `bigint` (D3).
 *
 * @throws {Problem} 400 InvalidJsonInput for text that is not JSON, is nested too deeply, or has duplicate member names
 * (D4); `detailedErrorMessage` includes the position. 400 InvalidInput for text that exceeds the limits.
 */
export function parseJson(text: string, limits: JsonLimits = UNLIMITED): unknown {
  return runAtOnce(parseInSlices(text, limits, Infinity))
}

/**
 * Like {@link parseJson}, for a request's body. Yields to other requests before, between and after the slices of a long
 * one.
 */
export const parseJsonBody = (text: string, limits: JsonLimits): unknown =>
  text.length <= SLICE ? parseJson(text, limits) : parseInTurns(text, limits)

async function parseInTurns(text: string, limits: JsonLimits): Promise<unknown> {
  await pause()
  const value = await runInTurns(parseInSlices(text, limits, SLICE), SLICE)
  await pause()
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
const LONGEST = 80

/** Formats a value for an error message. The value may have any type, because callers may not use TypeScript. */
export function showValue(value: unknown): string {
  if (value instanceof Promise) return 'a promise that was not awaited'
  if (value === undefined || typeof value === 'number') return String(value)
  return typeof value === 'function' ? 'a function' : stringifyJson(value).slice(0, LONGEST)
}

/** Parses an integer and keeps all digits; `1.0` is 1 (D9). */
export function readInteger(text: string): number | bigint | undefined {
  // The common case does not need BigInt.
  if (/^\d{1,15}$/.test(text)) return Number(text)
  const exact = toExactInteger(text.replace(/^\+/, ''))
  if (exact === undefined) return undefined
  return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact
}

/**
 * Parses a number such as `20`, `20.0` or `-1.5e3`; integers keep all digits (D3). Returns undefined for anything else,
 * including the empty string.
 */
export function readNumber(text: string): number | bigint | undefined {
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return undefined
  const whole = readInteger(text)
  if (whole !== undefined) return whole
  const value = Number(text)
  return Number.isFinite(value) ? value : undefined
}

/** Parses lower-case `true` or `false`. */
export function readFlag(text: string): boolean | undefined {
  return text === 'true' ? true : text === 'false' ? false : undefined
}
