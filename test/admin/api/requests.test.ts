import { beforeEach, describe, expect, it, vi } from 'vitest'
import { PATIENCE } from '../../support/patience.ts'
import { create, createAsk } from './ask.ts'
import type { Ask, Asking } from './ask.ts'

interface Logged {
  readonly id: string
  readonly method: string
  readonly url: string
  readonly body: string
  readonly clientIp: string
  readonly headers: Readonly<Record<string, string>>
}

interface Listed {
  readonly id: string
  readonly operation?: string
  readonly projectKey?: string
  readonly scenarios: readonly string[]
  readonly wasMatched: boolean
  readonly request: Logged
  readonly response: { readonly status: number; readonly body: string; readonly fault?: string }
}

let asking: Asking
let ask: Ask
beforeEach(async () => {
  asking = await createAsk({ auth: 'lenient' })
  ;({ ask } = asking)
})

const asAnyone = { headers: { Authorization: 'Bearer any-token' } }

async function list(query = '', from: Ask = ask): Promise<readonly Listed[]> {
  const { body } = await from('GET', `/__admin/requests${query}`)
  return (body as { readonly requests: readonly Listed[] }).requests
}

async function last(from: Ask = ask): Promise<Listed> {
  const [latest] = await list('', from)
  return latest ?? expect.fail('the journal is empty')
}

