import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createMock } from '../../../src/mock.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import { PATIENCE } from '../../support/patience.ts'
import { createAsk, create } from './ask.ts'
import type { Ask } from './ask.ts'

let ask: Ask
beforeEach(async () => {
  ;({ ask } = await createAsk({ clock: '2026-01-31T12:00:00Z' }))
})

describe('the admin API', () => {
  it('lists its paths', async () => {
    const { status, body } = await ask('GET', '/__admin')
    expect(status).toBe(200)
    expect(body).toMatchObject({ paths: expect.arrayContaining(['/__admin/health', '/__admin/state/{projectKey}']) })
  })

  it("reports a healthy mock in WireMock's format", async () => {
    const { status, body } = await ask('GET', '/__admin/health')
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 'healthy',
      message: 'The mock is healthy',
      version: packageJson.version,
      uptimeInSeconds: 0,
      timestamp: '2026-01-31T12:00:00.000Z',
      problems: [],
      fingerprint: {
        version: packageJson.version,
        options: { auth: 'off', checkResponses: true, clock: '2026-01-31T12:00:00.000Z' },
        fixtures: 'built-in',
        scenarios: 'built-in',
      },
    })
  })

  it('reports options and files that differ from the default, but no secret', async () => {
    const options = { auth: 'strict', seed: 7, scenario: 'slow', adminToken: 'hush', tokenSecret: 'hush' } as const
    const mock = await createMock({ ...options, clients: ['id:hush'], fixtures: { 'resources.json': '[]' } })
    const text = await (await mock.fetch('/__admin/health')).text()
    expect(JSON.parse(text)).toMatchObject({
      fingerprint: {
        options: { auth: 'strict', seed: 7, scenario: ['slow'] },
        fixtures: expect.stringMatching(/^\w{16}$/),
      },
    })
    expect(text).not.toContain('hush')
  })

  it('reports another fingerprint after its files have changed', async () => {
    const mock = await createMock({ fixtures: { 'resources.json': '[]' } })
    const read = async () => {
      const body = (await (await mock.fetch('/__admin/health')).json()) as { readonly fingerprint: object }
      return body.fingerprint
    }
    const first = await read()
    await mock.reload({ fixtures: { 'resources.json': '[{ "key": "hat", "objectTypeProperty": {} }]' } })
    expect(await read()).not.toEqual(first)
    await mock.reload({ fixtures: { 'resources.json': '[]' } })
    expect(await read()).toEqual(first)
  })

  it('reports unreadable files until they are readable again', async () => {
    const { ask, mock } = await createAsk()
    await expect(mock.reload({ fixtures: { 'resources.json': '[{' } })).rejects.toThrow()
    expect((await ask('GET', '/__admin/health')).body).toMatchObject({
      status: 'healthy',
      problems: [expect.stringMatching(/^fixtures resources\.json:1:3/)],
    })
    await mock.reload({ fixtures: { 'resources.json': '[]' } })
    expect((await ask('GET', '/__admin/health')).body).toMatchObject({ problems: [] })
  })

  it('is live and ready', async () => {
    for (const path of ['live', 'ready']) expect((await ask('GET', `/__admin/health/${path}`)).status).toBe(200)
  })

  it('is live but not ready while it drains, and serves as before', async () => {
    const { mock } = await createAsk()
    mock.drain()
    const ready = await mock.fetch('/__admin/health/ready')
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { status: 'unhealthy', message: 'The mock is shutting down. Send requests elsewhere.' },
    ])
    for (const path of ['/__admin/health/live', '/__admin/health', '/acme/resource']) {
      expect((await mock.fetch(path)).status).toBe(200)
    }
  })

  it('reports its version', async () => {
    expect((await ask('GET', '/__admin/version')).body).toEqual({ version: packageJson.version })
  })

  it.each(['/@s1', '/eu/gcp', '/@s1/eu/gcp', 'http://api.eu.gcp.localhost'])(
    'responds under %s too',
    async (prefix) => {
      expect((await ask('GET', `${prefix}/__admin/health`)).status).toBe(200)
    },
  )

  it('sends responses that cannot be cached, sniffed or embedded by another origin', async () => {
    const { headers } = await ask('GET', '/__admin/sessions')
    expect(headers.get('Content-Type')).toBe('application/json; charset=utf-8')
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(headers.get('Cross-Origin-Resource-Policy')).toBe('same-origin')
    expect(headers.has('X-Correlation-ID')).toBe(true)
  })

  it.each(['/health', '/scenarios', '/state', '/requests', '/requests.har', '/events', '/metrics', ''])(
    'responds to HEAD %s without a body',
    async (path) => {
      const { status, text } = await ask('HEAD', `/__admin${path}`)
      expect([status, text]).toEqual([200, ''])
    },
  )

  it.each([
    ['/__admin/scenarois', 'Did you mean "/__admin/scenarios"?'],
    ['/__admin/requests/unmatched/near-miss', 'Did you mean "/__admin/requests/unmatched/near-misses"?'],
    ['/__admin/resource', 'The admin API has no path /__admin/resource.'],
    ['/__admin/mappings', 'This mock has no stub mappings: it responds from its data. To change a response, activate'],
    ['/__admin/mappings/import', 'This mock has no stub mappings'],
    ['/__admin/resource/images', 'The admin API has no path /__admin/resource/images.'],
    ['/__admin/x', 'GET /__admin lists all paths.'],
  ])('responds with 404 to %s', async (path, sentence) => {
    const { status, text } = await ask('GET', path)
    expect(status).toBe(404)
    expect(JSON.parse(text)).toMatchObject({ message: expect.stringContaining(sentence) })
  })

  it.each([
    ['POST', '/health', 'GET, HEAD, OPTIONS'],
    ['PATCH', '/state', 'GET, PUT, HEAD, OPTIONS'],
    ['POST', '/state/acme', 'GET, PUT, DELETE, HEAD, OPTIONS'],
    ['GET', '/reset', 'POST, OPTIONS'],
    ['DELETE', '/scenarios/reset', 'POST, OPTIONS'],
    ['GET', '/requests/count', 'POST, OPTIONS'],
    ['GET', '/snapshots/a/restore', 'POST, OPTIONS'],
    ['DELETE', '/sessions', 'GET, HEAD, OPTIONS'],
    ['PUT', '/images/1', 'GET, HEAD, OPTIONS'],
  ])('refuses %s %s, and lists the allowed methods', async (method, path, allowed) => {
    const refused = await ask(method, `/__admin${path}`)
    expect([refused.status, refused.headers.get('Allow')]).toEqual([405, allowed])
    const asked = await ask('OPTIONS', `/__admin${path}`)
    expect([asked.status, asked.headers.get('Allow')]).toEqual([204, allowed])
  })

  it.each([
    ['PUT', '/state', '{', 'line 1, column 2'],
    ['PUT', '/state', '', 'the text is empty'],
    ['PUT', '/state', 'null', 'JSON Object expected'],
    ['PUT', '/state/acme', '7', 'JSON Object expected'],
    ['PUT', '/scenarios/active', '{"active":"slow"}', 'Send {\\"active\\":[\\"slow\\"]}'],
    ['PUT', '/scenarios/active', '["slow","empty"]', 'Send {\\"active\\":[\\"slow\\",\\"empty\\"]}'],
    ['PUT', '/scenarios/active', '"slow"', 'Send {\\"active\\":[\\"slow\\"]}'],
    ['PUT', '/scenarios/active', '{"activ":[]}', 'Send {\\"active\\":[]}'],
    ['PUT', '/scenarios/active', '{"active":[1]}', 'Send {\\"active\\":[]}'],
    ['PUT', '/scenarios/active', '7', 'Send {\\"active\\":[\\"conflict\\"]}'],
    ['PUT', '/scenarios/mine', '{"rules":[]}', 'description'],
    ['POST', '/requests/count', '{"methd":"GET"}', 'methd'],
    ['POST', '/requests/find', '{"urlPattern":"("}', 'Unterminated group'],
    ['GET', '/requests?limit=-1', undefined, 'limit'],
    ['GET', '/requests?since=yesterday', undefined, 'Example: 2026-01-31T12:00:00Z'],
    ['GET', '/requests?since=2026-02-30T12:00:00Z', undefined, 'Example: 2026-01-31T12:00:00Z'],
    ['GET', '/requests?unmatched=maybe', undefined, 'neither true nor false'],
    ['GET', '/events?session=a%20b', undefined, 'Invalid session name'],
    ['PUT', '/snapshots/a%20b', undefined, 'Invalid snapshot name'],
    ['GET', '/state/acme?region=eu', undefined, 'requires cloudProvider'],
  ])('refuses %s %s of %j, and changes nothing', async (method, path, body, sentence) => {
    await create(ask)
    const before = [await ask('GET', '/__admin/state'), await ask('GET', '/__admin/scenarios')].map(({ text }) => text)
    const { status, text } = await ask(method, `/__admin${path}`, body === undefined ? {} : { body })
    expect(status).toBe(400)
    expect(text).toContain(sentence)
    const after = [await ask('GET', '/__admin/state'), await ask('GET', '/__admin/scenarios')].map(({ text }) => text)
    expect(after).toEqual(before)
  })

  it('refuses a body over the JSON body limit', async () => {
    const small = await createAsk({ maxBody: 10 })
    const { status } = await small.ask('PUT', '/__admin/scenarios/active', { json: { active: ['conflict'] } })
    expect(status).toBe(413)
  })
})

