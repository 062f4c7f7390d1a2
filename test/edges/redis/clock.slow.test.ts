import { describe, expect, it } from 'vitest'
import { base, create, newStoreUrl, startReplica, startThree, update } from './replicas.ts'
import type { Call, Replica } from './replicas.ts'

const NOON = '2026-01-31T12:00:00.000Z'
const TWO_LATER = '2026-01-31T14:00:00.000Z'

/** Resources with their times in the body. */
const WHOLE = { Prefer: 'identity=body' }

const advance = (call: Call, time: string) => call('PUT', '/__admin/clock', { advance: time })

/** The time at each of several mocks. */
const timesAt = (replicas: readonly Replica[]): Promise<readonly string[]> =>
  Promise.all(replicas.map(async ({ call }) => (await call('GET', '/__admin/clock')).body.now))

describe("a session's clock at mocks that share a store", () => {
  it('is moved at all of them by each, for that session only', async () => {
    const replicas = await startThree({ clock: NOON })
    const [one, two, three] = replicas
    expect((await advance(one.call, '2h')).body).toEqual({ now: TWO_LATER })
    expect(await timesAt(replicas)).toEqual([TWO_LATER, TWO_LATER, TWO_LATER])
    const id = await create(two.call, 'later')
    expect((await three.call('GET', `${base}/${id}`, undefined, WHOLE)).body.createdAt).toBe(TWO_LATER)
    expect((await two.call('GET', '/@other/__admin/clock')).body).toEqual({ now: NOON })
  })

  it.each(['DELETE /__admin/clock', 'POST /__admin/reset', 'DELETE /__admin/sessions/default'])(
    'is reset at all of them by %s',
    async (request) => {
      const replicas = await startThree({ clock: NOON })
      const [one, two] = replicas
      await advance(one.call, '2h')
      const [method = '', path = ''] = request.split(' ')
      expect((await two.call(method, path)).status).toBe(200)
      expect(await timesAt(replicas)).toEqual([NOON, NOON, NOON])
    },
  )

  it('expires tokens issued by another mock, and applies to new ones', async () => {
    const [one, two, three] = await startThree({ auth: 'strict' })
    const issue = async ({ server }: Replica) => {
      const headers = { Authorization: `Basic ${btoa('shop:secret')}` }
      const body = new URLSearchParams({ grant_type: 'client_credentials' })
      const response = await fetch(`${server.url}/oauth/token`, { method: 'POST', headers, body })
      return ((await response.json()) as { readonly access_token: string }).access_token
    }
    const send = async ({ call }: Replica, token: string) =>
      (await call('GET', base, undefined, { Authorization: `Bearer ${token}` })).status
    const old = await issue(one)
    expect(await send(two, old)).toBe(200)
    await advance(three.call, '3d')
    const fresh = await issue(one)
    expect([await send(two, old), await send(two, fresh)]).toEqual([401, 200])
  })

  it('loses none of many concurrent moves', async () => {
    const replicas = await startThree({ clock: NOON })
    const moves = Array.from({ length: 60 }, (_, at) => advance((replicas[at % 3] as Replica).call, '2m'))
    expect((await Promise.all(moves)).filter(({ status }) => status !== 200)).toEqual([])
    expect(await timesAt(replicas)).toEqual([TWO_LATER, TWO_LATER, TWO_LATER])
  })

  it('is the same at a mock that joins later, even after compaction', async () => {
    const url = newStoreUrl()
    const first = await startReplica(url, { clock: NOON })
    await advance(first.call, '2h')
    const id = await create(first.call, 'changed')
    for (let version = 1; version <= 30; version += 1) {
      const actions = [{ action: 'changeSomeProperty', someProperty: 'y'.repeat(20_000) }]
      expect((await first.call('POST', `${base}/${id}`, { version, actions })).status).toBe(200)
    }
    const second = await startReplica(url, { clock: NOON })
    expect(await timesAt([first, second])).toEqual([TWO_LATER, TWO_LATER])
    await second.call('POST', `${base}/${id}`, update(31))
    expect((await first.call('GET', `${base}/${id}`, undefined, WHOLE)).body.lastModifiedAt).toBe(TWO_LATER)
  })

  it('notifies subscribers at another mock when it is moved', async () => {
    const [one, two] = await startThree()
    const controller = new AbortController()
    const response = await fetch(`${two.server.url}/__admin/events`, { signal: controller.signal })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let heard = (await reader?.read())?.value ?? ''
    await advance(one.call, '2h')
    while (!heard.includes('event: state')) heard += (await reader?.read())?.value ?? expect.fail(heard)
    controller.abort()
  })
})

