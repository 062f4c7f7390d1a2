import { parse as parseLosslessly } from 'lossless-json'

/** A whole number of 64 bits has no more digits than this. */
const MOST_DIGITS = 19

/** A whole number, exactly; undefined for a fraction, and for an exponent that leads past 64 bits. */
export function toExactInteger(text: string): bigint | undefined {
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text)
  if (parts === null) return undefined
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts
  const shift = Number(exponent) - fraction.length
  const digits = whole + fraction
  if (shift > MOST_DIGITS) return undefined
  if (shift >= 0) return BigInt(sign + digits + '0'.repeat(shift))
  const kept = digits.slice(0, shift)
  return /^0*$/.test(digits.slice(shift)) ? BigInt(sign + (kept === '' ? '0' : kept)) : undefined
}

/** D3: a `number` where a double is exact, a `bigint` where it would round a whole number; Infinity past what a double holds. */
export function parseNumber(text: string): number | bigint {
  const rounded = Number(text)
  // No array of the contract takes it, and as a bigint it takes a second to read and another one to write.
  if (!Number.isFinite(rounded)) return rounded
  return Number.isSafeInteger(rounded) ? rounded : (toExactInteger(text) ?? rounded)
}

/** A number with so many digits, as far as the survey counts them; in a string it is taken for one too. */
const LONG_NUMBER = /-?\d[\d.]{15,}(?:[eE][+-]?\d+)?/g

/** Whether a long number of the text has to be a `bigint`; most have not, and the platform's own parser is far quicker. */
function hasBigint(text: string): boolean {
  // Far quicker, and most texts have none.
  if (!/[\d.]{16}/.test(text)) return false
  for (const [number] of text.matchAll(LONG_NUMBER)) if (typeof parseNumber(number) === 'bigint') return true
  return false
}

/** Parses JSON text that a mock wrote, which needs no further checks, without losing a digit of a whole number (D3). */
export const parseOwnJson = (text: string): unknown =>
  hasBigint(text)
    ? parseLosslessly(text, undefined, { parseNumber, onDuplicateKey: ({ newValue }) => newValue })
    : JSON.parse(text)
