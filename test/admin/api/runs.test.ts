import { beforeEach, describe, expect, it } from 'vitest'
import { create, createAsk, update } from './ask.ts'
import type { Ask } from './ask.ts'

const START = { run: 'r1', title: ['shop', 'saves a product'], file: 'shop.spec.ts', line: 12, worker: 2, retry: 0 }
const PASSED = { ...START, status: 'passed', duration: 250 }
const FAILED = { ...START, status: 'failed', duration: 900, error: 'expected 200, got 409' }

let ask: Ask
beforeEach(async () => {
  ask = (await createAsk()).ask
})

interface Listed {
  readonly id: string
  readonly session: string
  readonly archive: string
}

const put = (session: string, json: object) => ask('PUT', `/__admin/sessions/${session}/test`, { json })

/** Reports a test from start to end, with one request in between. */
async function runTest(session: string, outcome: object): Promise<void> {
  const { status: _status, duration: _duration, error: _error, ...start } = outcome as typeof FAILED
  expect((await put(session, start)).status).toBe(200)
  await ask('GET', `/@${session}/acme/resource/none?session=${session}`)
  expect((await put(session, outcome)).status).toBe(200)
  await ask('DELETE', `/__admin/sessions/${session}`)
}

async function listTests(run = 'r1'): Promise<readonly Listed[]> {
  const { body } = await ask('GET', `/__admin/runs/${run}`)
  return (body as { readonly tests: readonly Listed[] }).tests
}

async function findId(session: string): Promise<string> {
  const tests = await listTests()
  return tests.find((test) => test.session === session)?.id ?? expect.fail(`no test in ${session}`)
}

const urlsOf = async (session: string) => {
  const { status, body } = await ask('GET', `/__admin/requests?session=${session}`)
  expect(status).toBe(200)
  const { requests } = body as { readonly requests: readonly { readonly request: { readonly url: string } }[] }
  return requests.map(({ request }) => request.url)
}

