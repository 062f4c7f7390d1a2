import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { parseState } from '../../../src/service/state/kept-state.ts'
import { create, createAsk, update } from './ask.ts'
import type { Ask } from './ask.ts'

const START = Date.UTC(2026, 0, 31, 12)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: START })
})
afterEach(() => vi.useRealTimers())

interface Listed {
  readonly name: string
  readonly lastUsedAt: string
  readonly requests: number
  readonly activeScenarios: readonly string[]
  readonly projects: readonly object[]
  readonly snapshots: number
}

async function list(ask: Ask): Promise<readonly Listed[]> {
  const { body } = await ask('GET', '/__admin/sessions')
  return (body as { readonly sessions: readonly Listed[] }).sessions
}

const namesOf = async (ask: Ask) => (await list(ask)).map(({ name }) => name)

describe('the sessions', () => {
  it('are listed with their contents', async () => {
    const { ask } = await createAsk({ scenario: 'slow' })
    await ask('PUT', '/@a/__admin/scenarios/active', { json: { active: ['conflict'] } })
    await create(ask, '/@a/eu/gcp')
    await ask('PUT', '/@a/__admin/snapshots/one')
    vi.setSystemTime(START + 5000)
    expect(await list(ask)).toEqual([
      {
        name: 'a',
        lastUsedAt: '2026-01-31T12:00:00.000Z',
        requests: 1,
        activeScenarios: ['conflict'],
        projects: [{ baseUrl: 'eu/gcp', projectKey: 'acme' }],
        snapshots: 1,
      },
      {
        name: 'default',
        lastUsedAt: '2026-01-31T12:00:05.000Z',
        requests: 0,
        activeScenarios: ['slow'],
        projects: [],
        snapshots: 0,
      },
    ])
  })

  it.each(['a', 'default'])('end with all their data: %s', async (name) => {
    const { ask } = await createAsk()
    const path = await create(ask, `/@${name}`)
    await ask('PUT', `/@${name}/__admin/snapshots/one`)
    await ask('PUT', `/@${name}/__admin/scenarios/active`, { json: { active: ['empty'] } })
    expect((await ask('DELETE', `/@other/__admin/sessions/${name}`)).status).toBe(200)
    expect(await namesOf((...asked) => ask(asked[0], `/@other${asked[1]}`))).not.toContain(name)
    expect((await ask('GET', path)).status).toBe(404)
    expect((await list(ask)).find((one) => one.name === name)).toMatchObject({
      requests: 1,
      projects: [],
      snapshots: 0,
      activeScenarios: [],
    })
  })

  it.each(['', '/requests', '/state', '/scenarios', '/sessions', '/events'])(
    'are not created when the admin API or the dashboard only reads: %s',
    async (path) => {
      const { ask, mock } = await createAsk()
      for (const address of [`/@gone/__admin${path}`, `/__admin${path}?session=gone`]) {
        for (const Accept of ['text/html', '*/*']) {
          const response = await mock.fetch(new Request(`http://mock${address}`, { headers: { Accept } }))
          expect(response.status).toBe(200)
          await response.body?.cancel()
        }
      }
      expect(await namesOf(ask)).toEqual(['default'])
      await create(ask, '/@gone')
      expect(await namesOf(ask)).toEqual(['default', 'gone'])
    },
  )

  it.each([
    ['POST', '/health'],
    ['DELETE', '/health/live'],
    ['PUT', '/health/ready'],
    ['POST', '/dashboard.svg'],
    ['POST', '/dashboard.js'],
    ['POST', '/metrics'],
    ['PATCH', '/state'],
    ['DELETE', ''],
    ['POST', '/nothing'],
    ['OPTIONS', '/requests'],
  ])('are not created by a method that the admin API refuses: %s %s', async (method, path) => {
    const { ask } = await createAsk()
    for (const address of [`/@gone/__admin${path}`, `/__admin${path}?session=gone`]) {
      expect((await ask(method, address)).status).toBeOneOf([204, 404, 405])
    }
    expect(await namesOf(ask)).toEqual(['default'])
  })

  it("are not created by requests without a token: health, a preflight, Pact's setup with another method", async () => {
    const { ask } = await createAsk({ adminToken: 'secret' })
    const preflight = { Origin: 'http://localhost:4010', 'Access-Control-Request-Method': 'PUT' }
    expect((await ask('POST', '/@gone/__admin/health')).status).toBe(405)
    expect((await ask('OPTIONS', '/@gone/__admin/state', { headers: preflight })).status).toBe(204)
    const headers = { Authorization: 'Bearer secret' }
    expect((await ask('PUT', '/@gone/_pactSetup', { headers })).status).toBe(405)
    const { body } = await ask('GET', '/__admin/sessions', { headers })
    expect(body).toMatchObject({ sessions: [{ name: 'default' }] })
  })

  it('that only read make room for others, while those that wrote or selected a scenario stay', async () => {
    const { ask } = await createAsk({ maxSessions: 5 })
    const path = await create(ask, '/@writer')
    await ask('PUT', '/@chooser/__admin/scenarios/active', { json: { active: ['conflict'] } })
    for (let at = 0; at < 20; at += 1) expect((await ask('GET', `/@reader-${at}/acme/resource`)).status).toBe(200)
    expect(await namesOf(ask)).toEqual(['writer', 'chooser', 'reader-17', 'reader-18', 'reader-19', 'default'])
    expect((await ask('GET', path)).status).toBe(200)
  })

  it('are created again if a request writes after its session was evicted', async () => {
    const { ask, mock } = await createAsk({ maxSessions: 2 })
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const init = { method: 'POST', body: readable, headers: { 'Content-Type': 'application/json' }, duplex: 'half' }
    const creating = mock.fetch('/@slow/acme/resource', init)
    for (const name of ['a', 'b', 'c']) await ask('GET', `/@${name}/acme/resource`)
    const writer = writable.getWriter()
    await writer.write(new TextEncoder().encode('{"objectTypeProperty":{}}'))
    await writer.close()
    expect((await creating).status).toBe(201)
    expect(
      (await list((...asked) => ask(asked[0], `/@slow${asked[1]}`))).find(({ name }) => name === 'slow'),
    ).toMatchObject({ projects: [{ projectKey: 'acme' }] })
  })

  it.each(['that exists', 'that does not'])('are permanently deleted on request, one %s', async (which) => {
    const { ask } = await createAsk()
    if (which === 'that exists') await create(ask, '/@a')
    const { status, body } = await ask('DELETE', '/__admin/sessions/a?final=true')
    expect([status, body]).toEqual([200, {}])
    for (const path of ['/@a/acme/resource', '/@a/acme/resourc', '/@a/__admin/requests']) {
      const late = await ask('GET', path)
      expect([late.status, late.body]).toMatchObject([
        400,
        { message: expect.stringContaining('The session "a" was permanently deleted') },
      ])
    }
    expect(await namesOf(ask)).toEqual(['default'])
    expect((await ask('DELETE', '/__admin/sessions/a?final=true')).status).toBe(200)
    expect((await ask('GET', '/@b/acme/resource', { headers: { Authorization: 'Bearer any' } })).status).toBe(200)
  })

  it.each([
    ['POST', '/acme/resource', '{"objectTypeProperty":{}}', [503, 'ended while this request waited']],
    ['PUT', '/__admin/state', '{"projects":[]}', [400, 'was permanently deleted']],
    ['PUT', '/__admin/state/acme', '[]', [400, 'was permanently deleted']],
  ] as const)('that are permanently deleted stay deleted despite pending requests: %s %s', async (...row) => {
    const [method, path, text, [status, sentence]] = row
    let kept: string | undefined
    const persistence = {
      read: () => Promise.resolve(kept),
      write: (text: string) => Promise.resolve(void (kept = text)),
    }
    const { ask, mock } = await createAsk({ auth: 'off', persistence })
    await create(ask, '/@a')
    const { readable, writable } = new TransformStream<string, string>()
    const body = readable.pipeThrough(new TextEncoderStream())
    const init = { method, body, headers: { 'Content-Type': 'application/json' }, duplex: 'half' } as RequestInit
    const answering = mock.fetch(`/@a${path}`, init)
    await ask('DELETE', '/__admin/sessions/a?final=true')
    const writer = writable.getWriter()
    await writer.write(text)
    await writer.close()
    const late = await answering
    expect([late.status, await late.text()]).toEqual([status, expect.stringContaining(sentence)])
    expect(parseState(kept ?? '').sessions.has('a')).toBe(false)
  })

  it.each([
    ['default', '?final=true', 'The session \\"default\\" is shared by everyone'],
    ['a%20b', '?final=true', 'Invalid session name'],
    ['a', '?final=maybe', 'is neither true nor false'],
  ])('are not permanently deleted by the name %s with %s', async (name, query, sentence) => {
    const { ask } = await createAsk()
    const { status, text } = await ask('DELETE', `/__admin/sessions/${name}${query}`)
    expect([status, text]).toEqual([400, expect.stringContaining(sentence)])
  })

  it('that are unknown cannot be ended', async () => {
    const { ask } = await createAsk()
    await ask('GET', '/@worker-1/acme/resource')
    const { status, text } = await ask('DELETE', '/__admin/sessions/worker-2')
    expect([status, text]).toEqual([404, expect.stringContaining('Did you mean \\"worker-1\\"?')])
  })

  it('are refused past the limit, and make room for each other once idle', async () => {
    const { ask } = await createAsk({ maxSessions: 3, sessionTtl: 1000 })
    const kept = await create(ask, '/@a')
    await create(ask, '/@b')
    await ask('GET', '/acme/resource')
    vi.setSystemTime(START + 500)
    const { status, text } = await ask('GET', '/@c/acme/resource')
    expect([status, text]).toEqual([503, expect.stringContaining('larger --max-sessions or a shorter --session-ttl')])
    expect((await ask('GET', '/@c/acme/resourc')).status).toBe(503)
    expect((await ask('GET', kept)).status).toBe(200)
    vi.setSystemTime(START + 1200)
    expect((await ask('GET', '/@c/acme/resource')).status).toBe(200)
    expect(await namesOf(ask)).toEqual(['a', 'default', 'c'])
    expect((await ask('GET', kept)).status).toBe(200)
  })

  it('expire by real time if the mock’s clock is frozen', async () => {
    const { ask } = await createAsk({ maxSessions: 1, sessionTtl: 1000, clock: '2020-01-01T00:00:00Z' })
    await ask('GET', '/@a/acme/resource')
    vi.setSystemTime(START + 1200)
    expect((await ask('GET', '/@b/acme/resource')).status).toBe(200)
  })

  it('that were persisted across a restart exist from the start', async () => {
    let kept: string | undefined
    const persistence = {
      read: () => Promise.resolve(kept),
      write: (text: string) => Promise.resolve(void (kept = text)),
    }
    const path = await create((await createAsk({ persistence })).ask, '/@a')
    const again = await createAsk({ persistence, maxSessions: 1 })
    expect(await namesOf(again.ask)).toEqual(['a', 'default'])
    expect((await again.ask('GET', path)).status).toBe(200)
    await again.ask('DELETE', '/__admin/sessions/a')
    expect(JSON.parse(kept ?? '{}')).toMatchObject({ sessions: {} })
    expect(kept).not.toContain(path)
  })

  it('are isolated, with fifty in parallel', async () => {
    const { ask } = await createAsk({ scenario: 'none' })
    const workers = Array.from({ length: 50 }, (_none, at) => ({ at, prefix: `/@worker-${at}`, key: `key-${at}` }))
    async function live({ at, prefix, key }: (typeof workers)[number]): Promise<string> {
      await ask('PUT', `${prefix}/__admin/state/acme`, { json: [] })
      await ask('PUT', `${prefix}/__admin/snapshots/empty`)
      const active = at % 2 === 0 ? ['conflict-once'] : []
      await ask('PUT', `${prefix}/__admin/scenarios/active`, { json: { active } })
      const path = await create(ask, prefix, key)
      const first = await update(ask, path, 1)
      expect(first).toBe(at % 2 === 0 ? 409 : 200)
      if (first === 409) expect(await update(ask, path, 2)).toBe(200)
      for (let more = 0; more < at % 5; more += 1) await create(ask, prefix)
      const { body } = await ask('GET', `${prefix}/acme/resource`)
      expect(body).toMatchObject({
        total: 1 + (at % 5),
        results: expect.arrayContaining([expect.objectContaining({ key })]),
      })
      const { body: counted } = await ask('POST', `${prefix}/__admin/requests/count`, { json: { method: 'POST' } })
      expect(counted).toMatchObject({ count: 2 + (at % 5) + (at % 2 === 0 ? 1 : 0) })
      return path
    }
    async function end({ at, prefix }: (typeof workers)[number], path: string): Promise<void> {
      expect((await ask('DELETE', path)).status).toBe(200)
      await ask('POST', `${prefix}/__admin/snapshots/empty/restore`)
      expect((await ask('GET', `${prefix}/acme/resource`)).body).toMatchObject({ total: 0 })
      expect((await ask('DELETE', `/__admin/sessions/worker-${at}`)).status).toBe(200)
    }
    const paths = await Promise.all(workers.map(live))
    const inNeighbors = paths.map((path, at) => path.replace(`@worker-${at}`, `@worker-${(at + 1) % 50}`))
    const found = await Promise.all(inNeighbors.map((path) => ask('GET', path)))
    expect(found.map(({ status }) => status)).toEqual(workers.map(() => 404))
    await Promise.all(workers.map((worker, at) => end(worker, paths[at] ?? '')))
  })
})
