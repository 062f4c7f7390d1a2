import { describe, expect, it, vi } from 'vitest'
import { SetupError } from '../../../src/index.ts'
import type { SessionHandle } from '../../../src/index.ts'
import { createMock } from '../../../src/mock.ts'
import { hosts } from './session-handles.ts'

const draft = (key: string) => ({ key, objectTypeProperty: { arrayOfStringExample: [key] } })

const post = (session: SessionHandle, path: string, body: unknown) =>
  session.fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

async function keysOf(session: SessionHandle, path = '/acme/resource'): Promise<readonly (string | undefined)[]> {
  const response = await session.fetch(path)
  const { results } = (await response.json()) as { results: { key?: string }[] }
  return results.map(({ key }) => key)
}

/** Creates a resource, and returns its path. */
async function create(session: SessionHandle, key: string): Promise<string> {
  const response = await post(session, '/acme/resource', draft(key))
  return response.headers.get('Location') ?? expect.fail(`nothing was created: ${response.status}`)
}

const update = (session: SessionHandle, path: string, version: number) =>
  post(session, path, { version, actions: [{ action: 'doSomeThing' }] })

describe.each(Object.entries(hosts))('a session %s', (_where, open) => {
  it('has a base URL for its requests', async () => {
    const { url, session } = await open()
    const one = session('one')
    expect([one.name, one.url]).toEqual(['one', `${url}/@one`])
    const response = await one.fetch(`${one.url}/acme/resource`)
    expect(response.status).toBe(200)
    expect(await one.requests()).toMatchObject([{ session: 'one', url: '/@one/acme/resource' }])
  })

  it('lists its requests in the order in which they came, also those of several pages', async () => {
    const { session } = await open()
    const one = session('one')
    for (let at = 0; at < 250; at += 1) await one.fetch(`/acme/resource/${at}`)
    expect((await one.requests()).map(({ url }) => Number(url.split('/').at(-1)))).toEqual(
      Array.from({ length: 250 }, (_, at) => at),
    )
    await one.fetch('/acme/resource/250')
    const found = await one.requests({ urlPathPattern: '/acme/resource/(0|1|250)' })
    expect(found).toHaveLength(3)
    expect(await one.requests()).toHaveLength(251)
  })

  it('lists the versions of a resource', async () => {
    const { session } = await open()
    const one = session('one')
    const path = await create(one, 'mine')
    await update(one, path, 1)
    const id = path.split('/').at(-1) ?? ''
    const [entry] = await one.requests({ method: 'POST', urlPathPattern: '.*/resource/.*' })
    const writer = { kind: 'request', request: entry?.id }
    expect(await one.versions(id)).toMatchObject([
      { version: 2, kind: 'put', writer, resource: { key: 'mine', version: 2 } },
      { version: 1, kind: 'put' },
    ])
    expect(await one.versions(id, { projectKey: 'acme' })).toHaveLength(2)
    await expect(one.versions('none')).rejects.toThrow('never had a resource with the id "none"')
  })

  it('can belong to a test, whose requests stay readable', async () => {
    const { session } = await open()
    const one = session('one')
    const info = { run: 'r1', title: ['saves'], file: 'save.test.ts', line: 3 }
    await one.test(info)
    await one.fetch('/acme/resource')
    await one.test(info, { status: 'passed', duration: 12.5 })
    await expect(one.test({ ...info, line: 4 })).rejects.toThrow('The session "one" belongs to the test "saves"')
    await one.close()
    const read = await session('other').fetch('/__admin/requests?session=one')
    expect(await read.json()).toMatchObject({ meta: { total: 1 } })
  })

  it('starts and ends with its test, with scenarios, clock and coverage', async () => {
    const { session } = await open()
    const one = session('one')
    const info = { run: 'r1', title: ['saves'], file: 'save.test.ts', line: 3 }
    const now = new Date('2030-01-31T12:00:00Z')
    await one.test(info, { scenarios: ['unavailable'], clock: { now } })
    expect((await one.fetch('/acme/resource')).status).toBe(503)
    expect(await one.clock.now()).toMatch(/^2030-01-31T12:00/)
    const report = { status: 'failed', duration: 12.5, coverage: true, end: 'final' } as const
    const { requests, failures, coverage } = await one.test(info, report)
    expect([requests, failures, coverage?.summary.operations.met]).toEqual([1, 1, 1])
    await expect(one.use('slow')).rejects.toThrow('The session "one" was permanently deleted')
    await expect(session('other').test(info, { scenarios: ['conflit'] })).rejects.toThrow('Did you mean "conflict"?')
  })

  it('is isolated from others', async () => {
    const { session } = await open()
    const [one, other] = [session('one'), session('other')]
    const path = await create(one, 'mine')
    expect((await one.fetch(path)).status).toBe(200)
    expect((await other.fetch(path)).status).toBe(404)
    expect(await other.requests({ method: 'POST' })).toEqual([])
  })

  it.each<readonly [string, (url: string) => string | URL | Request, string]>([
    ['a path', () => '/acme/resource', '/acme/resource'],
    ['a path without a leading slash', () => 'acme/resource', '/acme/resource'],
    ['an absolute URL', (url) => `${url}/acme/resource`, '/acme/resource'],
    ['a URL object', (url) => new URL('/acme/resource', url), '/acme/resource'],
    ['a request', (url) => new Request(`${url}/acme/resource`), '/acme/resource'],
    ['a path with a region', () => '/eu/gcp/acme/resource', '/eu/gcp/acme/resource'],
  ])('sends %s in its session', async (_what, toInput, sent) => {
    const { url, session } = await open()
    const one = session('one')
    expect((await one.fetch(toInput(url))).status).toBe(200)
    expect(await one.requests()).toMatchObject([{ session: 'one', url: sent, response: { status: 200 } }])
  })

  it('runs scenarios by name, and restarts them at each selection', async () => {
    const { session } = await open()
    const one = session('one')
    const path = await create(one, 'shirt')
    for (const version of [1, 3]) {
      await one.use('conflict-once')
      expect((await update(one, path, version)).status).toBe(409)
      expect((await update(one, path, version + 1)).status).toBe(200)
    }
    await one.use('unavailable')
    await one.use()
    expect((await one.fetch(path)).status).toBe(200)
  })

  it('runs inline scenarios next to named ones', async () => {
    const { session } = await open({ scenario: 'unavailable' })
    const one = session('one')
    await one.use('large-catalog', { rules: [{ effect: { answer: { status: 502 } } }] })
    const response = await one.fetch('/acme/resource')
    expect([response.status, response.headers.get('X-Mock-Scenario')]).toEqual([502, 'large-catalog, inline-2'])
    await one.use({ name: 'teapot', description: 'Tea', rules: [{ effect: { answer: { status: 418 } } }] })
    expect((await one.fetch('/acme/resource')).headers.get('X-Mock-Scenario')).toBe('teapot')
    await one.reset()
    expect((await one.fetch('/acme/resource')).headers.get('X-Mock-Scenario')).toBe('unavailable')
  })

  it('returns its requests with their responses, the oldest first', async () => {
    const { session } = await open()
    const one = session('one')
    const path = await create(one, 'shirt')
    await one.fetch(path)
    await one.fetch('/acme/resource/nothing')
    expect((await one.requests()).map(({ method, response }) => [method, response.status])).toEqual([
      ['POST', 201],
      ['GET', 200],
      ['GET', 404],
    ])
    const [created] = await one.requests({ bodyPatterns: [{ contains: 'shirt' }] })
    expect(created).toMatchObject({ operation: 'createResource', projectKey: 'acme', url: '/acme/resource' })
    expect(JSON.parse(created?.body ?? '')).toEqual(draft('shirt'))
    expect(created?.response.headers).toMatchObject({ location: path })
    expect(await one.requests({ operation: 'deleteResource' })).toEqual([])
  })

  it('can be restored to a snapshot repeatedly', async () => {
    const { session } = await open()
    const one = session('one')
    const path = await create(one, 'shirt')
    const [snapshot, named] = [await one.snapshot(), await one.snapshot('named')]
    expect(snapshot).toEqual({ name: expect.stringMatching(/^[\w-]{36}$/), takenAt: expect.any(String), projects: 1 })
    expect(named.name).toBe('named')
    for (const back of [snapshot, 'named', snapshot]) {
      expect((await one.fetch(path, { method: 'DELETE' })).status).toBe(200)
      await one.restore(back)
      expect((await one.fetch(path)).status).toBe(200)
    }
  })

  it('can be seeded in every project, and reset to the fixtures', async () => {
    const { session } = await open()
    const [one, other] = [session('one'), session('other')]
    const fixtures = await keysOf(other)
    await create(one, 'before')
    await one.seed([draft('linen-shirt'), { ...draft('wool-hat'), id: 'hat', version: 7 }])
    for (const path of ['/acme/resource', '/other/resource', '/eu/gcp/acme/resource'])
      expect(await keysOf(one, path)).toEqual(['linen-shirt', 'wool-hat'])
    expect((await one.fetch('/acme/resource/hat')).headers.get('ETag')).toBe('"7"')
    await create(one, 'after')
    expect(await keysOf(one)).toEqual(['linen-shirt', 'wool-hat', 'after'])
    expect(await keysOf(one, '/other/resource')).toEqual(['linen-shirt', 'wool-hat'])
    expect(await keysOf(other)).toEqual(fixtures)
    await one.reset()
    expect(await keysOf(one)).toEqual(fixtures)
  })

  it('keeps its seed in a snapshot', async () => {
    const { session } = await open()
    const one = session('one')
    await one.seed([draft('linen-shirt')])
    const snapshot = await one.snapshot()
    await one.reset()
    await one.restore(snapshot)
    expect(await keysOf(one)).toEqual(['linen-shirt'])
  })

  it('can be seeded in one project only', async () => {
    const { session } = await open()
    const one = session('one')
    const fixtures = await keysOf(one)
    await one.seed([], { projectKey: 'acme' })
    await one.seed([draft('hat')], { projectKey: 'a/b', region: 'eu', cloudProvider: 'gcp' })
    expect(await keysOf(one)).toEqual([])
    expect(await keysOf(one, '/eu/gcp/a%2Fb/resource')).toEqual(['hat'])
    expect(await keysOf(one, '/eu/gcp/acme/resource')).toEqual(fixtures)
  })

  it('accepts responses of the mock as a seed, int64 exact', async () => {
    const { session } = await open()
    const [one, other] = [session('one'), session('other')]
    const { results } = (await (await one.fetch('/acme/resource')).json()) as { results: [] }
    await other.seed(results)
    expect(await (await other.fetch('/acme/resource')).json()).toMatchObject({ results })
    await other.seed([{ id: 'big', objectTypeProperty: { arrayOfIntExample: [9223372036854775807n] } }])
    expect(await (await other.fetch('/acme/resource/big')).text()).toContain('9223372036854775807')
  })

  it('ends, and starts again on its next use', async () => {
    const { session } = await open()
    const one = session('one')
    await session('never-begun').close()
    const path = await create(one, 'shirt')
    await one.close()
    await one.close()
    expect((await one.fetch(path)).status).toBe(404)
    expect(await one.requests()).toHaveLength(1)
  })

  it('rejects like fetch after a broken connection or an abort', async () => {
    const { session } = await open()
    const one = session('one')
    await one.use('offline')
    await expect(one.fetch('/acme/resource')).rejects.toThrow('fetch failed')
    await one.use({ rules: [{ effect: { delay: { fixedDelayMilliseconds: 60_000 } } }] })
    const aborting = new AbortController()
    const waiting = one.fetch('/acme/resource', { signal: aborting.signal })
    aborting.abort(new Error('nobody waits'))
    await expect(waiting).rejects.toThrow('nobody waits')
    await expect(one.fetch('/acme/resource', { signal: aborting.signal })).rejects.toThrow('nobody waits')
  })

  it('sends the admin token', async () => {
    const { session } = await open({ adminToken: 'guess-me' })
    const one = session('one')
    await one.use('empty')
    expect(await keysOf(one)).toEqual([])
  })

  it.each<readonly [string, (session: SessionHandle) => Promise<unknown>, string]>([
    ['an unknown scenario', (one) => one.use('conflit'), 'Unknown scenario "conflit". Did you mean "conflict"?'],
    [
      'an invalid definition',
      // @ts-expect-error -- as a caller without a compiler may pass it
      (one) => one.use({ rules: [{ effect: { delai: 1 } }] }),
      'Malformed scenario: rules[0].effect.delai: unknown member "delai". Did you mean "delay"?',
    ],
    ['an invalid name', (one) => one.use({ name: 'a b', rules: [] }), 'Invalid scenario name "a b".'],
    [
      'an invalid pattern',
      // @ts-expect-error -- as a caller without a compiler may pass it
      (one) => one.requests({ methode: 'GET' }),
      'Malformed pattern: request: unknown member "methode". Did you mean "method"?',
    ],
    [
      'an invalid record',
      // @ts-expect-error -- as a caller without a compiler may pass it
      (one) => one.seed([{ key: 'hat' }]),
      'Malformed records: [0].objectTypeProperty',
    ],
    [
      'an invalid record for one project',
      // @ts-expect-error -- as a caller without a compiler may pass it
      (one) => one.seed([{ key: 'hat' }], { projectKey: 'acme' }),
      'Malformed records: [0].objectTypeProperty',
    ],
    [
      'undefined as records',
      // @ts-expect-error -- as a caller without a compiler may pass it
      (one) => one.seed({ key: 'hat' }),
      'seed() got {"key":"hat"}, which is not an array of records.',
    ],
    [
      'a place without a project key',
      // @ts-expect-error -- as a caller without a compiler may pass it
      (one) => one.seed([], { project: 'acme' }),
      'seed() got the project {"project":"acme"}. Pass { projectKey: \'acme\' }',
    ],
    [
      'scenarios in an array',
      // @ts-expect-error -- as a caller without a compiler may pass it
      (one) => one.use(['slow', 'conflict']),
      'use() got ["slow","conflict"], which is not a scenario. Spread the array: use(\'slow\', \'conflict\').',
    ],
    [
      'undefined as a scenario',
      // @ts-expect-error -- as a caller without a compiler may pass it
      (one) => one.use(undefined),
      'use() got undefined, which is not a scenario. Pass names, or no arguments to deactivate all scenarios',
    ],
    [
      'a RegExp object',
      // @ts-expect-error -- as a caller without a compiler may pass it
      (one) => one.requests({ urlPathPattern: /\d+/ }),
      String.raw`/\d+/ cannot be sent as JSON. Pass its source as a string: "\\d+".`,
    ],
    [
      'an invalid snapshot',
      // @ts-expect-error -- as a caller without a compiler may pass it
      (one) => one.restore(undefined),
      'restore() got undefined, which is not a snapshot.',
    ],
    ['two records with the same key', (one) => one.seed([draft('hat'), draft('hat')]), '"hat" is already the key of'],
    [
      'an incomplete base URL',
      (one) => one.seed([], { projectKey: 'acme', region: 'eu' }),
      'The parameter region requires cloudProvider.',
    ],
    ['an unknown snapshot', (one) => one.restore('x'), 'The session "one" has no snapshot "x".'],
    ['an invalid snapshot name', (one) => one.snapshot('a b'), 'Invalid snapshot name "a b".'],
    [
      'a circular reference',
      (one) => {
        const records: unknown[] = []
        records.push(records)
        // @ts-expect-error -- as a caller without a compiler may pass it
        return one.seed(records)
      },
      'The value cannot be sent as JSON, or contains itself.',
    ],
  ])('refuses %s with a message, and stays unchanged', async (_what, act, sentence) => {
    const { session } = await open()
    const one = session('one')
    await one.use('empty')
    const refused = act(one)
    await expect(refused).rejects.toThrow(SetupError)
    await expect(refused).rejects.toThrow(sentence)
    expect(await keysOf(one)).toEqual([])
  })

  it.each(['', 'a b', 'a/b', 'x'.repeat(65)])('cannot have the name %j', async (name) => {
    const { session } = await open()
    expect(() => session(name)).toThrow(SetupError)
    expect(() => session(name)).toThrow(/^Invalid session name .*Use 1 to 64 of/)
  })
})

