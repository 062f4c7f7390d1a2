import { afterEach, expect, it, vi } from 'vitest'
import { createAsk } from '../admin/ask.ts'
import type { Ask } from '../admin/ask.ts'

/** A mock whose project has resources r0, r1 and so on; all but the first three have no integers. */
async function createProject(count: number, integers: readonly number[] = []): Promise<Ask> {
  const { ask } = await createAsk()
  const json = Array.from({ length: count }, (_, at) => ({
    id: `r${at}`,
    version: 1 + (at % 7),
    objectTypeProperty: at < 3 ? { arrayOfIntExample: integers } : {},
  }))
  expect((await ask('PUT', '/__admin/state/acme', { json })).status).toBe(200)
  return ask
}

/** The resources that a page lists, and its text. */
async function open(ask: Ask, search: Readonly<Record<string, string>>) {
  const query = new URLSearchParams({ view: 'data', project: 'acme', ...search })
  const { text } = await ask('GET', `/__admin?${query}`, { headers: { Accept: 'text/html' } })
  return { text, ids: [...text.matchAll(/id="row-([^"]+)"/g)].map(([, id]) => id) }
}

afterEach(() => vi.restoreAllMocks())

it('the list of resources is searched, sorted and paged as a query is', async () => {
  const ask = await createProject(60)
  const all = await open(ask, {})
  expect(all.ids).toHaveLength(25)
  expect(all.text).toContain('1–25 of 60')
  const found = await open(ask, { where: 'version > 5', sort: 'version desc' })
  expect(found.ids.slice(0, 9)).toEqual(['r6', 'r13', 'r20', 'r27', 'r34', 'r41', 'r48', 'r55', 'r5'])
  expect(found.text).toContain('1–16 of 16')
})

it.each(['2', '3', '999999'])('page %s of two pages and a half, counted from 0, is the last one', async (page) => {
  const ask = await createProject(60)
  expect((await open(ask, { page })).ids).toEqual(Array.from({ length: 10 }, (_, at) => `r${50 + at}`))
})

it('the list of resources says what is wrong with its predicate, and when there are none', async () => {
  const ask = await createProject(2)
  expect((await open(ask, { where: 'version >' })).text).toContain('where-fault')
  expect((await open(ask, { where: 'version > 90' })).text).toContain('none matches the predicate')
  expect((await open(ask, { project: 'other', where: 'version > 90' })).ids).toEqual([])
})

it('the list of resources lets other requests have their turn', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout')
  const where = 'arrayOfIntExample contains any (-1) or arrayOfIntExample contains any (-2)'
  async function countTimers(integers: readonly number[]): Promise<number> {
    const ask = await createProject(4, integers)
    timers.mockClear()
    await open(ask, { where })
    return timers.mock.calls.length
  }
  const few = await countTimers([1])
  expect(await countTimers(Array.from({ length: 110_000 }, () => 1))).toBeGreaterThan(few)
})
