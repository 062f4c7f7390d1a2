import { toExactInteger } from './json-parser.ts'

/** Query parameters as they came: every value of every name, in order. */
export type RawQuery = ReadonlyMap<string, readonly string[]>

const EMPTY: RawQuery = new Map()

/** Reads `?a=1&a=2` into names and values (WHATWG URL, application/x-www-form-urlencoded). */
export function parseRawQuery(search: string): RawQuery {
  if (search.length < 2) return EMPTY
  const values = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(search)) {
    const known = values.get(name)
    if (known === undefined) values.set(name, [value])
    else known.push(value)
  }
  return values
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
