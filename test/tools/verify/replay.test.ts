import { describe, expect, it } from 'vitest'
import { createMock } from '../../../src/mock.ts'
import type { Mock } from '../../../src/mock.ts'
import { parseArchive, readRun } from '../../../src/tools/verify/replay/recording.ts'
import { replayTests } from '../../../src/tools/verify/replay/replay.ts'
import { stringifyJson } from '../../../src/service/http/json.ts'
import { bendAnswers, operationOf } from './bends.ts'
import type { Bend } from './bends.ts'
import { createFetchTransport } from './fetch-transport.ts'
import { stranger } from './stranger.ts'
import { holdingsOf, sentencesOf, violationsOf, usual } from './verifier.ts'

const HEADERS = { Authorization: 'Bearer any', 'Content-Type': 'application/json' }

type Ask = (
  method: string,
  path: string,
  body?: object,
  headers?: Readonly<Record<string, string>>,
) => Promise<Response>

const askIn =
  (mock: Mock, session = ''): Ask =>
  (method, path, body, headers = {}) =>
    mock.fetch(`${session}${path}`, {
      method,
      headers: { ...HEADERS, ...headers },
      ...(body === undefined ? {} : { body: stringifyJson(body) }),
    })

const DRAFT = { key: 'new-hat', objectTypeProperty: { arrayOfStringExample: ["O'Brien"], arrayOfIntExample: [1] } }
const set = (someProperty: string) => ({ action: 'changeSomeProperty', someProperty })

/** What a test of an app does: it reads fixtures, creates, updates, meets a conflict and deletes. */
async function shop(ask: Ask): Promise<void> {
  const created = await ask('POST', '/acme/resource', DRAFT)
  const place = created.headers.get('Location') ?? ''
  await ask('GET', place)
  await ask('POST', place, { version: 1, actions: [set('a')] })
  await ask('POST', place, { version: 1, actions: [set('stale')] })
  await ask('GET', '/acme/resource/key=new-hat')
  await ask('GET', `/acme/resource?where=${encodeURIComponent('key = "new-hat"')}`)
  await ask('GET', '/acme/resource/key=oak-side-table')
  const page = (await (await ask('GET', '/acme/resource?limit=100')).json()) as {
    results: { id: string; version: number }[]
  }
  const [first] = page.results
  await ask('POST', `/acme/resource/${first?.id}`, { version: first?.version, actions: [set('b')] })
  await ask('POST', `/acme/resource/${first?.id}`, { version: first?.version, actions: [set('c')] })
  await ask('DELETE', `${place}?version=2`)
  await ask('GET', place)
  await ask('GET', '/acme/resource/key=nobody')
  await ask('GET', '/acme/resource/namespace-action-with-headers', undefined, {
    Accept: '*/*',
    'Storefront-Locale': 'de-DE',
  })
}

/** Records what a test does, as its HTTP Archive. */
async function record(act: (ask: Ask, mock: Mock) => Promise<void>): Promise<string> {
  const mock = await createMock()
  await act(askIn(mock), mock)
  return (await mock.fetch('/__admin/requests.har')).text()
}

async function replayOn(mock: Mock, har: string, bend: Bend = (one) => one) {
  const transport = createFetchTransport(bend((request) => mock.fetch(request)))
  return replayTests(parseArchive(har, 'tests.har'), { ...usual, transport })
}

const OTHER = JSON.stringify([{ key: 'other', objectTypeProperty: { arrayOfStringExample: ['other'] } }])
const otherMock = () => createMock({ auth: 'strict', fixtures: { 'resources.json': OTHER } })

