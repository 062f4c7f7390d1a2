import { stringifyJson } from './json.ts'

/** `[…]`, an item at a time. */
function* writeArray<T>(items: Iterable<T>, toItem: (item: T) => unknown): Generator<string> {
  let separator = '['
  for (const item of items) {
    yield separator + stringifyJson(toItem(item))
    separator = ','
  }
  yield separator === '[' ? '[]' : ']'
}

/**
 * Writes a JSON object whose first member is a long list, an item at a time.
 *
 * @param others the object's other members
 * @example [...writeList('requests', [1, 2], String, { total: 2 })].join('') // {"requests":["1","2"],"total":2}
 */
export function* writeList<T>(
  name: string,
  items: Iterable<T>,
  toItem: (item: T) => unknown,
  others: Readonly<Record<string, unknown>> = {},
): Generator<string> {
  yield `{${JSON.stringify(name)}:`
  yield* writeArray(items, toItem)
  for (const [other, value] of Object.entries(others)) yield `,${JSON.stringify(other)}:${stringifyJson(value)}`
  yield '}'
}