describe('the test of a session', () => {
  it('is reported at its start and its end', async () => {
    const started = await put('a', START)
    expect([started.status, started.body]).toEqual([
      200,
      {
        ...START,
        id: expect.stringMatching(/^a~[\da-f]{8}$/),
        session: 'a',
        startedAt: expect.stringMatching(/^\d{4}-/),
        requests: 0,
        failures: 0,
        scenarios: [],
        responses: [],
        archive: 'live',
      },
    ])
    await ask('PUT', '/@a/__admin/scenarios/active', { json: { active: ['unavailable'] } })
    await ask('GET', '/@a/acme/resource')
    await put('a', FAILED)
    expect((await ask('GET', '/__admin/sessions/a/test')).body).toMatchObject({
      ...FAILED,
      endedAt: expect.stringMatching(/^\d{4}-/),
      requests: 1,
      failures: 1,
      scenarios: ['unavailable'],
    })
    const { body } = await ask('GET', '/__admin/sessions')
    expect(body).toMatchObject({
      sessions: expect.arrayContaining([expect.objectContaining({ name: 'a', test: await findId('a') })]),
    })
  })

  it('reports its responses by operation and status, and which failures were retried', async () => {
    await put('a', START)
    await ask('GET', '/@a/acme/resource/none')
    for (const version of [9, 9, 3])
      await update(ask, `/@a/acme/resource/df3775a4-90ef-4965-b751-d48698f3949f`, version)
    const operation = { operation: 'updateResource', method: 'POST' }
    expect((await ask('GET', '/__admin/sessions/a/test')).body).toMatchObject({
      responses: [
        { operation: 'getResourceById', method: 'GET', status: 404, count: 1, retried: 0 },
        { ...operation, status: 409, count: 2, retried: 2 },
        { ...operation, status: 200, count: 1, retried: 0 },
      ],
    })
  })

  it('starts and ends in one request each, with everything that belongs to it', async () => {
    const scenarios = ['unavailable']
    const now = '2030-01-31T12:00:00.000Z'
    const started = await put('a', { ...START, scenarios, clock: { now } })
    expect(started.status).toBe(200)
    expect((await ask('GET', '/@a/__admin/scenarios/active')).body).toEqual({ active: scenarios })
    expect((await ask('GET', '/@a/__admin/clock')).text).toContain('2030-01-31T12:00')
    await ask('GET', '/@a/acme/resource')
    const ended = await put('a', { ...FAILED, coverage: true, end: 'final' })
    expect(ended.body).toMatchObject({
      ...FAILED,
      requests: 1,
      failures: 1,
      archive: 'archived',
      coverage: { operations: expect.arrayContaining([expect.objectContaining({ id: 'queryResources', met: 1 })]) },
    })
    expect((await ask('GET', '/@a/acme/resource')).text).toContain('was permanently deleted')
    expect(await urlsOf('a')).toEqual(['/@a/acme/resource'])
  })

  it.each(['deleted', 'final'])('may end its session: %s', async (end) => {
    await put('a', START)
    expect((await put('a', { ...PASSED, end })).body).toMatchObject({ status: 'passed', archive: 'archived' })
    expect((await ask('GET', '/__admin/sessions')).body).toMatchObject({ sessions: [{ name: 'default' }] })
    expect((await ask('GET', '/@a/acme/resource')).status).toBe(end === 'final' ? 400 : 200)
  })

  it.each([
    [{ scenarios: ['conflit'] }, 'Did you mean \\"conflict\\"?'],
    [{ clock: { now: 'noon' } }, '\\"now\\" must be'],
    [{ clock: '2030-01-31T12:00:00Z' }, 'clock'],
    [{ end: 'never' }, 'end'],
  ])('says what cannot go with it: %j', async (more, sentence) => {
    const { status, text } = await put('a', { ...START, ...more })
    expect([status, text]).toEqual([400, expect.stringContaining(sentence)])
  })

  it('cannot end the session that everyone shares', async () => {
    const { status, text } = await put('default', { ...PASSED, end: 'final' })
    expect([status, text]).toEqual([400, expect.stringContaining('is shared by everyone')])
  })

  it('shows the latest request without a session, so a runner sees one that lost its own', async () => {
    const latest = async () => (await put('a', START)).body as { readonly latestDefaultRequest?: string }
    expect(await latest()).not.toHaveProperty('latestDefaultRequest')
    await ask('GET', '/acme/resource')
    const { body } = await ask('GET', '/__admin/requests?limit=1')
    const [{ id }] = (body as { readonly requests: readonly [{ readonly id: string }] }).requests
    expect(await latest()).toMatchObject({ latestDefaultRequest: id })
    await ask('GET', '/@a/acme/resource')
    expect(await latest()).toMatchObject({ latestDefaultRequest: id })
  })

  it('cannot be replaced while the session exists', async () => {
    await put('a', START)
    const { status, text } = await put('a', { ...START, title: ['another'] })
    expect([status, text]).toEqual([409, expect.stringContaining('belongs to the test \\"shop › saves a product\\"')])
    await ask('DELETE', '/__admin/sessions/a')
    expect((await put('a', { ...START, title: ['another'] })).status).toBe(200)
  })

  it.each([
    [{ ...START, line: -1 }, 'line'],
    [{ ...START, title: [] }, 'title'],
    [{ ...START, run: 'x'.repeat(201) }, 'run'],
    [{ ...START, run: undefined }, 'run'],
    [{ ...START, status: 'broken', duration: 1 }, 'status'],
    [{ ...START, status: 'passed' }, 'duration is missing'],
    [{ ...START, error: 'x'.repeat(10_001), status: 'failed', duration: 1 }, 'error'],
    [{ ...START, lines: 1 }, 'lines: unknown member'],
  ])('is refused if it is malformed: %#', async (json, sentence) => {
    const { status, text } = await put('a', json)
    expect([status, text]).toEqual([400, expect.stringContaining(sentence)])
  })

  it('is a 404 for a session without one', async () => {
    const { status, text } = await ask('GET', '/__admin/sessions/a/test')
    expect([status, text]).toEqual([404, expect.stringContaining('belongs to no test')])
  })

  it('is published when it changes', async () => {
    const { mock, ...asking } = await createAsk()
    ask = asking.ask
    const response = await mock.fetch('/__admin/events?session=*')
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    await runTest('a', PASSED)
    await ask('DELETE', '/__admin/runs/r1')
    let text = ''
    while (!text.includes('"removed":true')) text += (await reader?.read())?.value ?? expect.fail('The stream ended.')
    await reader?.cancel()
    const tests = [...text.matchAll(/^event: test\ndata: (.*)$/gm)].map(([, data = '']) => JSON.parse(data).test)
    expect(tests.map(({ status = 'running', archive }) => `${status} ${archive}`)).toEqual([
      'running live',
      'passed live',
      'passed archived',
    ])
    expect(text).toContain('event: run\ndata: {"session":"*","run":"r1","removed":true}')
  })
})

