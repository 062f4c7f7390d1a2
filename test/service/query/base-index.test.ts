import { expect, it, vi } from 'vitest'
import { createBaseIndexes } from '../../../src/service/query/list.ts'
import { createResourceList } from '../../../src/service/state/resource.ts'
import { createSample } from './samples.ts'

const base = createResourceList([createSample('a')])

it('builds an index once for parallel requests, and one for each name and base', async () => {
  const find = createBaseIndexes<number>()
  const make = vi.fn(() => Promise.resolve(1))
  expect(await Promise.all([find(base, 'one', make), find(base, 'one', make)])).toEqual([1, 1])
  expect(await find(base, 'one', make)).toBe(1)
  expect(make).toHaveBeenCalledTimes(1)
  await find(base, 'two', make)
  await find(createResourceList([]), 'one', make)
  expect(make).toHaveBeenCalledTimes(3)
})

it('keeps the latest 16 indexes of a base', async () => {
  const find = createBaseIndexes<number>()
  const make = vi.fn(() => Promise.resolve(1))
  for (let nth = 0; nth <= 16; nth += 1) await find(base, String(nth), make)
  await find(base, '16', make)
  expect(make).toHaveBeenCalledTimes(17)
  await find(base, '0', make)
  expect(make).toHaveBeenCalledTimes(18)
})
