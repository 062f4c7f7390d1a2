import * as z from 'zod'

/** The numbers of the contract: whole ones of 32 and 64 bits, and any; exact to the digit (D3). */

type Bits = 32 | 64

const RANGE = {
  32: { low: -(2n ** 31n), high: 2n ** 31n - 1n },
  64: { low: -(2n ** 63n), high: 2n ** 63n - 1n },
} as const

/** Whether a JSON number is a whole one; a `bigint` stands where a double would round. */
export const isIntegral = (value: unknown): value is number | bigint =>
  typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))

const isInteger = (value: unknown, bits: Bits): value is number | bigint => {
  // Most numbers of most bodies: without a bigint to compare with.
  if (typeof value === 'number' && Number.isSafeInteger(value)) return bits === 64 || value === (value | 0)
  return isIntegral(value) && value >= RANGE[bits].low && value <= RANGE[bits].high
}

const integer = (bits: Bits) =>
  z
    .custom<number | bigint>((value) => isInteger(value, bits), {
      error: ({ input }) =>
        // A number that no double holds was read as Infinity.
        isIntegral(input) || input === Infinity || input === -Infinity
          ? `integer between ${RANGE[bits].low} and ${RANGE[bits].high} expected.`
          : 'JSON Integer expected.',
    })
    .meta({ type: 'integer', format: `int${bits}` })

/** A whole number of 64 bits, exact to the digit (D3). */
export const int64 = integer(64)
/** A whole number of 32 bits. */
export const int32 = integer(32)
/** Any JSON number; a `bigint` where a double would round a whole one (D3). */
export const decimal = z
  .custom<number | bigint>(
    (value) => typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value)),
    {
      // RFC 8259, section 6, sets no bounds, a double does: 1e400 is a JSON number, and none that can be kept.
      error: ({ input }) =>
        typeof input === 'number'
          ? `number between -${Number.MAX_VALUE} and ${Number.MAX_VALUE} expected.`
          : 'JSON Number expected.',
    },
  )
  .meta({ type: 'number' })