const answer = { effect: { answer: { status: 503, stage: 'gateway' } } }

/** Defines a scenario. */
const define = ({ call }: Replica, ...rules: readonly object[]) =>
  call('PUT', '/__admin/scenarios/timed', { description: 'For a test', rules })
const switchOn = ({ call }: Replica) => call('PUT', '/__admin/scenarios/active', { active: ['timed'] })

/** The response of each of several mocks. */
async function statusesAt(replicas: readonly Replica[], headers?: Readonly<Record<string, string>>): Promise<string> {
  const replies = await Promise.all(replicas.map(({ call }) => call('GET', base, undefined, headers)))
  return replies.map(({ status }) => status).join(' ')
}

describe('the time since a scenario was activated', () => {
  it('is the same at all mocks that share a store, for an outage', async () => {
    const replicas = await startThree()
    const [one, two, three] = replicas
    await define(one, { during: { from: 1800, to: 3600 }, ...answer })
    await switchOn(one)
    // Two of the mocks have no request before the outage starts.
    expect(await statusesAt([two])).toBe('200')
    await advance(three.call, '40m')
    expect(await statusesAt(replicas)).toBe('503 503 503')
    await two.call('DELETE', '/__admin/clock')
    expect(await statusesAt(replicas)).toBe('503 503 503')
    await advance(one.call, '40m')
    expect(await statusesAt(replicas)).toBe('200 200 200')
  })

  it('is the same at all mocks, for a gateway that fails periodically', async () => {
    const replicas = await startThree()
    const [one, two, three] = replicas
    await define(two, { flapping: { up: 36_000, down: 72_000 }, ...answer })
    await switchOn(two)
    expect(await statusesAt([three])).toBe('200')
    await advance(one.call, '15h')
    expect(await statusesAt(replicas)).toBe('503 503 503')
    await advance(two.call, '20h')
    expect(await statusesAt(replicas)).toBe('200 200 200')
  })

  it.each([
    ['the scenario is switched on', 'PUT', '/__admin/scenarios/active', { active: ['timed'] }],
    ['counters are reset', 'POST', '/__admin/scenarios/reset', undefined],
  ])('restarts at all mocks when %s at one', async (_what, method, path, body) => {
    const replicas = await startThree()
    const [one, two, three] = replicas
    await define(one, { during: { to: 3600 }, ...answer })
    await switchOn(one)
    await advance(two.call, '2h')
    expect(await statusesAt(replicas)).toBe('200 200 200')
    await three.call(method, path, body)
    await advance(one.call, '30m')
    expect(await statusesAt(replicas)).toBe('503 503 503')
    await advance(one.call, '2h')
    expect(await statusesAt(replicas)).toBe('200 200 200')
  })

  it('counts from the first request at any mock, for a scenario of a header', async () => {
    const replicas = await startThree()
    const [one, two, three] = replicas
    const headers = { 'X-Mock-Scenario': 'timed' }
    await define(one, { during: { from: 1800 }, ...answer })
    await advance(two.call, '2h')
    expect(await statusesAt([two], headers)).toBe('200')
    await advance(three.call, '40m')
    expect(await statusesAt(replicas, headers)).toBe('503 503 503')
    // Another definition starts anew.
    await define(three, { during: { from: 1800 }, ...answer })
    expect(await statusesAt(replicas, headers)).toBe('200 200 200')
  })

  it('belongs to the new session once a session has ended', async () => {
    const replicas = await startThree()
    const [one, two, three] = replicas
    const begin = async () => {
      await define(one, { during: { from: 1800 }, ...answer })
      expect(await statusesAt(replicas, { 'X-Mock-Scenario': 'timed' })).toBe('200 200 200')
    }
    await begin()
    await advance(two.call, '2h')
    expect((await three.call('DELETE', '/__admin/sessions/default')).status).toBe(200)
    await begin()
  })

  it('refills a rate limit at all mocks', async () => {
    const replicas = await startThree()
    const [one, two] = replicas
    await define(one, { effect: { rateLimit: { requests: 3, perSeconds: 3600 } } })
    await switchOn(two)
    await statusesAt(replicas)
    expect(await statusesAt(replicas)).toBe('429 429 429')
    await advance(one.call, '1h')
    expect(await statusesAt(replicas)).toBe('200 200 200')
    expect(await statusesAt(replicas)).toBe('429 429 429')
  })
})
