import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer } from '../../src/node.ts'
import type { RunningServer } from '../../src/node.ts'
import { har } from '../journal/har-rules.ts'
import { describeInChromium } from '../support/chromium.ts'
import { shownText } from './guide.ts'
import { runPlaywright } from './run-playwright.ts'
import type { TestRun } from './run-playwright.ts'

const configOf = (name: string): string => fileURLToPath(new URL(`suite/${name}.config.ts`, import.meta.url))

const TOKEN = 'not-to-be-guessed'

describeInChromium('the Playwright entry', () => {
  describe('with a server that all workers share', () => {
    let server: RunningServer
    let runs: readonly TestRun[]

    beforeAll(async () => {
      server = await startServer({ port: 0, adminToken: TOKEN })
      runs = await runPlaywright(configOf('passing'), { MOCK_URL: server.url, MOCK_ADMIN_TOKEN: TOKEN })
    }, 600_000)
    afterAll(() => server.close())

    it('isolates parallel tests', () => {
      expect(runs.filter(({ status }) => status !== 'passed')).toEqual([])
      expect(runs.length).toBeGreaterThan(15)
      expect(new Set(runs.map(({ workerIndex }) => workerIndex)).size).toBe(2)
    })

    it('ends every session with its test', async () => {
      const response = await fetch(`${server.url}/__admin/sessions`, { headers: { Authorization: `Bearer ${TOKEN}` } })
      const { sessions } = (await response.json()) as { readonly sessions: readonly { readonly name: string }[] }
      expect(sessions.map(({ name }) => name)).toEqual(['default'])
    })

    it('shows the actions of a test on the mock as its steps', () => {
      const run = runs.find(({ title }) => title.startsWith('a scenario bends'))
      expect(run?.steps).toContain('mock.use(conflict-once)')
    })

    it('attaches nothing to a test that passes', () => {
      expect(runs.flatMap(({ attachments }) => [...attachments.keys()])).toEqual([])
    })
  })

  it(
    'names the session by a header, for an app that sends no cookies to other origins',
    { timeout: 600_000 },
    async () => {
      const runs = await runPlaywright(configOf('header'))
      expect(runs.filter(({ status }) => status !== 'passed')).toEqual([])
      expect(runs.length).toBeGreaterThanOrEqual(6)
    },
  )

  describe('with a server for each worker', () => {
    let runs: ReadonlyMap<string, TestRun>
    const find = (title: string): TestRun => runs.get(title) ?? expect.fail(`no test ${title}`)

    beforeAll(async () => {
      runs = new Map((await runPlaywright(configOf('failing'))).map((run) => [run.title, run]))
    }, 600_000)

    it('fails every test with a wrong expectation', () => {
      expect([...runs.values()].map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 'failed'))
    })

    it('shows the nearest request, and the members that differ', () => {
      const { message } = find('the nearest request')
      expect(message).toContain(`expect(mock).toHaveReceived(pattern)\n\n${shownText}`)
      expect(message).toContain(
        'Further away:\n  GET /acme/resource?limit=500\n    method: expected "POST", received "GET"\n    bodyPatterns[0]: ',
      )
    })

    it('shows the excess requests', () => {
      expect(find('too many').message).toContain(
        'Expected: 0 requests\nReceived: 1 request\nTimeout:  400ms\n\nMatching requests:\n  GET /acme/resource?limit=500 → 200',
      )
    })

    it('shows the requests that should not exist', () => {
      const { message } = find('not at all')
      expect(message).toContain('expect(mock).not.toHaveReceived(pattern)')
      expect(message).toContain('Expected: no request\nReceived: 1 request')
      expect(message).toContain('Matching requests:\n  GET /acme/resource?limit=500 → 200')
    })

    it('shows the request that came too early', () => {
      const { message } = find('another order')
      expect(message).toContain('expect(mock).toHaveReceivedInOrder(patterns)')
      expect(message).toContain(
        '2. {"method":"GET"}\n     no matching request after that; it came earlier:\n     GET /acme',
      )
    })

    it('shows the requests since the failure without a recovery', () => {
      expect(find('no recovery').message).toMatch(
        /Recovery: conflict \(409, then sent again\)\nExpected: at least 1\nReceived: 0\n.*\n\nRequests since the first failure:\n {2}POST \S+ → 409\n {2}POST \S+ → 409/,
      )
    })

    it('describes where requests should go if none arrived', () => {
      expect(find('a silent session').message).toMatch(
        /received no requests\.\nDoes the page send its requests to http:\/\/127\.0\.0\.1:\d+\/@a-silent-session-\S+, or to/,
      )
    })

    it.each([
      [
        'an unknown scenario',
        'SetupError: Unknown scenario "conflit". Did you mean "conflict"?',
        "mock.use('conflit')",
      ],
      ['what is no list of records', 'SetupError: seed() got undefined, which is not an array', 'mock.seed(undefined)'],
    ])('points to the line with %s', (title, sentence, line) => {
      const { message } = find(title)
      expect(message).toContain(sentence)
      expect(message.split('\n').find((shown) => shown.startsWith('>'))).toContain(`await ${line}`)
    })

    it('explains the missing requests of a page that loses its session, and the remedy', () => {
      const { message } = find('a page that loses its session')
      expect(message).toContain('Error: expect(locator).toHaveText(expected) failed')
      expect(message).toMatch(
        /The mock received no requests in this test's session, but .*:\n {2}GET \/acme\/resource\?limit=500 from http:\/\/127\.0\.0\.1:\d+\n/,
      )
      expect(message).toContain("- Set sessionBy: 'header' in `use` of the Playwright configuration.")
      expect(message).toContain("- In the app, call fetch(url, { credentials: 'include' }).")
    })

    it('reports no lost session for a test whose session received its requests, or that sent none', () => {
      for (const title of ['something else', 'too many', 'an unknown scenario']) {
        expect(find(title).message).not.toContain('sessionBy')
      }
    })

    it('refuses an unknown way to name the session', () => {
      expect(find('to name the session').message).toContain(`sessionBy is "query". Use 'cookie' or 'header'.`)
    })

    it('refuses an invalid timeout', () => {
      expect(find('a time that is none').message).toContain(
        'SetupError: timeout must be an integer of at least 0, not -5',
      )
    })

    it('attaches the journal as JSON and as HAR to every failure', () => {
      const { attachments } = find('something else')
      expect([...attachments.keys()]).toEqual(expect.arrayContaining(['mock-journal.json', 'mock-journal.har']))
      expect(JSON.parse(attachments.get('mock-journal.json') ?? '')).toMatchObject([
        { method: 'GET', operation: 'queryResources', response: { status: 200 } },
      ])
      const archive = har.parse(JSON.parse(attachments.get('mock-journal.har') ?? ''))
      expect(archive.log.entries).toHaveLength(1)
    })
  })
})
