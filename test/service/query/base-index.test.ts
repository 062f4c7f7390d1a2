import * as fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { problem } from '../../../src/errors.ts'
import { createBaseIndexes, MIN_INDEXED } from '../../../src/service/query/words.ts'
import { createBudget, createPauses, MOST_AT_ONCE, UNLIMITED, sortInSlices } from '../../../src/service/query/budget.ts'
import { compileSearch } from '../../../src/service/query/search.ts'
import { createResourceList, ResourceView } from '../../../src/service/state/resource.ts'
import { createSample, toIds } from './samples.ts'

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

it('has no index if building it takes more than the budget of a query, and passes on any other error', async () => {
  const find = createBaseIndexes<number>()
  expect(await find(base, 'one', () => Promise.reject(problem.invalidInput('Too much')))).toBeUndefined()
  await expect(find(base, 'two', () => Promise.reject(new Error('Broken')))).rejects.toThrow('Broken')
})

it('sorts in slices like toSorted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(9), fc.nat()), { maxLength: 700 }), async (items) => {
      const compare = (a: readonly number[], b: readonly number[]) => (a[0] ?? 0) - (b[0] ?? 0)
      expect(await sortInSlices(items, compare, UNLIMITED)).toEqual(items.toSorted(compare))
    }),
    { numRuns: 50 },
  )
})

it('lets other requests run while it sorts', async () => {
  const budget = createPauses(100)
  const isPauseDue = vi.fn(() => budget.isPauseDue())
  const sorted = sortInSlices([...Array(1000).keys()].toReversed(), (a, b) => a - b, { ...budget, isPauseDue })
  const before = isPauseDue.mock.calls.length
  expect(before).toBeLessThan(200)
  expect((await sorted)[0]).toBe(0)
  expect(isPauseDue.mock.calls.length).toBeGreaterThan(1000)
})

it('searches each resource directly if a text is too long for an index, so that only a query that reads it fails', async () => {
  const long = createSample('long', { arrayOfStringExample: ['a'.repeat(MOST_AT_ONCE)] })
  const short = Array.from({ length: MIN_INDEXED }, (_, at) =>
    createSample(`s${at}`, { arrayOfStringExample: ['red'] }),
  )
  const list = createResourceList([long, ...short])
  const search = compileSearch({ texts: ['red'] }, () => createBudget())
  const all = ResourceView.of({ base: list, changed: new Map(), added: [] })
  await expect(search(all)).rejects.toThrow('reads more than 2000000 values of one resource')
  const others = ResourceView.of({ base: list, changed: new Map([['long', undefined]]), added: [] })
  const found = await compileSearch({ texts: ['red'] })(others)
  expect([found.total, toIds(found.take(0, 2))]).toEqual([MIN_INDEXED, 's0 s1'])
})