describe('runs', () => {
  it('are listed with counts, the last one first', async () => {
    await runTest('a', PASSED)
    await runTest('b', { ...FAILED, run: 'r2' })
    await put('c', { ...START, run: 'r2', title: ['another'] })
    const { body } = await ask('GET', '/__admin/runs')
    const none = { passed: 0, failed: 0, flaky: 0, skipped: 0, interrupted: 0, running: 0 }
    expect(body).toEqual({
      runs: [
        { run: 'r2', startedAt: expect.any(String), counts: { ...none, tests: 2, failed: 1, running: 1, attempts: 2 } },
        {
          run: 'r1',
          startedAt: expect.any(String),
          endedAt: expect.any(String),
          counts: { ...none, tests: 1, passed: 1, attempts: 1 },
        },
      ],
    })
  })

  it.each([
    [[FAILED, PASSED], { flaky: 1 }],
    [[FAILED, { ...FAILED, status: 'timedOut' }], { failed: 1 }],
    [[START, PASSED], { flaky: 1 }],
    [[PASSED, PASSED], { passed: 1 }],
    [[FAILED, START], { interrupted: 1 }],
    [[{ ...FAILED, status: 'interrupted' }], { interrupted: 1 }],
    [[{ ...PASSED, status: 'skipped' }], { skipped: 1 }],
  ])('count a test once, by its last attempt: %#', async (attempts, counted) => {
    for (const [retry, attempt] of attempts.entries()) await runTest('a', { ...attempt, retry })
    const { body } = await ask('GET', '/__admin/runs/r1')
    const none = { passed: 0, failed: 0, flaky: 0, skipped: 0, interrupted: 0, running: 0 }
    expect((body as { counts: unknown }).counts).toEqual({ ...none, ...counted, tests: 1, attempts: attempts.length })
  })

  it('list their tests, with every retry', async () => {
    await runTest('a', FAILED)
    await runTest('a', { ...PASSED, retry: 1, project: 'chromium', variant: 'slow network' })
    expect(await listTests()).toMatchObject([
      { session: 'a', retry: 0, status: 'failed', error: 'expected 200, got 409', requests: 1, archive: 'archived' },
      { session: 'a', retry: 1, status: 'passed', project: 'chromium', variant: 'slow network', archive: 'archived' },
    ])
  })

  it('can be deleted with the archive of their sessions', async () => {
    await runTest('a', PASSED)
    const id = await findId('a')
    expect((await ask('DELETE', '/__admin/runs/r1')).status).toBe(200)
    expect((await ask('GET', '/__admin/runs')).body).toEqual({ runs: [] })
    expect((await ask('GET', `/__admin/requests?session=${id}`)).status).toBe(400)
  })

  it('that are unknown get a 404 with a suggestion', async () => {
    await put('a', START)
    for (const method of ['GET', 'DELETE']) {
      const { status, text } = await ask(method, '/__admin/runs/r2')
      expect([status, text]).toEqual([404, expect.stringContaining('Did you mean \\"r1\\"?')])
    }
  })
})

