import { isDateTime } from '../contract/date-time.ts'

/** One comparable value of a resource. Whole numbers past 2^53 are `bigint` (D3). */
export type Scalar = string | number | bigint
/** What a field's values are; an `instant` is ISO 8601 text that compares as the moment it names. */
export type ScalarType = 'text' | 'number' | 'instant'

/** Negative, 0 or positive; JavaScript compares `number` with `bigint` exactly, where `===` tells them apart. */
export const compareScalars = (a: Scalar, b: Scalar): number => (a < b ? -1 : a > b ? 1 : 0)

/** One form for every value, so that equal numbers are one key of a Set or Map whatever their type. */
export function toUniform(value: Scalar): Scalar {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value) : value
  return value
}

/** Milliseconds since the epoch of an ISO 8601 date-time with its offset; undefined for anything else. */
export const parseInstant = (text: string): number | undefined => (isDateTime(text) ? Date.parse(text) : undefined)
