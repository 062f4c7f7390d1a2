import { stringify as stringifyLosslessly } from 'lossless-json'
import { pause, runAtOnce, runInTurns } from '../util/turns.ts'
import { UNLIMITED } from './json-problems.ts'
import type { JsonLimits } from './json-problems.ts'
import { parseInSlices, toExactInteger } from './json-parser.ts'

/** A text is parsed so many characters at a time, so that other requests have their turn in between. */
const SLICE = 100_000

/**
 * Parses JSON text (RFC 8259) without losing a digit of a whole number: past 2^53 it becomes a `bigint` (D3).
 *
 * @throws {Problem} 400 InvalidJsonInput for what is not JSON, is nested too deeply, or names a member twice (D4);
 * `detailedErrorMessage` says where. 400 InvalidInput for what holds more than the limits.
 */
export function parseJson(text: string, limits: JsonLimits = UNLIMITED): unknown {
  return runAtOnce(parseInSlices(text, limits, Infinity))
}

/** As {@link parseJson}, for a request's body: other requests have their turn before, between and after the slices of a long one. */
export const parseJsonBody = (text: string, limits: JsonLimits): unknown =>
  text.length <= SLICE ? parseJson(text, limits) : parseInTurns(text, limits)

async function parseInTurns(text: string, limits: JsonLimits): Promise<unknown> {
  await pause()
  const value = await runInTurns(parseInSlices(text, limits, SLICE), SLICE)
  await pause()
  return value
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

/** The longest that is shown of a value. */
const LONGEST = 80

/** A value that somebody without a compiler gave, as a sentence shows it. */
export function showValue(value: unknown): string {
  if (value instanceof Promise) return 'a promise that is not awaited'
  if (value === undefined || typeof value === 'number') return String(value)
  return typeof value === 'function' ? 'a function' : stringifyJson(value).slice(0, LONGEST)
}

/** A whole number as text, exact to the digit; `1.0` is 1 (D9). */
export function readInteger(text: string): number | bigint | undefined {
  // The common case needs no BigInt.
  if (/^\d{1,15}$/.test(text)) return Number(text)
  const exact = toExactInteger(text.replace(/^\+/, ''))
  if (exact === undefined) return undefined
  return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact
}

/**
 * A number as text: `20`, `20.0`, `-1.5e3`; whole numbers are exact to the digit (D3). Undefined for anything else, the
 * empty string included.
 */
export function readNumber(text: string): number | bigint | undefined {
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return undefined
  const whole = readInteger(text)
  if (whole !== undefined) return whole
  const value = Number(text)
  return Number.isFinite(value) ? value : undefined
}

/** `true` or `false`, in lower case. */
export function readFlag(text: string): boolean | undefined {
  return text === 'true' ? true : text === 'false' ? false : undefined
}