describe('a reset', () => {
  it('resets data, scenarios, counters and the journal, and keeps snapshots', async () => {
    const path = await create(ask)
    await ask('PUT', '/__admin/snapshots/before')
    await ask('PUT', '/__admin/scenarios/mine', {
      json: { description: 'x', rules: [{ effect: { answer: { status: 418 } } }] },
    })
    await ask('PUT', '/__admin/scenarios/active', { json: { active: ['mine'] } })
    expect((await ask('GET', path)).status).toBe(418)
    expect((await ask('POST', '/__admin/reset')).status).toBe(200)
    expect((await ask('GET', path)).status).toBe(404)
    expect((await ask('GET', '/__admin/scenarios')).text).not.toContain('"mine"')
    expect((await ask('GET', '/__admin/requests')).body).toMatchObject({ meta: { total: 1 } })
    expect((await ask('GET', '/__admin/snapshots')).text).toContain('"before"')
  })

  it('leaves other sessions alone', async () => {
    const path = await create(ask, '/@other')
    await ask('POST', '/__admin/reset')
    expect((await ask('GET', path)).status).toBe(200)
  })
})

describe('a shutdown', () => {
  it('is confirmed before it happens', async () => {
    const onShutdown = vi.fn()
    const own = await createAsk({ onShutdown })
    expect((await own.ask('POST', '/__admin/shutdown')).status).toBe(200)
    await vi.waitFor(() => expect(onShutdown).toHaveBeenCalledOnce(), PATIENCE)
  })

  it('is refused if the mock is embedded in another process', async () => {
    expect((await ask('POST', '/__admin/shutdown')).status).toBe(501)
  })
})