describe('the archive', () => {
  /** A session with a conflict, in the archive. */
  async function archiveConflict(query = ''): Promise<string> {
    await put('a', START)
    const path = await create(ask, '/@a', 'lamp')
    await update(ask, path, 1)
    await update(ask, path, 1)
    await put('a', FAILED)
    await ask('DELETE', `/__admin/sessions/a${query}`)
    return path.split('/').at(-1) ?? ''
  }

  it.each(['', '?final=true'])(
    'keeps what a deleted session saw, readable by its name and its id: %s',
    async (query) => {
      await archiveConflict(query)
      for (const prefix of ['/@a', `/@${await findId('a')}`]) {
        const { body } = await ask('GET', `${prefix}/__admin/requests?filter=${encodeURIComponent('status:409')}`)
        const { requests, meta } = body as {
          readonly requests: readonly { readonly id: string }[]
          readonly meta: object
        }
        expect(meta).toEqual({ total: 1, kept: 3, dropped: 0 })
        const [conflict = expect.fail('no conflict')] = requests
        expect((await ask('GET', `${prefix}/__admin/requests/${conflict.id}`)).status).toBe(200)
        expect((await ask('GET', `${prefix}/__admin/requests/${conflict.id}/explanation`)).body).toMatchObject({
          sentence: expect.stringMatching(
            /^You sent version 1, but version 2 had been current since .*written by POST/,
          ),
        })
        expect((await ask('GET', `${prefix}/__admin/requests.har`)).body).toMatchObject({
          log: { entries: { length: 3 } },
        })
        expect((await ask('GET', `${prefix}/__admin/requests/unmatched`)).status).toBe(200)
        expect((await ask('GET', `${prefix}/__admin/pact?consumer=a&provider=b`)).status).toBe(200)
        expect((await ask('GET', `${prefix}/__admin/coverage`)).body).toMatchObject({
          recoveries: expect.arrayContaining([expect.objectContaining({ kind: 'conflict', failed: 1 })]),
        })
      }
    },
  )

  it('has the requests that a filter finds by the title of their test', async () => {
    await archiveConflict()
    await put('b', { ...START, title: ['another test'] })
    await ask('GET', '/@b/acme/resource')
    const find = async (filter: string) =>
      (await ask('GET', `/__admin/requests?session=*&summary=true&${new URLSearchParams({ filter })}`)).body
    const id = await findId('a')
    expect(await find('test:"saves a product" status:409')).toMatchObject({
      requests: [{ session: id, status: 409 }],
      meta: { total: 1, kept: 4 },
    })
    expect(await find('test:test')).toMatchObject({ requests: [{ session: 'b' }] })
    expect(await find('-test:"another test"')).toMatchObject({ meta: { total: 0, kept: 1 } })
    expect(await find('status:409')).toMatchObject({ meta: { total: 0, kept: 1 } })
    expect((await ask('GET', '/__admin/requests?session=*&filter=tset:a')).status).toBe(400)
  })

  it('keeps the versions of resources, including the last one', async () => {
    const id = await archiveConflict()
    const { body } = await ask('GET', `/@a/__admin/resources/${id}/versions`)
    expect(body).toMatchObject({ versions: [{ version: 2, writer: { kind: 'request' } }, { version: 1 }] })
    expect((await ask('GET', '/@a/__admin/requests?filter=resource:lamp')).body).toMatchObject({ meta: { total: 3 } })
    const written = { id, key: 'lamp', version: 2, versions: 2 }
    expect((await ask('GET', '/@a/__admin/resources')).body).toMatchObject({ resources: [written], meta: { total: 1 } })
  })

  it('keeps the active scenarios and their counters', async () => {
    await put('a', START)
    const definition = { description: 'Tea', rules: [{ times: 1, effect: { answer: { status: 418 } } }] }
    await ask('PUT', '/@a/__admin/scenarios/teapot', { json: definition })
    await ask('PUT', '/@a/__admin/scenarios/active', { json: { active: ['teapot'] } })
    await ask('GET', '/@a/acme/resource')
    const before = (await ask('GET', '/@a/__admin/scenarios')).body
    await ask('DELETE', '/__admin/sessions/a')
    expect((await ask('GET', '/@a/__admin/scenarios')).body).toEqual(before)
    expect(JSON.stringify(before)).toContain('"seen":1')
  })

  it.each(['/state', '/state/acme', '/snapshots', '/images', '/clock', '/state/acme/resources/1'])(
    'answers 410 for what has not been kept: %s',
    async (path) => {
      await archiveConflict()
      const { status, text } = await ask('GET', `/@a/__admin${path}`)
      expect([status, text]).toEqual([410, expect.stringContaining('are in the archive')])
    },
  )

  it('is read-only', async () => {
    await archiveConflict()
    const id = await findId('a')
    for (const [method, path] of [
      ['POST', '/__admin/reset'],
      ['DELETE', '/__admin/requests'],
      ['PUT', '/__admin/scenarios/active/slow'],
    ] as const) {
      const { status, text } = await ask(method, `/@${id}${path}`)
      expect([status, text]).toEqual([410, expect.stringContaining('use the name \\"a\\"')])
    }
    expect((await ask('GET', `/@${id}/acme/resource`)).status).toBe(400)
    expect(await urlsOf(id)).toHaveLength(3)
    expect((await ask('POST', `/@${id}/__admin/requests/count`, { json: {} })).body).toMatchObject({ count: 3 })
  })

  it('gives way to a new session of the same name, and stays readable by id', async () => {
    await runTest('a', FAILED)
    const id = await findId('a')
    await ask('GET', '/@a/acme/resource/new')
    expect(await urlsOf('a')).toEqual([expect.stringContaining('/resource/new')])
    expect(await urlsOf(id)).toEqual([expect.stringContaining('?session=a')])
  })

  it('reads a session by the id of its test before it ends, too', async () => {
    await put('a', START)
    await ask('GET', '/@a/acme/resource')
    expect(await urlsOf(await findId('a'))).toHaveLength(1)
  })

  it('does not keep sessions without a test', async () => {
    await ask('GET', '/@a/acme/resource')
    await ask('DELETE', '/__admin/sessions/a')
    expect(await urlsOf('a')).toEqual([])
  })

  it('keeps a session that ended to make room for others', async () => {
    ask = (await createAsk({ maxSessions: 2, sessionTtl: 0 })).ask
    await put('a', START)
    await ask('GET', '/@a/acme/resource')
    for (const name of ['b', 'c']) await ask('GET', `/@${name}/acme/resource`)
    expect(await listTests()).toMatchObject([{ session: 'a', requests: 1, archive: 'archived' }])
    expect(await urlsOf('a')).toHaveLength(1)
  })

  it('evicts passed tests first, the oldest of them first, and failed tests last', async () => {
    ask = (await createAsk({ memory: '18kb' })).ask
    const outcomes = { a: FAILED, b: PASSED, c: PASSED, d: FAILED, e: PASSED, f: FAILED, g: FAILED }
    const evicted: Record<string, readonly string[]> = {}
    for (const [session, outcome] of Object.entries(outcomes)) {
      await runTest(session, outcome)
      evicted[session] = (await listTests()).filter(({ archive }) => archive === 'evicted').map((test) => test.session)
    }
    const order = Object.values(evicted).at(-1)
    expect(order).toEqual(expect.arrayContaining(['b', 'c', 'e']))
    expect(Object.values(evicted).find((names) => names.length > 0)).toEqual(['b'])
    const { status, text } = await ask('GET', '/__admin/requests?session=b')
    expect([status, text]).toEqual([410, expect.stringContaining('raise --memory')])
    expect((await ask('GET', '/__admin/runs?session=b')).status).toBe(200)
    expect(await listTests()).toHaveLength(7)
    const { text: metrics } = await ask('GET', '/__admin/metrics')
    const bytes = Number(/^resource_mock_memory_bytes\{use="tests"\} (\d+)$/m.exec(metrics)?.[1])
    expect(bytes).toBeGreaterThan(0)
    expect(bytes).toBeLessThanOrEqual(20 * 1024)
  })

  it('makes room before the requests of live sessions are dropped', async () => {
    ask = (await createAsk({ memory: '24kb' })).ask
    await runTest('a', FAILED)
    for (let at = 0; at < 30; at += 1) {
      await ask('GET', `/@${at === 0 ? 'default' : `s${at}`}/acme/resource/1`)
      const [test] = await listTests()
      expect((await ask('GET', '/__admin/requests')).body).toMatchObject({ meta: { dropped: 0 } })
      if (test?.archive === 'evicted') return
    }
    expect.fail('The archive is still there.')
  })

  it('hides the secrets of an error', async () => {
    const error = [
      'apiRequestContext.get: Timeout 700ms exceeded.',
      '  - → GET http://x/acme/resource?access_token=SECRET-Q',
      '    - Authorization: Bearer SECRET-A',
      '    - Cookie: sid=SECRET-C',
      `sent { "password": "SECRET-P", 'x-api-key': 'SECRET-K' }`,
    ].join('\n')
    await put('a', { ...FAILED, error })
    for (const path of ['runs/r1', 'share.html?session=a']) {
      expect((await ask('GET', `/__admin/${path}`)).text).not.toContain('SECRET')
    }
    expect((await ask('GET', '/__admin/runs/r1')).text).toContain('Authorization: Bearer [redacted]')
  })

  it.each([
    ['a path without spaces', '/'.repeat(10_000)],
    ['an image as text', `data:image/png;base64,${'AbCd/'.repeat(1900)}`],
    ['backslashes after a quote', `{ note: "${String.raw`\\\\`.repeat(20)}`],
    ['a line of dashes', '-'.repeat(10_000)],
    ['a long word', 'a'.repeat(10_000)],
  ])('keeps an error with %s', async (_what, error) => {
    expect(await put('a', { ...FAILED, error })).toMatchObject({ status: 200, body: { error } })
  })

  it('counts the scenarios that a session defined', async () => {
    ask = (await createAsk({ memory: '200kb' })).ask
    const json = { description: 'd', rules: [{ effect: { answer: { status: 500, body: 'x'.repeat(20_000) } } }] }
    for (const name of ['a', 'b', 'c', 'd']) {
      await put(name, PASSED)
      await ask('PUT', `/@${name}/__admin/scenarios/large`, { json })
      await ask('DELETE', `/__admin/sessions/${name}`)
    }
    const archives = (await listTests()).map(({ archive }) => archive)
    expect([archives[0], archives.at(-1)]).toEqual(['evicted', 'archived'])
  })
})
