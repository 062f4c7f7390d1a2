import { stringifyJson } from './json.ts'

/**
 * Writes a JSON object whose first member is a long list, one item at a time, and each on a line of its own.
 *
 * @param toOthers returns the object's other members; called after the list is written
 * @example writeList('requests', [1, 2], String, () => ({ total: 2 })) // {"requests":[\n"1",\n"2"\n],"total":2}
 */
export async function* writeList<T>(
  name: string,
  items: Iterable<T> | AsyncIterable<T>,
  toItem: (item: T) => unknown,
  toOthers: () => Readonly<Record<string, unknown>> = () => ({}),
): AsyncGenerator<string, void> {
  yield `{${JSON.stringify(name)}:[`
  let separator = '\n'
  for await (const item of items) {
    yield separator + stringifyJson(toItem(item))
    separator = ',\n'
  }
  yield '\n]'
  for (const [other, value] of Object.entries(toOthers())) yield `,${JSON.stringify(other)}:${stringifyJson(value)}`
  yield '}'
}