describe('the journal', () => {
  it('lists each exchange once with request and response, newest first', async () => {
    const draft = '{"objectTypeProperty":{"arrayOfIntExample":[9223372036854775807]}}'
    const created = await ask('POST', '/acme/resource?x=1', {
      json: JSON.parse('{"objectTypeProperty":{}}'),
      ...asAnyone,
    })
    await ask('POST', '/eu/gcp/acme/resource', {
      body: draft,
      headers: { ...asAnyone.headers, 'Content-Type': 'application/json' },
      connection: { remoteAddress: '127.0.0.1' },
    })
    const [second, first, ...others] = await list()
    expect(others).toEqual([])
    expect(first).toMatchObject({ operation: 'createResource', projectKey: 'acme', wasMatched: true })
    expect(first?.response).toMatchObject({ status: 201, body: created.text })
    expect(second?.request).toMatchObject({
      method: 'POST',
      url: '/eu/gcp/acme/resource',
      body: draft,
      clientIp: '127.0.0.1',
    })
    expect(second?.request.headers['authorization']).toBe('Bearer [redacted]')
  })

  it('lists a long result unchanged', async () => {
    const arrayOfStringExample = Array.from({ length: 500 }, (_, at) => `Größe ${at}`)
    await ask('POST', '/acme/resource', { json: { objectTypeProperty: { arrayOfStringExample } }, ...asAnyone })
    const listed = await ask('GET', '/acme/resource?limit=500', asAnyone)
    expect(listed.text).toContain('Größe 499')
    expect((await last()).response.body).toBe(listed.text)
  })

  it('belongs to its session', async () => {
    await ask('GET', '/@a/acme/resource', asAnyone)
    await ask('GET', '/acme/resource', { headers: { ...asAnyone.headers, 'X-Mock-Session': 'b' } })
    expect(await list()).toEqual([])
    const { body } = await ask('GET', '/@a/__admin/requests')
    expect(body).toMatchObject({ meta: { total: 1 }, requests: [{ session: 'a' }], requestJournalDisabled: false })
  })

  it.each<[string, string, string, Record<string, string>, number]>([
    ['without a token', 'POST', '/acme/resource', {}, 401],
    ['to an unknown path', 'POST', '/acme/resourc', {}, 404],
    ['with a method that the path does not support', 'PUT', '/acme/resource/1', {}, 405],
    ['that is not JSON', 'POST', '/acme/resource', { ...asAnyone.headers, 'Content-Type': 'application/json' }, 400],
    ['with another media type', 'POST', '/acme/resource', { ...asAnyone.headers, 'Content-Type': 'text/plain' }, 415],
    ['that a scenario answers early', 'POST', '/acme/resource', { 'X-Mock-Scenario': 'unavailable' }, 503],
    ['with an invalid correlation id', 'POST', '/acme/resource', { 'X-Correlation-ID': 'x' }, 400],
  ])('has the body of a request %s', async (_case, method, path, headers, status) => {
    await ask(method, path, { headers, body: 'what was sent' })
    const { request, response } = await last()
    expect([request.body, response.status]).toEqual(['what was sent', status])
    expect(JSON.parse(response.body)).toMatchObject({ statusCode: status })
  })

  it('does not wait for a body that never arrives', async () => {
    const body = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => undefined) })
    // The Fetch standard requires `duplex` with a stream; TypeScript's types lack it.
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit
    const response = await asking.mock.fetch(new Request('http://localhost/acme/resourc', init))
    expect([response.status, (await last()).request.body]).toEqual([404, ''])
  })

  it('reads at most 64 KiB of a refused body', async () => {
    const KIBIBYTE = 1024
    let pulled = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1
        if (pulled > 1000) controller.close()
        else controller.enqueue(new Uint8Array(KIBIBYTE).fill(65))
      },
    })
    // The Fetch standard requires `duplex` with a stream; TypeScript's types lack it.
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit
    expect((await asking.mock.fetch(new Request('http://localhost/acme/resourc', init))).status).toBe(404)
    // One chunk shows that there is more; streams read ahead by a few.
    expect(pulled).toBeLessThanOrEqual(64 + 1 + 4)
  })

  it('has the original headers, even if a caller in the same process changes them later', async () => {
    const request = new Request('http://localhost/acme/resource', { headers: { ...asAnyone.headers, 'X-A': '1' } })
    await asking.mock.fetch(request)
    request.headers.set('X-A', '2')
    expect((await last()).request.headers).toMatchObject({ 'x-a': '1' })
  })

  it('has only the first part of a large body', async () => {
    const text = JSON.stringify({ objectTypeProperty: { arrayOfStringExample: ['x'.repeat(100_000)] } })
    await ask('POST', '/acme/resource', {
      body: text,
      headers: { ...asAnyone.headers, 'Content-Type': 'application/json' },
    })
    expect((await last()).request.body).toBe(text.slice(0, 65_536))
  })

  it('has token requests without their secrets', async () => {
    await ask('POST', '/oauth/token', {
      body: 'grant_type=client_credentials&client_id=shop&client_secret=hidden',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })
    const { request, response } = await last()
    expect(request.body).toBe('grant_type=client_credentials&client_id=shop&client_secret=[redacted]')
    expect(JSON.parse(response.body)).toMatchObject({ access_token: '[redacted]', token_type: 'Bearer' })
  })

  it('records a broken connection before the client notices', async () => {
    await ask('PUT', '/__admin/scenarios/mine', {
      json: { description: 'x', rules: [{ effect: { fault: 'TIMEOUT' } }] },
    })
    const gone = new AbortController()
    const headers = { 'X-Mock-Scenario': 'mine' }
    const stalled = asking.mock.fetch(new Request('http://localhost/acme/resource', { headers, signal: gone.signal }))
    await vi.waitFor(
      async () => expect((await last()).response).toMatchObject({ status: 0, fault: 'TIMEOUT' }),
      PATIENCE,
    )
    gone.abort()
    await expect(stalled).rejects.toThrow()
    expect(await list()).toHaveLength(1)
    expect((await last()).scenarios).toEqual(['mine'])
  })

  it('records no body for HEAD', async () => {
    await ask('HEAD', '/acme/resource', asAnyone)
    expect((await last()).response).toMatchObject({ status: 200, body: '' })
  })

  it("has neither the admin API's own requests nor preflights", async () => {
    await ask('GET', '/__admin/state')
    await ask('GET', '/__admin/unknown')
    await ask('OPTIONS', '/acme/resource', {
      headers: { Origin: 'http://localhost:3000', 'Access-Control-Request-Method': 'PUT' },
    })
    expect(await list()).toEqual([])
    await ask('OPTIONS', '/acme/resource')
    expect(await list()).toHaveLength(1)
  })

  it('keeps the configured number of requests', async () => {
    const two = await createAsk({ journal: 2 })
    for (const key of ['a', 'b', 'c']) await two.ask('GET', `/acme/resource/key=${key}`)
    expect((await list('', two.ask)).map(({ request }) => request.url)).toEqual([
      '/acme/resource/key=c',
      '/acme/resource/key=b',
    ])
  })

  it('can be disabled', async () => {
    const none = await createAsk({ journal: 0 })
    await none.ask('GET', '/acme/resource')
    expect((await none.ask('GET', '/__admin/requests')).body).toEqual({
      requests: [],
      meta: { total: 0, kept: 0, dropped: 0 },
      requestJournalDisabled: true,
    })
  })

  it('does not affect seeded values when it is read', async () => {
    const frozen = { clock: '2026-01-31T12:00:00Z', seed: 7 }
    const [read, unread] = [await createAsk(frozen), await createAsk(frozen)]
    await create(read.ask)
    await read.ask('GET', '/__admin/requests')
    await create(unread.ask)
    expect(await create(read.ask)).toBe(await create(unread.ask))
  })
})

