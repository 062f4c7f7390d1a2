import * as fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { hurry } from '../../support/hurry.ts'
import { writeList, readList } from '../../../src/service/http/json-list.ts'

async function collect<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

const encoder = new TextEncoder()

/** A text that arrives in pieces of the given size. */
const inPieces = (text: string, size: number): ReadableStream<Uint8Array> => {
  const bytes = encoder.encode(text)
  let at = 0
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.slice(at, at + size))
      at += size
      if (at >= bytes.length) controller.close()
    },
  })
}

async function* later<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items
}

const write = async (items: Iterable<unknown> | AsyncIterable<unknown>, others = {}): Promise<string> =>
  (
    await collect(
      writeList(
        'items',
        items,
        (item) => item,
        () => others,
      ),
    )
  ).join('')

describe('a list as JSON', () => {
  it('is written one item at a time, followed by other members', async () => {
    expect(await write([1, { a: 2n }], { total: 2 })).toBe('{"items":[\n1,\n{"a":2}\n],"total":2}')
    expect(await write(later(['a']))).toBe('{"items":[\n"a"\n]}')
    expect(await write([])).toBe('{"items":[\n]}')
  })

  it('is read as it was written, whatever its content and its pieces', async () => {
    const value = fc.jsonValue({ maxDepth: 3 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(value),
        fc.dictionary(fc.string(), value),
        fc.integer({ min: 1, max: 50 }),
        async (items, others, size) => {
          const text = await write(items, others)
          expect(await collect(readList(inPieces(text, size), 'items'))).toEqual(JSON.parse(JSON.stringify(items)))
        },
      ),
    )
  })

  it.each([
    '',
    '{}',
    '[]',
    '{"items":[',
    '{"items":[\n1',
    '{"items":[\n1\n]',
    '{"items":[\n1}\n]}',
    '{"others":[\n1\n]}',
    '<html>',
  ])('cannot be %j', async (text) => {
    await expect(collect(readList(inPieces(text, 10), 'items'))).rejects.toThrow(SyntaxError)
  })

  it('is read only as far as the reader goes', async () => {
    const body = inPieces(await write(Array.from({ length: 1000 }, (_, at) => at)), 10)
    const cancel = vi.spyOn(ReadableStreamDefaultReader.prototype, 'cancel')
    onTestFinished(() => cancel.mockRestore())
    for await (const item of readList(body, 'items')) if (item === 2) break
    expect(cancel).toHaveBeenCalledOnce()
  })

  it('yields while it is read', async () => {
    const yields = hurry()
    expect(await collect(readList(inPieces(await write([1, 2, 3]), 100), 'items'))).toEqual([1, 2, 3])
    expect(yields).toHaveBeenCalledTimes(3)
  })
})
