import { findStringEnd, stringifyJson } from './json.ts'
import { timeSlices } from '../../util/time-slices.ts'

/** Writes an array, one item at a time. */
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
 * Writes a JSON object whose first member is a long list, one item at a time.
 *
 * @param toOthers returns the object's other members; called after the list is written
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

/** Matches the characters that start or end strings, objects, arrays and items. */
const MARK = /["{}[\],]/g

/** Creates a reader that extracts the items from a text received in pieces: `add` returns the items that are complete. */
function createItemReader(name: string) {
  const head = `{${JSON.stringify(name)}:[`
  let text = ''
  /** The offset up to which the text has been scanned. */
  let at = 0
  /** The offset at which the next item starts; undefined before and after the list. */
  let start: number | undefined
  let depth = 0
  let isOver = false

  function* takeItems(): Generator<string, void> {
    if (start === undefined) {
      if (isOver || !text.startsWith(head)) return
      start = at = head.length
    }
    for (;;) {
      MARK.lastIndex = at
      const found = MARK.exec(text)
      if (found === null) {
        at = text.length
        return
      }
      const [mark] = found
      at = mark === '"' ? findStringEnd(text, found.index) + 1 : found.index + 1
      if (at > text.length) {
        // The string continues in the next piece.
        at = found.index
        return
      }
      const isLast: boolean = mark === ']' && depth === 0
      if (isLast || (mark === ',' && depth === 0)) {
        const item = text.slice(start, found.index)
        // Discard text that has been read, so that the whole text is never in memory.
        text = text.slice(isLast ? found.index : at)
        start = isLast ? undefined : 0
        at = 0
        if (item.trim() !== '') yield item
        if (!isLast) continue
        isOver = true
        return
      }
      if (mark === '{' || mark === '[') depth += 1
      else if (mark === '}' || mark === ']') depth -= 1
    }
  }

  return {
    add(piece: string): Generator<string, void> {
      text += piece
      return takeItems()
    },
    /** Whether the list and its enclosing object are complete. */
    isWhole: (): boolean => isOver && /^\](?:,.*)?\}$/s.test(text.trim()),
  }
}

/**
 * Reads the list of a text written by `writeList`, one item at a time, and yields to other requests. Breaking out of the
 * loop cancels the stream.
 *
 * @throws {SyntaxError} for any other text.
 */
export async function* readList(body: ReadableStream<Uint8Array>, name: string): AsyncGenerator<unknown, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const items = createItemReader(name)
  const slice = timeSlices.start()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      for (const item of items.add(done ? decoder.decode() : decoder.decode(value, { stream: true }))) {
        yield JSON.parse(item)
        if (slice.isOver()) await slice.next()
      }
      if (done) break
    }
    if (!items.isWhole()) throw new SyntaxError(`The text is not a list of ${name}.`)
  } finally {
    await reader.cancel()
  }
}