describe('a mock in-process', () => {
  it.each<readonly [string, string | URL | Request]>([
    ['a path', '/acme/resource'],
    ['an address', 'https://api.example.com/acme/resource'],
    ['a URL object', new URL('https://api.example.com/acme/resource')],
    ['a request', new Request('https://api.example.com/acme/resource')],
  ])('responds to %s, like fetch', async (_what, input) => {
    const mock = await createMock({ auth: 'off' })
    const [plain, bent] = [
      await mock.fetch(input),
      await mock.fetch(input, { headers: { 'X-Mock-Scenario': 'empty' } }),
    ]
    expect([plain.status, bent.headers.get('X-Mock-Scenario')]).toEqual([200, 'empty'])
  })

  it('rejects like fetch if a request is aborted', async () => {
    const mock = await createMock({ auth: 'off', delay: { from: 60_000, to: 60_000 } })
    const aborting = new AbortController()
    const { signal } = aborting
    const waiting = [mock.fetch('/acme/resource', { signal }), mock.fetch(new Request('http://mock/', { signal }))]
    aborting.abort(new Error('nobody waits'))
    for (const answer of waiting) await expect(answer).rejects.toThrow('nobody waits')
    await expect(mock.fetch('/acme/resource', { signal })).rejects.toThrow('nobody waits')
  })

  it("responds to a polyfill's request, which has no signal", async () => {
    const mock = await createMock({ auth: 'off' })
    const ask = async (path: string, headers: Record<string, string> = {}) => {
      const request = Object.defineProperty(new Request(`http://mock${path}`, { headers }), 'signal', { value: null })
      return (await mock.fetch(request)).status
    }
    expect(await ask('/acme/resource', { 'X-Mock-Delay': '1' })).toBe(200)
    expect(await ask('/__admin/events')).toBe(200)
    await mock.close()
  })

  it('refuses a session name that is not a string', async () => {
    const mock = await createMock()
    // @ts-expect-error -- as a caller without a compiler may pass it
    expect(() => mock.session(undefined)).toThrow('Invalid session name undefined. Pass a string.')
  })
})