describe('replay', () => {
  it('finds nothing in a mock with other data, and leaves nothing behind', async () => {
    const service = await otherMock()
    const before = await holdingsOf(await createMock({ fixtures: { 'resources.json': OTHER } }))
    const report = await replayOn(service, await record(shop))
    expect(sentencesOf(report)).toEqual([])
    expect(report.replay).toEqual({ requests: 14, tests: 1, alike: 14, otherwise: 0, leftOut: [] })
    expect(report.leftovers).toEqual([])
    const page = await service.fetch('/acme/resource?limit=0', { headers: { Authorization: 'Bearer view_test:acme' } })
    expect(await page.json()).toMatchObject({ total: before.length - 1 })
  })

  it('finds nothing in another correct implementation', async () => {
    const report = await replayOn(await otherMock(), await record(shop), stranger)
    expect(violationsOf(report)).toEqual([])
  })

  it('names the field in which a service lies, and the test', async () => {
    const bend = bendAnswers('getResourceByKey', ({ body }) => (body['objectTypeProperty']['arrayOfIntExample'] = [2]))
    const { mismatches, replay: counts } = await replayOn(await otherMock(), await record(shop), bend)
    expect(mismatches[0]).toMatchObject({ operation: 'getResourceByKey', test: 'default' })
    expect(mismatches[0]?.sentence).toContain('objectTypeProperty.arrayOfIntExample')
    expect(counts?.otherwise).toBeGreaterThan(0)
  })

  it('asks in the project of the run what the tests asked in theirs', async () => {
    const service = await otherMock()
    const projects = new Set<string | undefined>()
    const bend: Bend = (fetch) => (request) => {
      projects.add(/^\/([^/]+)\/resource/.exec(new URL(request.url).pathname)?.[1])
      return fetch(request)
    }
    const har = await record((ask) =>
      shop((method, path, ...rest) => ask(method, path.replace('/acme/', '/shop/'), ...rest)),
    )
    const report = await replayOn(service, har, bend)
    expect(sentencesOf(report)).toEqual([])
    expect(report.replay).toMatchObject({ requests: 14, alike: 14 })
    expect(projects.has('shop')).toBe(false)
  })

  it('waits for a service that is slower to agree', async () => {
    let isLate = false
    const bend: Bend = (fetch) => async (request) => {
      if (request.method === 'POST') isLate = true
      if (operationOf(request) !== 'queryResources' || !isLate) return fetch(request)
      isLate = false
      const url = new URL(request.url)
      url.searchParams.append('where', 'version = 99')
      return fetch(new Request(url, request))
    }
    expect(sentencesOf(await replayOn(await otherMock(), await record(shop), bend))).toEqual([])
  })

  it('finds a service that loses updates', async () => {
    const bend: Bend = (fetch) => async (request) => {
      const response = await fetch(request)
      return response.status === 409 ? new Response('{}', { status: 200 }) : response
    }
    const { mismatches } = await replayOn(await otherMock(), await record(shop), bend)
    expect(mismatches.map(({ sentence }) => sentence).join('\n')).toContain(
      'the mock answers 409, the service 200 (section 7, section 4.10, section 9)',
    )
  })

  it('asks for a conflict of a scenario with another write, and leaves other scenarios out', async () => {
    const har = await record(async (ask, mock) => {
      const place = (await ask('POST', '/acme/resource', DRAFT)).headers.get('Location') ?? ''
      await mock.session('default').use('conflict-once')
      await ask('POST', place, { version: 1, actions: [set('a')] })
      await mock.session('default').use('unavailable')
      await ask('GET', '/acme/resource/namespace-action')
    })
    const report = await replayOn(await otherMock(), har)
    expect(sentencesOf(report)).toEqual([])
    expect(report.replay).toMatchObject({
      requests: 2,
      alike: 2,
      leftOut: [{ why: 'a scenario changed the answer', count: 1 }],
    })
  })

  it('leaves out what a recording does not show', async () => {
    const har = await record(async (ask) => {
      await ask('GET', '/acme/resource?limit=1')
      await ask('GET', '/acme/resource/searchApiPattern?text.en=oak')
      await ask('POST', '/oauth/token?grant_type=client_credentials')
      await ask('GET', '/acme/resource/a', undefined, { Authorization: 'Bearer view_test:other' })
    })
    const { replay: counts } = await replayOn(await otherMock(), har)
    expect(counts?.leftOut.map(({ why }) => why)).toEqual([
      'the recording does not show all resources of the project',
      'a search cannot be limited to the resources of the replay',
      'the replay gets tokens of its own',
      'the recording does not have its token',
    ])
  })
})

describe('replay finds nothing otherwise in a mock with other data', () => {
  const FIXTURE = '/acme/resource/key=oak-side-table'
  const versionOf = (response: Response) => Number(response.headers.get('ETag')?.slice(1, -1))

  const acts: Readonly<Record<string, (ask: Ask) => Promise<void>>> = {
    async 'for malformed paths'(ask) {
      await ask('GET', '/acme/resource/%zz')
      await ask('GET', '/acme/resource/key=%ff')
    },
    async 'for a base URL with region and cloud provider'(ask) {
      const created = await ask('POST', '/eu/gcp/acme/resource', DRAFT)
      await ask('GET', created.headers.get('Location') ?? '')
      await ask('GET', '/eu/gcp/acme/resource/key=new-hat')
    },
    async 'for lists without a resource'(ask) {
      await ask('GET', '/acme/resource?where=key%3D%22nobody%22')
    },
    async 'for a draft without a key'(ask) {
      const created = await ask('POST', '/acme/resource', { objectTypeProperty: { arrayOfIntExample: [1] } })
      await ask('GET', created.headers.get('Location') ?? '')
      await ask('GET', '/acme/resource?limit=500')
    },
    async 'for several entity tags'(ask) {
      const found = await ask('GET', FIXTURE)
      const version = versionOf(found)
      const headers = { 'If-Match': `"${version + 7}", "${version}"` }
      await ask('POST', found.headers.get('Content-Location') ?? '', { version, actions: [set('a')] }, headers)
    },
  }

  it.each(Object.entries(acts))('%s', async (_, act) => {
    const report = await replayOn(await otherMock(), await record(act))
    expect([sentencesOf(report), report.leftovers, report.replay?.leftOut]).toEqual([[], [], []])
  })

  it('nor what only the mock knows', async () => {
    const har = await record(async (ask) => {
      await ask('GET', FIXTURE, undefined, { Prefer: 'code=404' })
      await ask('GET', FIXTURE, undefined, { Prefer: 'dynamic=true' })
      await ask('GET', '/acme/resource?limit=500')
      await ask('GET', '/acme/resource?sort=version%20desc')
      await ask('GET', '/beta/resource/key=nobody')
      await ask('GET', '/gamma/resource/key=nobody')
      const written = await ask('PUT', '/acme/resource', { objectTypeProperty: {} })
      await ask('GET', written.headers.get('Location') ?? '')
    })
    const report = await replayOn(await otherMock(), har)
    expect([sentencesOf(report), report.leftovers]).toEqual([[], []])
    expect(report.replay?.leftOut).toEqual([
      { why: 'Prefer chose the answer', count: 2 },
      { why: 'it depends on versions, dates or ids, which are those of the service', count: 1 },
      { why: 'a replay has two projects', count: 1 },
      { why: 'it concerns whatever was written last', count: 1 },
      { why: 'it follows a request that was left out', count: 1 },
    ])
  })
})

