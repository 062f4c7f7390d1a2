import { stringifyJson } from './json.ts'
import { timeSlices } from '../../util/time-slices.ts'

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

/**
 * Reads a list from a JSON text in which each of its items has a line of its own, one item at a time, and yields to other
 * requests. Breaking out of the loop cancels the stream.
 *
 * @throws {SyntaxError} for any other text.
 */
export async function* readList(body: ReadableStream<Uint8Array>, name: string): AsyncGenerator<unknown, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const slice = timeSlices.start()
  const start = `${JSON.stringify(name)}:[`
  let place: 'before' | 'within' | 'after' = 'before'
  let line = ''
  let last = ''
  try {
    for (let isDone = false; !isDone;) {
      const { done, value } = await reader.read()
      isDone = done
      const [first = '', ...others] = (decoder.decode(value, { stream: !done }) + (done ? '\n' : '')).split('\n')
      line += first
      for (const next of others) {
        if (place === 'before' && line.endsWith(start)) place = 'within'
        else if (place === 'within' && line.startsWith(']')) place = 'after'
        else if (place === 'within') {
          yield JSON.parse(line.replace(/,$/, ''))
          if (slice.isOver()) await slice.next()
        }
        last = line
        line = next
      }
    }
    if (place !== 'after' || !last.endsWith('}')) throw new SyntaxError(`The text is not a list of ${name}.`)
  } finally {
    await reader.cancel()
  }
}