describe('a session in-process', () => {
  it('is called without a line in the log, and without a request in the journal', async () => {
    const onRequest = vi.fn()
    const mock = await createMock({ auth: 'off', onRequest })
    const one = mock.session('one')
    await one.use('slow')
    await one.use()
    await one.fetch('/acme/resource')
    await one.reset()
    expect(await one.requests()).toEqual([])
    expect(onRequest).toHaveBeenCalledTimes(1)
  })

  it('restores its seed if the state is persisted', async () => {
    let kept: string | undefined
    const persistence = {
      read: async () => kept,
      write: async (text: string) => {
        kept = text
      },
    }
    const mock = await createMock({ auth: 'off', persistence })
    await mock.session('one').seed([draft('linen-shirt')])
    await mock.close()
    const next = await createMock({ auth: 'off', persistence })
    expect(await keysOf(next.session('one'))).toEqual(['linen-shirt'])
  })

  it('is listed with its written projects, without its seed', async () => {
    const one = (await createMock({ auth: 'off' })).session('one')
    await one.seed([draft('linen-shirt')])
    await create(one, 'wool-hat')
    const { sessions } = (await (await one.fetch('/__admin/sessions')).json()) as { sessions: unknown[] }
    expect(sessions).toMatchObject([{ name: 'one', projects: [{ baseUrl: '', projectKey: 'acme' }] }])
  })

  it('has the configured address', async () => {
    const mock = await createMock()
    const one = mock.session('one')
    mock.setUrl('http://localhost:5173/mock/')
    expect(one.url).toBe('http://localhost:5173/mock/@one')
  })

  it('is the default one by that name', async () => {
    const mock = await createMock({ auth: 'off' })
    await mock.session('default').use('empty')
    const response = await mock.fetch(new Request('http://mock/acme/resource'))
    expect(await response.json()).toMatchObject({ results: [] })
  })
})
