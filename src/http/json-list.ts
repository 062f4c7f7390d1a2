import { stringifyJson } from './json.ts'

/** `[…]`, an item at a time. */
async function* writeArray<T>(
  items: Iterable<T> | AsyncIterable<T>,
  toItem: (item: T) => unknown,
): AsyncGenerator<string, void> {
  let separator = '['
  for await (const item of items) {
    yield separator + stringifyJson(toItem(item))
    separator = ','
  }
  yield separator === '[' ? '[]' : ']'
}

/**
 * Writes a JSON object whose first member is a long list, an item at a time.
 *
 * @param toOthers returns the object's other members, once the list is written
 * @example writeList('requests', [1, 2], String, () => ({ total: 2 })) // {"requests":["1","2"],"total":2}
 */
export async function* writeList<T>(
  name: string,
  items: Iterable<T> | AsyncIterable<T>,
  toItem: (item: T) => unknown,
  toOthers: () => Readonly<Record<string, unknown>> = () => ({}),
): AsyncGenerator<string, void> {
  yield `{${JSON.stringify(name)}:`
  yield* writeArray(items, toItem)
  for (const [other, value] of Object.entries(toOthers())) yield `,${JSON.stringify(other)}:${stringifyJson(value)}`
  yield '}'
}
