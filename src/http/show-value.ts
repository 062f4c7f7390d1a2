import { stringifyJson } from './json.ts'

/** The longest that is shown of a value. */
const LONGEST = 80

/** A value that somebody without a compiler gave, as a sentence shows it. */
export function showValue(value: unknown): string {
  if (value instanceof Promise) return 'a promise that is not awaited'
  if (value === undefined || typeof value === 'number') return String(value)
  return typeof value === 'function' ? 'a function' : stringifyJson(value).slice(0, LONGEST)
}
