/** A decimal number as written: its sign, the digits before and after the decimal point, and its exponent. */
const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/

/** Returns the next double away from zero, or the next one towards it. */
function toNeighbour(value: number, isAway: boolean): number {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  view.setBigUint64(0, view.getBigUint64(0) + (isAway ? 1n : -1n))
  return view.getFloat64(0)
}

/** A double tells numbers with fewer digits apart. */
const UNSAFE_DIGITS = 16

/**
 * Parses a number by its digits, not by those that a double can hold (D3, D9):
 *
 * - an integer beyond 2^53 becomes a `bigint`, unless it has an exponent and exceeds 64 bits,
 * - a fraction that a double would round to an integer becomes the nearest double that is not an integer, or NaN if there is
 *   none,
 * - a number that is too large for a double becomes Infinity, and one that is too small 0.
 *
 * @param text a valid number, such as `20`, `20.0` or `-1.5e3`
 */
export function parseNumber(text: string): number | bigint {
  const rounded = Number(text)
  if (!Number.isInteger(rounded) || text.length < UNSAFE_DIGITS || rounded === 0) return rounded
  if (Number.isSafeInteger(rounded) && String(rounded) === text) return rounded
  const [, sign = '', before = '', after = '', exponent = '0'] = DECIMAL.exec(text) ?? []
  const digits = before + after
  if (digits.length < UNSAFE_DIGITS || (exponent !== '0' && Math.abs(rounded) > 2 ** 64)) return rounded
  const point = before.length + Number(exponent)
  const whole = BigInt(point > 0 ? digits.slice(0, point).padEnd(point, '0') : 0)
  if (/[1-9]/.test(digits.slice(Math.max(point, 0)))) {
    const fraction = toNeighbour(rounded, whole === BigInt(Math.abs(rounded)))
    return Number.isInteger(fraction) ? NaN : fraction
  }
  if (Number.isSafeInteger(rounded)) return rounded
  return sign === '-' ? -whole : whole
}

/**
 * Numbers with so many digits that a double may not represent them exactly. A value of JSON starts where the text starts or
 * after one of these characters.
 */
const SUSPECT = /(?:^|[[,:\s])(-?\d[\d.]{15,}(?:[eE][+-]?\d+)?)/g

/** Whether a JSON text has a number that {@link parseNumber} parses differently than the platform. */
export function hasInexactNumber(text: string): boolean {
  // Not `matchAll`: it copies the expression, which takes longer than to search a short text.
  SUSPECT.lastIndex = 0
  for (let found = SUSPECT.exec(text); found !== null; found = SUSPECT.exec(text)) {
    const [, number = ''] = found
    if (!Object.is(parseNumber(number), Number(number))) return true
  }
  return false
}

/** Parses an integer and keeps all digits; `1.0` is 1 (D9). Returns undefined for anything else. */
export function readInteger(text: string): number | bigint | undefined {
  if (!/^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return undefined
  const value = parseNumber(text)
  return typeof value === 'bigint' || Number.isInteger(value) ? value : undefined
}

/** Parses a number; returns undefined for anything else, including the empty string and numbers too large for a double. */
export function readNumber(text: string): number | bigint | undefined {
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return undefined
  const value = parseNumber(text)
  return typeof value === 'bigint' || Number.isFinite(value) ? value : undefined
}
