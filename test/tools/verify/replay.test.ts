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
import { holdingsOf, sentencesOf, usual } from './verifier.ts'

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
    expect(sentencesOf(report)).toEqual([])
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
      'the mock answers 409, the service 200 (section 7, documented)',
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