it('leaves out what a browser asked of other servers', async () => {
  const toEntry = (url: string) => ({
    request: { method: 'GET', url, headers: [] },
    response: { status: 200, headers: [], content: { text: '<h1>Shop</h1>' } },
  })
  const entries = ['http://127.0.0.1:3000/index.html', 'http://127.0.0.1:4010/acme/resource/x/y'].map(toEntry)
  const report = await replayOn(await otherMock(), JSON.stringify({ log: { entries } }))
  expect(report.replay).toMatchObject({ requests: 0, leftOut: [{ why: 'the contract has no such path', count: 2 }] })
})

it.each([
  ['without requests', []],
  ['of another API', [{ url: 'http://127.0.0.1:3000/users' }]],
])('names an archive %s', (_what, all) => {
  const entries = all.map(({ url }) => ({
    request: { method: 'GET', url, headers: [] },
    response: { status: 200, headers: [], content: {} },
  }))
  expect(() => parseArchive(JSON.stringify({ log: { entries } }), 'tests.har')).toThrow(
    'tests.har has no requests to the mock.',
  )
})

it('the archive of a browser has no sessions, and JSON in base64', () => {
  const toEntry = (url: string, session?: string) => ({
    request: { method: 'GET', url, headers: session === undefined ? [] : [{ name: 'x-mock-session', value: session }] },
    response: { status: 200, headers: [], content: { text: btoa('{"version":1}'), encoding: 'base64' } },
  })
  const entries = [
    toEntry('http://127.0.0.1:4010/@one/acme/resource/1'),
    toEntry('http://127.0.0.1:4010/acme/resource/1', 'two'),
    toEntry('http://127.0.0.1:4010/@one/acme/resource/2'),
  ]
  const tests = parseArchive(JSON.stringify({ log: { entries } }), 'tests.har')
  expect(tests.map(({ title, exchanges }) => [title, exchanges.map(({ path }) => path)])).toEqual([
    ['one', ['/acme/resource/1', '/acme/resource/2']],
    ['two', ['/acme/resource/1']],
  ])
  expect(tests[0]?.exchanges[0]?.answer.body).toEqual({ version: 1 })
})

describe('a run', () => {
  /** A mock with the run of two tests. */
  async function runTests(): Promise<Mock> {
    const mock = await createMock()
    for (const session of ['worker-1', 'worker-2']) {
      const test = { run: 'nightly', title: ['shop', session], file: 'shop.spec.ts', line: 1 }
      const report = (outcome: object) =>
        mock.fetch(`/__admin/sessions/${session}/test`, {
          method: 'PUT',
          headers: HEADERS,
          body: JSON.stringify({ ...test, ...outcome }),
        })
      await report({})
      await shop(askIn(mock, `/@${session}`))
      await report({ status: 'passed', duration: 1 })
    }
    await mock.session('worker-1').close()
    return mock
  }

  const toSource = (mock: Mock) => ({
    mock: 'http://mock',
    timeout: 60_000,
    transport: createFetchTransport((request) => mock.fetch(request)),
  })

  it.each(['latest', 'nightly'])('%s is read from a mock, with the titles of its tests', async (name) => {
    const { tests } = await readRun(name, toSource(await runTests()))
    expect(tests.map(({ title, exchanges }) => [title, exchanges.length])).toEqual([
      ['shop › worker-1', 14],
      ['shop › worker-2', 14],
    ])
    const service = await otherMock()
    const transport = createFetchTransport((request) => service.fetch(request))
    expect((await replayTests(tests, { ...usual, transport })).replay).toMatchObject({
      requests: 28,
      tests: 2,
      alike: 28,
    })
  })

  it('that does not exist is refused with the names of others', async () => {
    await expect(readRun('nightli', toSource(await runTests()))).rejects.toThrow(
      'The mock has no run "nightli". Did you mean "nightly"? GET /__admin/runs lists all runs.',
    )
  })
})

it('refuses a file that is not an archive', () => {
  expect(() => parseArchive('{}', 'tests.har')).toThrow('tests.har is not an HTTP Archive of the mock.')
})
