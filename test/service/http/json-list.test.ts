import { describe, expect, it } from 'vitest'
import { writeList } from '../../../src/service/http/json-list.ts'

async function collect<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
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
})
