import { isDateTime } from '../contract/models.ts'

/** One comparable value of a resource. Whole numbers past 2^53 are `bigint` (D3). */
export type Scalar = string | number | bigint
/** The type of a field's values; an `instant` is ISO 8601 text that compares as a moment. */
export type ScalarType = 'text' | 'number' | 'instant'

/** Negative, 0 or positive; JavaScript compares `number` with `bigint` exactly; `===` would not. */
export const compareScalars = (a: Scalar, b: Scalar): number => (a < b ? -1 : a > b ? 1 : 0)

/** Equal numbers become one key of a Set or Map, whatever their type. */
export function toUniform(value: Scalar): Scalar {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value) : value
  return value
}

/** Milliseconds since the epoch of an ISO 8601 date-time with its offset; undefined for anything else. */
export const parseInstant = (text: string): number | undefined => (isDateTime(text) ? Date.parse(text) : undefined)

const isNumeric = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint'
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/**
 * Whether two JSON values are equal: arrays in the same order, objects in any, numbers by value whatever their type. A
 * member that is undefined counts as absent.
 */
export function isEqualContent(a: unknown, b: unknown): boolean {
  if (isNumeric(a) && isNumeric(b)) return toUniform(a) === toUniform(b)
  if (!isObject(a) || !isObject(b)) return a === b
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    return a.every((one: unknown, at) => isEqualContent(one, b[at]))
  }
  const members = new Map(Object.entries(a))
  const others = new Map(Object.entries(b))
  return [...new Set([...members.keys(), ...others.keys()])].every((name) =>
    isEqualContent(members.get(name), others.get(name)),
  )
}
