import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Persistence } from '../../../src/service/state/kept-state.ts'
import { timeSlices } from '../../../src/util/time-slices.ts'
import { hurry } from '../../support/hurry.ts'
import { create, createAsk } from './ask.ts'
import type { Ask } from './ask.ts'

/** The number of requests in the journal. */
const REQUESTS = 20

afterEach(() => vi.restoreAllMocks())

/** A mock whose journal has a failed request, followed by successful ones. */
async function createJournal(options: Parameters<typeof createAsk>[0] = {}) {
  const asking = await createAsk(options)
  await asking.ask('GET', '/acme/resource/none')
  for (let at = 1; at < REQUESTS; at += 1) await create(asking.ask)
  return asking
}

/** The id of the first request in the journal, without reading another request. */
async function readFirstId(ask: Ask): Promise<string> {
  const pattern = { urlPath: '/acme/resource/none' }
  const { body } = await ask('POST', '/__admin/requests/find', { json: pattern })
  return (body as { readonly requests: readonly { readonly id: string }[] }).requests[0]?.id ?? expect.fail('not found')
}

/** How often others get a turn during an action that reads one request per slice. */
async function countTurns(run: () => Promise<unknown>): Promise<number> {
  const yields = hurry()
  await run()
  return yields.mock.calls.length
}

interface Reading {
  readonly method?: string
  readonly path: string
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const tool = (name: string, given: object): Reading => ({
  method: 'POST',
  path: '/__admin/mcp',
  json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } },
  headers: { Accept: 'application/json, text/event-stream' },
})

describe('yields after each request that is read', () => {
  it.each<[what: string, toReading: (id: string) => Reading, read?: number]>([
    ['for the list', () => ({ path: '/__admin/requests' })],
    ['for finding by pattern', () => ({ method: 'POST', path: '/__admin/requests/find', json: {} })],
    ['for counting', () => ({ method: 'POST', path: '/__admin/requests/count', json: {} })],
    ['for removal', () => ({ method: 'POST', path: '/__admin/requests/remove', json: {} })],
    ['for near misses', () => ({ method: 'POST', path: '/__admin/near-misses/request-pattern', json: { url: '/a' } })],
    ['for HAR', () => ({ path: '/__admin/requests.har' })],
    ['for a pact', () => ({ path: '/__admin/pact?consumer=shop&provider=service' })],
    ['for a filter', () => ({ path: '/__admin/requests?filter=body~acme' })],
    ['for an agent', () => tool('list_requests', { limit: 100 })],
    ['for an agent with a pattern', () => tool('list_requests', { limit: 100, pattern: {} })],
  ])('%s', async (_what, toReading, read = REQUESTS) => {
    const { ask } = await createJournal()
    const { method = 'GET', path, ...sending } = toReading(await readFirstId(ask))
    const turns = await countTurns(async () => {
      const { status, text } = await ask(method, path, sending)
      expect(status, text).toBe(200)
    })
    expect(turns).toBeGreaterThanOrEqual(read)
  })

  it('for the versions of a resource whose writers share a correlation id', async () => {
    const { ask } = await createAsk()
    const path = await create(ask)
    const headers = { 'X-Correlation-ID': 'the-same-for-all' }
    for (let version = 1; version <= REQUESTS; version += 1) {
      const json = { version, actions: [{ action: 'changeSomeProperty', someProperty: `after ${version}` }] }
      expect((await ask('POST', path, { json, headers })).status).toBe(200)
    }
    const id = path.split('/').at(-1)
    const turns = await countTurns(() => ask('GET', `/__admin/resources/${id}/versions?projectKey=acme`))
    expect(turns).toBeGreaterThanOrEqual(REQUESTS)
  })

  it('when the journal is saved', async () => {
    let saved = ''
    const persistence: Persistence = {
      read: async () => undefined,
      write: async () => undefined,
      journal: { read: async () => undefined, replace: async (lines) => void (saved = lines.join('')) },
    }
    const { mock } = await createJournal({ persistence })
    expect(await countTurns(() => mock.close())).toBeGreaterThanOrEqual(REQUESTS)
    expect(saved.match(/"entry":/g)).toHaveLength(REQUESTS)
  })
})

it.each([
  ['a pattern', '/requests/find', { method: 'POST', body: '{}' }],
  ['a filter', '/requests?filter=body~acme', {}],
])('a search by %s ends when its client disconnects', async (_what, path, init) => {
  const { mock } = await createJournal()
  const controller = new AbortController()
  const yields = hurry()
  yields.mockImplementationOnce(async () => controller.abort())
  await expect(mock.fetch(`/__admin${path}`, { ...init, signal: controller.signal })).rejects.toThrow('abort')
  for (let turn = 0; turn < 2 * REQUESTS; turn += 1) await timeSlices.pause()
  expect(yields.mock.calls.length).toBeLessThan(REQUESTS)
})

describe('one request', () => {
  it.each([
    ['deleted', 'DELETE', ''],
    ['resent', 'POST', '/resend'],
    ['shown', 'GET', ''],
  ])('is %s without reading the others', async (_what, method, rest) => {
    const { ask } = await createAsk()
    for (let at = 0; at < REQUESTS; at += 1) await ask('GET', '/acme/resource/none')
    const { body } = await ask('GET', '/__admin/requests?limit=1')
    const [{ id }] = (body as { readonly requests: readonly [{ readonly id: string }] }).requests
    const ids = vi.spyOn(crypto, 'randomUUID')
    expect((await ask(method, `/__admin/requests/${id}${rest}`)).status).toBe(200)
    // Each entry that is read gets an id.
    expect(ids.mock.calls.length).toBeLessThan(REQUESTS / 2)
  })
})
