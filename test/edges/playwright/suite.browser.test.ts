import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer } from '../../../src/node.ts'
import type { RunningServer } from '../../../src/node.ts'
import { har } from '../../sessions/journal/har-rules.ts'
import { describeInChromium } from '../../support/chromium.ts'
import { shownText } from './guide.ts'
import { runPlaywright } from './run-playwright.ts'
import type { TestRun } from './run-playwright.ts'

const configOf = (name: string): string => fileURLToPath(new URL(`suite/${name}.config.ts`, import.meta.url))

const TOKEN = 'not-to-be-guessed'

describeInChromium('the Playwright entry', () => {
  describe('with one server for all workers', () => {
    let server: RunningServer
    let runs: readonly TestRun[]

    beforeAll(async () => {
      server = await startServer({ port: 0, adminToken: TOKEN })
      runs = await runPlaywright(configOf('passing'), { MOCK_URL: server.url, MOCK_ADMIN_TOKEN: TOKEN })
    })
    afterAll(() => server.close())

    it('isolates parallel tests', () => {
      expect(runs.filter(({ status }) => status !== 'passed')).toEqual([])
      expect(runs.length).toBeGreaterThan(15)
      expect(new Set(runs.map(({ workerIndex }) => workerIndex)).size).toBe(2)
    })

    it('deletes each session after its test', async () => {
      const response = await fetch(`${server.url}/__admin/sessions`, { headers: { Authorization: `Bearer ${TOKEN}` } })
      const { sessions } = (await response.json()) as { readonly sessions: readonly { readonly name: string }[] }
      expect(sessions.map(({ name }) => name)).toEqual(['default'])
    })

    it("shows a test's changes to the mock as steps", () => {
      const run = runs.find(({ title }) => title.startsWith('a scenario changes'))
      expect(run?.steps).toContain('mock.use(conflict-once)')
    })

    it('tells of a passing test whose page lost the session', () => {
      const told = runs.filter(({ annotations }) => annotations.join('') !== '')
      expect(told.map(({ title }) => title)).toEqual(['a page may be in no session'])
      expect(told[0]?.annotations[0]).toMatch(
        /without this test's session.*\n {2}GET .*\nThe test created this browser context itself/s,
      )
    })

    it('attaches nothing to a passing test', () => {
      expect(runs.flatMap(({ attachments }) => [...attachments.keys()])).toEqual([])
    })
  })

  it('sends the session in a header, for an app that sends no cookies to other origins', async () => {
    const runs = await runPlaywright(configOf('header'))
    expect(runs.filter(({ status }) => status !== 'passed')).toEqual([])
    expect(runs.length).toBeGreaterThanOrEqual(6)
  })

  describe('with a server for each worker', () => {
    let runs: ReadonlyMap<string, TestRun>
    const find = (title: string): TestRun => runs.get(title) ?? expect.fail(`no test ${title}`)

    beforeAll(async () => {
      runs = new Map((await runPlaywright(configOf('failing'))).map((run) => [run.title, run]))
    })

    it('fails every test with an unmet expectation', () => {
      expect([...runs.values()].map(({ status }) => status)).toEqual(Array.from({ length: 15 }, () => 'failed'))
    })

    it('shows the nearest request and its differences', () => {
      const { message } = find('reports the nearest request')
      expect(message).toContain(`expect(mock).toHaveReceived(pattern)\n\n${shownText}`)
      expect(message).toContain(
        'Further away:\n  GET /acme/resource?limit=500\n    method: expected "POST", received "GET"\n    bodyPatterns[0]: ',
      )
    })

    it('shows the excess requests', () => {
      expect(find('reports excess requests').message).toContain(
        'Expected: 0 requests\nReceived: 1 request\nTimeout:  400ms\n\nMatching requests:\n  GET /acme/resource?limit=500 → 200',
      )
    })

    it('shows the unexpected requests', () => {
      const { message } = find('reports unexpected requests')
      expect(message).toContain('expect(mock).not.toHaveReceived(pattern)')
      expect(message).toContain('Expected: no request\nReceived: 1 request')
      expect(message).toContain('Matching requests:\n  GET /acme/resource?limit=500 → 200')
    })

    it('shows a match that came too early', () => {
      const { message } = find('reports the wrong order')
      expect(message).toContain('expect(mock).toHaveReceivedInOrder(patterns)')
      expect(message).toContain(
        '2. {"method":"GET"}\n     no matching request after that; it came earlier:\n     GET /acme',
      )
    })

    it('shows the requests since the failure if there was no recovery', () => {
      expect(find('reports a missing recovery').message).toMatch(
        /Recovery: conflict \(409, then sent again\)\nExpected: at least 1\nReceived: 0\n.*\n\nRequests since the first failure:\n {2}POST \S+ → 409\n {2}POST \S+ → 409/,
      )
    })

    it('shows where to send requests if none arrived', () => {
      expect(find('reports a session without requests').message).toMatch(
        /received no requests\.\nDoes the page send its requests to http:\/\/127\.0\.0\.1:\d+\/@reports-a-session-without-re-\S+, or to/,
      )
    })

    it.each([
      [
        'rejects an unknown scenario',
        'SetupError: Unknown scenario "conflit". Did you mean "conflict"?',
        "mock.use('conflit')",
      ],
      [
        'rejects an invalid list of records',
        'SetupError: seed() got undefined, which is not an array',
        'mock.seed(undefined)',
      ],
    ])('points to the failing line of the test "%s"', (title, sentence, line) => {
      const { message } = find(title)
      expect(message).toContain(sentence)
      expect(message.split('\n').find((shown) => shown.startsWith('>'))).toContain(`await ${line}`)
    })

    it('explains how a page lost its session, and the remedy', () => {
      const { message } = find('explains a lost session')
      expect(message).toContain('Error: expect(locator).toHaveText(expected) failed')
      expect(message).toMatch(
        /The mock received requests without this test's session .*:\n {2}GET \/acme\/resource\?limit=500 from http:\/\/127\.0\.0\.1:\d+\n/,
      )
      expect(message).toContain(
        "call fetch(url, { credentials: 'include' }), or set sessionBy: 'header' in `use`.\nSee docs/playwright-setup.md",
      )
    })

    it('tells of a context that did not enter the session', () => {
      expect(find('explains a context that did not enter').message).toContain('call `await mock.enter(context)`.')
    })

    it("explains a test's own route that does not fall back", () => {
      expect(find('explains a route that continues').message).toContain(
        "Playwright did not add the header: a test's own route has to call `fallback()` instead of `continue()`",
      )
    })

    it('reports no lost session if the session received requests, or if none were sent', () => {
      for (const title of [
        'fails for an unrelated reason',
        'reports excess requests',
        'rejects an unknown scenario',
        "fails before its first request, next to somebody else's tab",
      ]) {
        expect(find(title).message).not.toContain("without this test's session")
      }
    })

    it('rejects an unknown value of sessionBy', () => {
      expect(find('rejects an unknown value').message).toContain(`sessionBy is "query". Use 'cookie' or 'header'.`)
    })

    it('rejects an invalid timeout', () => {
      expect(find('rejects an invalid timeout').message).toContain(
        'SetupError: timeout must be an integer of at least 0, not -5',
      )
    })

    it('attaches the journal as JSON and HAR to every failed test', () => {
      const { attachments } = find('fails for an unrelated reason')
      expect([...attachments.keys()]).toEqual(
        expect.arrayContaining(['mock-journal.json', 'mock-journal.har', 'mock.html']),
      )
      expect(JSON.parse(attachments.get('mock-journal.json') ?? '')).toMatchObject([
        { method: 'GET', operation: 'queryResources', response: { status: 200 } },
      ])
      const archive = har.parse(JSON.parse(attachments.get('mock-journal.har') ?? ''))
      expect(archive.log.entries).toHaveLength(1)
    })
  })
})