describe('the requests of the journal', () => {
  const clock = (time: number) => vi.setSystemTime(new Date(Date.UTC(2026, 0, 31, 12, 0, time)))

  it('are found by number, time, and whether they matched an operation', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const timed = await createAsk()
      clock(1)
      await timed.ask('GET', '/acme/resourc')
      clock(2)
      await timed.ask('PUT', '/acme/resource/1')
      clock(3)
      await timed.ask('GET', '/acme/resource/1')
      const urls = async (query: string) =>
        (await list(query, timed.ask)).map(({ request }) => request.method + request.url)
      expect(await urls('?limit=1')).toEqual(['GET/acme/resource/1'])
      expect(await urls('?since=2026-01-31T12:00:02Z')).toEqual(['GET/acme/resource/1', 'PUT/acme/resource/1'])
      expect(await urls('?unmatched=true')).toEqual(['PUT/acme/resource/1', 'GET/acme/resourc'])
      const { body } = await timed.ask('GET', '/__admin/requests/unmatched')
      expect(body).toMatchObject({ requests: [{ method: 'PUT' }, { method: 'GET' }] })
    } finally {
      vi.useRealTimers()
    }
  })

  it('are listed a hundred at a time, with the number of all and of the dropped ones', async () => {
    const { ask } = await createAsk({ journal: 150 })
    for (let at = 1; at <= 160; at += 1) await ask('GET', `/acme/resource/${at}`)
    const { body } = await ask('GET', '/__admin/requests')
    expect(body).toMatchObject({ meta: { total: 150, dropped: 10 } })
    expect(await list('', ask)).toHaveLength(100)
    expect(await list('?limit=1000', ask)).toHaveLength(150)
  })

  it.each(['requests?limit=1000', 'requests.har'])(
    'are sent in small pieces, whatever their length: %s',
    async (path) => {
      const value = 'x'.repeat(50_000)
      for (let at = 0; at < 20; at += 1) await ask('GET', `/acme/resource/1?a=${value}`)
      const response = await asking.mock.fetch(`/__admin/${path}`)
      const sizes: number[] = []
      for await (const piece of response.body ?? expect.fail('no body')) sizes.push(piece.byteLength)
      expect(sizes.length).toBeGreaterThanOrEqual(20)
      expect(Math.max(...sizes)).toBeLessThan(10 * value.length)
    },
  )

  it('of all sessions share the memory, and the oldest are dropped first', async () => {
    const { ask } = await createAsk({ memory: 100_000 })
    const value = 'x'.repeat(10_000)
    for (const session of ['a', 'b', 'a', 'b', 'a', 'b']) await ask('GET', `/@${session}/acme/resource/1?a=${value}`)
    const totals = []
    for (const session of ['a', 'b']) totals.push((await ask('GET', `/@${session}/__admin/requests`)).body)
    expect(totals).toMatchObject([{ meta: { total: 2, dropped: 1 } }, { meta: { total: 2, dropped: 1 } }])
    const { text } = await ask('GET', '/__admin/metrics')
    const bytes = Number(/^resource_mock_memory_bytes\{use="journals"\} (\d+)$/m.exec(text)?.[1])
    expect(bytes).toBeGreaterThan(0)
    expect(bytes).toBeLessThanOrEqual(100_000)
  })

  it('are dropped when their session ends, which makes room for others', async () => {
    await ask('GET', '/@a/acme/resource')
    await ask('DELETE', '/__admin/sessions/a')
    expect((await ask('GET', '/__admin/metrics')).text).toContain('\nresource_mock_memory_bytes{use="journals"} 0\n')
  })

  it('are counted, found and removed by pattern', async () => {
    await ask('GET', '/acme/resource/1', asAnyone)
    await ask('GET', '/acme/resource/2', asAnyone)
    await ask('DELETE', '/acme/resource/2', asAnyone)
    const pattern = { json: { method: 'GET', urlPathPattern: '/acme/resource/.*' } }
    const all = { json: {} }
    expect((await ask('POST', '/__admin/requests/count', pattern)).body).toEqual({
      count: 2,
      requestJournalDisabled: false,
    })
    expect((await ask('POST', '/__admin/requests/find', pattern)).body).toMatchObject({
      requests: [{ url: '/acme/resource/2' }, { url: '/acme/resource/1' }],
    })
    expect((await ask('POST', '/__admin/requests/remove', pattern)).body).toMatchObject({
      serveEvents: [{ request: { method: 'GET' } }, { request: { method: 'GET' } }],
    })
    expect((await ask('POST', '/__admin/requests/count', all)).body).toMatchObject({ count: 1 })
  })

  it('are found by pattern a page at a time', async () => {
    for (const id of [1, 2, 3]) await ask('GET', `/acme/resource/${id}`, asAnyone)
    await ask('DELETE', '/acme/resource/4', asAnyone)
    const json = { method: 'GET' }
    const { body } = await ask('POST', '/__admin/requests/find?limit=2', { json })
    expect(body).toMatchObject({ requests: [{ url: '/acme/resource/3' }, { url: '/acme/resource/2' }] })
    const [, second] = (body as { readonly requests: readonly { readonly id: string }[] }).requests
    expect((await ask('POST', `/__admin/requests/find?before=${second?.id}`, { json })).body).toMatchObject({
      requests: [{ url: '/acme/resource/1' }],
    })
    expect((await ask('POST', '/__admin/requests/find?before=none', { json })).status).toBe(404)
  })

  it('are found and removed by id', async () => {
    await ask('GET', '/acme/resource/1', asAnyone)
    await ask('GET', '/acme/resource/2', asAnyone)
    const { id } = await last()
    expect((await ask('GET', `/__admin/requests/${id}`)).body).toMatchObject({
      id,
      request: { url: '/acme/resource/2' },
    })
    expect((await ask('DELETE', `/__admin/requests/${id}`)).status).toBe(200)
    expect((await ask('GET', `/__admin/requests/${id}`)).status).toBe(404)
    expect((await last()).request.url).toBe('/acme/resource/1')
    expect((await ask('DELETE', '/__admin/requests')).status).toBe(200)
    expect(await list()).toEqual([])
  })

  it('without an operation are listed with the nearest operations', async () => {
    await ask('POST', '/acme/resorce', asAnyone)
    const { body } = await ask('GET', '/__admin/requests/unmatched/near-misses')
    expect(body).toMatchObject({
      nearMisses: expect.arrayContaining([
        expect.objectContaining({ stubMapping: { name: 'createResource', request: expect.anything() } }),
      ]),
    })
  })

  it.each(['/__admin/near-misses', '/__admin/requests/near-misses'])(
    'and patterns are reported with their near misses: %s',
    async (path) => {
      await ask('GET', '/acme/resource/1', asAnyone)
      const request = await ask('POST', `${path}/request`, { json: { method: 'POST', url: '/acme/resorce' } })
      expect(request.text).toContain('"createResource"')
      const pattern = await ask('POST', `${path}/request-pattern`, { json: { method: 'PUT', url: '/acme/resource/1' } })
      expect(pattern.body).toMatchObject({
        nearMisses: [{ differences: [{ member: 'method', expected: 'PUT', actual: 'GET' }] }],
      })
    },
  )

  it('are exported as an HTTP archive', async () => {
    await ask('GET', '/acme/resource/1', asAnyone)
    const { body } = await ask('GET', '/__admin/requests.har')
    expect(body).toMatchObject({
      log: { version: '1.2', creator: { name: 'resource-mock' }, entries: [{ request: { method: 'GET' } }] },
    })
  })
})
