import { once } from 'node:events'
import { createServer, request as sendRequest } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../../src/node.ts'
import { toOutcome } from '../../../src/edges/playwright/fixtures.ts'
import { runPlaywright } from './run-playwright.ts'

const configOf = (name: string): string => fileURLToPath(new URL(`suite/${name}.config.ts`, import.meta.url))
const config = configOf('reported')
const roundTripsConfig = configOf('round-trips')

async function startMock() {
  const server = await startServer({ port: 0 })
  onTestFinished(() => server.close())
  return {
    url: server.url,
    read: async (path: string): Promise<unknown> => (await fetch(`${server.url}/__admin${path}`)).json(),
  }
}

type Handle = (method: string, path: string, headers: IncomingHttpHeaders) => boolean

/** Forwards requests to a mock, except those that it refuses. Returns its URL. */
async function openProxy(url: string, forwards: Handle): Promise<string> {
  const proxy = createServer((request, response) => {
    const { method = 'GET', url: path = '', headers } = request
    if (!forwards(method, path, headers)) return response.writeHead(404).end('{}')
    return request.pipe(
      sendRequest(url + path, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers)
        answer.pipe(response)
      }),
    )
  }).listen(0)
  onTestFinished(() => void proxy.close())
  await once(proxy, 'listening')
  const { port } = proxy.address() as AddressInfo
  return `http://localhost:${port}`
}

interface Run {
  readonly run: string
  readonly tests: readonly { readonly id: string; readonly title: readonly string[]; readonly retry: number }[]
}

const toKey = ({ title, retry }: Run['tests'][number]): string => `${title.join(' ')} ${retry}`

const TEST = { file: 'reported.spec.ts', project: 'api', line: expect.any(Number), worker: expect.any(Number) }

describe('the tests of a Playwright run', () => {
  it('are reported to the mock with their outcome, all in one run, and attach a page that shows it if they fail', async () => {
    const { url, read } = await startMock()
    const results = await runPlaywright(config, { MOCK_URL: url })
    const { runs } = (await read('/runs')) as { readonly runs: readonly Run[] }
    expect(runs).toMatchObject([{ counts: { tests: 4, passed: 2, failed: 1, skipped: 1, attempts: 5 } }])
    const run = (await read(`/runs/${encodeURIComponent(runs[0]?.run ?? '')}`)) as Run
    const order = run.tests.toSorted((a, b) => toKey(a).localeCompare(toKey(b)))
    const seen = { requests: 1, archive: 'archived' }
    expect(order).toMatchObject([
      { ...TEST, title: ['the shop', 'fails'], retry: 0, status: 'failed', ...seen, scenarios: ['unavailable'] },
      { ...TEST, title: ['the shop', 'fails'], retry: 1, status: 'failed', ...seen, failures: 1 },
      { ...TEST, title: ['the shop', 'fails as expected'], status: 'passed', requests: 0 },
      { ...TEST, title: ['the shop', 'is skipped while it runs'], status: 'skipped' },
      { ...TEST, title: ['the shop', 'passes'], status: 'passed', ...seen, failures: 0 },
    ])
    expect(order[0]).toMatchObject({ error: expect.stringMatching(/^Error: expect\(received\)\.toBe\(expected\)/) })
    expect(await read(`/requests?session=${order[0]?.id}`)).toMatchObject({
      requests: [{ response: { status: 503 } }],
    })

    const pages = results.map(({ title, attachments }) => [title, attachments.get('mock.html')] as const)
    expect(pages.filter(([, page]) => page !== undefined).map(([title]) => title)).toEqual(['fails', 'fails'])
    const page = pages.find(([title]) => title === 'fails')?.[1] ?? ''
    const json = /<script type="application\/json" id="shared-data">(.*?)<\/script>/s.exec(page)?.[1] ?? ''
    const { answers } = JSON.parse(json) as { readonly answers: Readonly<Record<string, string>> }
    const shown = Object.entries(answers).find(([path]) => path.startsWith('/runs/'))?.[1] ?? ''
    expect(JSON.parse(shown)).toMatchObject({
      tests: [{ title: ['the shop', 'fails'], status: 'failed', requests: 1 }],
    })
  })

  it('run as before with a mock that knows no tests', async () => {
    const { url, read } = await startMock()
    const older = await openProxy(url, (_method, path) => !path.endsWith('/test'))
    const runs = await runPlaywright(roundTripsConfig, { MOCK_URL: older })
    expect(runs.map(({ title, status }) => [title, status])).toEqual([
      ['passes', 'passed'],
      ['fails as expected', 'failed'],
      ['fails', 'failed'],
      ['starts with scenarios', 'passed'],
    ])
    expect(await read('/sessions')).toMatchObject({ sessions: [{ name: 'default' }] })
  })

  it('send one request at their start and one at their end, and more only if they fail, and belong to the run that the environment names', async () => {
    const { url, read } = await startMock()
    const sent: Record<string, string[]> = {}
    const proxy = await openProxy(url, (method, path, headers) => {
      if (!path.startsWith('/__admin/')) return true
      const [, session] = /sessions?[=/]([^/?]+)/.exec(path) ?? []
      const title = String(session ?? headers['x-mock-session'] ?? '').replace(/-[\da-f]{16}-.*/, '')
      const [target = ''] = path.replaceAll(/(?<=\/)(?:[\da-f-]{36}|[\w-]+-[\da-f]{16}-\w+)/g, '*').split('?')
      ;(sent[title] ??= []).push(`${method} ${target.slice('/__admin'.length)}`)
      return true
    })
    const env = { MOCK_URL: proxy, RESOURCE_MOCK_COVERAGE: 'attach', RESOURCE_MOCK_RUN: 'nightly 17' }
    const runs = await runPlaywright(roundTripsConfig, env)
    const both = ['PUT /sessions/*/test', 'PUT /sessions/*/test']
    const { fails, ...others } = sent
    expect(others).toEqual({
      '': ['GET /version'],
      passes: both,
      'starts-with-scenarios': both,
      'fails-as-expected': both,
    })
    // In parallel, so in any order.
    expect(fails?.splice(1, 4)).toEqual(
      expect.arrayContaining([
        'POST /requests/find',
        'GET /requests.har',
        'GET /requests',
        'GET /requests/*/explanation',
      ]),
    )
    expect(fails).toEqual([...both, 'GET /share.html', 'DELETE /sessions/*'])
    expect(runs.filter(({ attachments }) => attachments.has('_mock-coverage'))).toHaveLength(4)
    expect(runs.find(({ title }) => title === 'fails')?.attachments.get('mock-failures.txt')).toContain('(404)')
    const counts = { tests: 4, passed: 3, failed: 1, running: 0 }
    expect(await read('/runs')).toMatchObject({ runs: [{ run: 'nightly 17', counts }] })
    expect(await read('/sessions')).toMatchObject({ sessions: [{ name: 'default' }] })
  })
})

describe('the outcome of a test', () => {
  it.each([
    ['passed', 'passed', 'passed'],
    ['failed', 'passed', 'failed'],
    ['timedOut', 'passed', 'timedOut'],
    ['interrupted', 'passed', 'interrupted'],
    ['skipped', 'skipped', 'skipped'],
    ['failed', 'failed', 'passed'],
    ['passed', 'failed', 'failed'],
  ] as const)('of a test that %s and was expected to have %s is %s', (status, expectedStatus, outcome) => {
    const error = { message: '\u001B[31mwrong\u001B[39m' }
    expect(toOutcome({ status, expectedStatus, duration: 5, error })).toEqual({
      status: outcome,
      duration: 5,
      error: 'wrong',
    })
  })
})
