import { describe, expect, it, vi } from 'vitest'
import { KeptExchange } from '../../../src/sessions/journal/kept-exchange.ts'
import { createAsk, update, create } from './ask.ts'

interface Page {
  readonly requests: readonly Readonly<Record<string, unknown>>[]
  readonly meta: { readonly total: number; readonly kept: number; readonly histogram?: unknown }
}

describe('GET /__admin/requests', () => {
  it('lists summaries without headers and bodies, with how many requests the journal keeps', async () => {
    const { ask } = await createAsk({ clock: '2026-01-31T12:00:00Z' })
    const path = await create(ask)
    await update(ask, path, 7)
    await ask('GET', '/acme/resourc')
    const { body } = await ask('GET', '/__admin/requests?summary=true&filter=status:4xx&retries=true&periods=2')
    const { requests, meta } = body as Page
    expect(requests).toEqual([
      expect.objectContaining({ method: 'GET', url: '/acme/resourc', status: 404, nearest: 'queryResources' }),
      expect.objectContaining({ operation: 'updateResource', status: 409, retry: 'none' }),
    ])
    expect(requests.every((one) => !('request' in one) && !('response' in one))).toBe(true)
    expect(meta).toEqual({
      total: 2,
      kept: 3,
      dropped: 0,
      histogram: { from: '2026-01-31T12:00:00.000Z', step: 1, counts: [2], failed: [2] },
    })
  })

  it('visits no more requests for the first page if the journal has more', async () => {
    const { ask } = await createAsk({ journal: 1000 })
    const count = async () => {
      // Every other member of an exchange is read at these places, too.
      const visits = (['status', 'time', 'url', 'session', 'entry'] as const).map((name) =>
        vi.spyOn(KeptExchange.prototype, name, 'get'),
      )
      expect((await ask('GET', '/__admin/requests?limit=10&summary=true&retries=true&periods=120')).status).toBe(200)
      const counts = visits.map((visit) => visit.mock.calls.length)
      vi.restoreAllMocks()
      return counts
    }
    const fail = async (times: number) => {
      for (let at = 0; at < times; at += 1) await ask('GET', '/acme/resource/key=none')
    }
    await fail(20)
    const few = await count()
    await fail(200)
    expect(await count()).toEqual(few)
  })

  it('has pages at an offset, after a request, and around a request', async () => {
    const { ask } = await createAsk()
    for (let at = 9; at >= 0; at -= 1) await ask('GET', `/acme/resource/key=n${at}`)
    const list = async (query: string) => {
      const { requests, meta } = (await ask('GET', `/__admin/requests?summary=true&${query}`)).body as Page
      return { ids: requests.map(({ id }) => String(id)), keys: requests.map(({ url }) => String(url).slice(-1)), meta }
    }
    const { ids } = await list('limit=10')
    expect((await list('limit=3&offset=4')).keys).toEqual(['4', '5', '6'])
    expect((await list(`limit=2&offset=1&before=${ids[4]}`)).keys).toEqual(['6', '7'])
    expect(await list(`limit=3&around=${ids[8]}`)).toMatchObject({ keys: ['7', '8', '9'], meta: { offset: 7 } })
    expect(await list(`limit=4&around=${ids[1]}`)).toMatchObject({ keys: ['0', '1', '2', '3'], meta: { offset: 0 } })
    expect((await list(`limit=3&around=${ids[8]}&before=${ids[0]}`)).meta).toMatchObject({ offset: 6, total: 10 })
    expect((await ask('GET', '/__admin/requests?around=none')).text).toContain('(parameter around)')
  })

  it('lists, exports and clears the requests of all sessions with session=*', async () => {
    const { ask } = await createAsk()
    for (const session of ['a', 'b']) await ask('GET', `/@${session}/acme/resource`)
    const list = async () => (await ask('GET', '/__admin/requests?session=*&summary=true')).body as Page
    expect((await list()).requests.map(({ session }) => session)).toEqual(['b', 'a'])
    const har = (await ask('GET', '/__admin/requests.har?session=*')).body as {
      log: { entries: unknown[]; pages: unknown[] }
    }
    expect([har.log.entries.length, har.log.pages.length]).toEqual([2, 2])
    await ask('DELETE', '/__admin/requests?session=*')
    expect((await list()).meta).toMatchObject({ total: 0, kept: 0 })
  })
})
