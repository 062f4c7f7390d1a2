import { createAdminClient } from '../../admin/client/admin-client.ts'
import { createAdminSend } from '../../admin/client/reach.ts'
import { connectMockBy } from '../../admin/client/session-client.ts'
import { enterSession } from './contexts.ts'
import type { Entry, SessionBy } from './contexts.ts'
import { explainLostSession, readLatest } from './lost-session.ts'
import type { EndedTest, PageWatch } from './lost-session.ts'
import { createSends, inSession } from './requests.ts'
import { createJournalReader } from './server.ts'
import type { JournalReader, MockServer } from './server.ts'
import type { APIRequestContext, BrowserContext } from '@playwright/test'
import type { SessionHandle } from '../../admin/client/session-handle.ts'
import type { CoverageReport } from '../../sessions/journal/coverage-report.ts'
import type { TestInfo, TestOutcome } from '../../sessions/session-test.ts'

/** What a test ends with. */
export interface PageTestEnd {
  readonly outcome: TestOutcome
  readonly needsCoverage: boolean
  /** Whether the session is still needed, until `retire`. */
  readonly keepsSession: boolean
}

/** What the mock says when a test ends. */
export interface PageTestEnded extends Pick<EndedTest, 'after' | 'hasRequests'> {
  readonly coverage: CoverageReport | undefined
  /** Whether the session is deleted permanently. */
  readonly isRetired: boolean
}

/**
 * The mock in a test: a session handle. All requests of the test's page use this session.
 *
 * @example
 * test('saves after a conflict', async ({ page, mock }) => {
 *   await mock.use('conflict-once')
 *   await page.goto('/')
 *   await page.getByRole('button', { name: 'Save' }).click()
 *   await expect(mock).toHaveReceived({ operation: 'updateResource' }, { times: 2 })
 * })
 */
export interface PageMock extends SessionHandle {
  /**
   * Makes all pages of a browser context use this session, like the pages of the `context` fixture. For tests with a second
   * user.
   *
   * @example
   * const other = await browser.newContext()
   * await mock.enter(other)
   */
  enter(context: BrowserContext): Promise<void>
  /** @internal Puts the requests of a request context into this session. */
  enterRequests(request: APIRequestContext): APIRequestContext
  /** @internal Used by the matchers and attachments. */
  readonly journal: JournalReader
  /** @internal Where the pages send their requests, for a session that received none. */
  readonly hint: string
  /** @internal Returns the page that shows what the mock saw; undefined if the mock cannot create it. */
  share(): Promise<string | undefined>
  /** @internal The names of the active scenarios. */
  activeScenarios(): Promise<readonly string[]>
  /**
   * @internal Starts a test in one request: reports it, and activates scenarios. Hooks belong to no test, and older mocks
   * know none.
   *
   * @param scenarios undefined: those of the mock
   * @returns the id of the latest request without a session
   */
  start(test: TestInfo | undefined, scenarios: readonly string[] | undefined): Promise<string | undefined>
  /** @internal Ends a test in one request: reports its outcome, and deletes the session permanently. */
  end(test: TestInfo | undefined, end: PageTestEnd): Promise<PageTestEnded>
  /** @internal Explains requests of the test that had no session; undefined if there were none. */
  explainLostSession(received: ReturnType<PageWatch['begin']>, ended: EndedTest): Promise<string | undefined>
  /**
   * @internal Deletes the session permanently: requests from a page that outlive the test must not create it again (D90).
   */
  retire(): Promise<void>
}

/** How long a test waits for its share file, in milliseconds. */
const SHARE_FILE_TIMEOUT = 10_000

/** Creates the `mock` fixture of a test. */
export function createPageMock({
  server,
  name,
  baseURL,
  sessionBy,
  ignoresHttpsErrors,
}: {
  readonly server: MockServer
  readonly name: string
  /** The app's origin, whose server may forward requests to the mock. */
  readonly baseURL: string | undefined
  readonly sessionBy: SessionBy
  readonly ignoresHttpsErrors: boolean | undefined
}): PageMock {
  const { url, adminToken: token } = server
  const sends = createSends(url, ignoresHttpsErrors)
  const handle = connectMockBy(sends, url, token === undefined ? {} : { token }).session(name)
  const admin = { baseUrl: url, token, send: createAdminSend(url, sends.sendAdmin) }
  const entry: Entry = { session: name, mockUrl: url, baseURL, sessionBy }
  const own = createAdminClient({ ...admin, session: name })
  const unnamed = createAdminClient(admin)
  return {
    ...handle,
    async retire() {
      await unnamed.send('DELETE', `/sessions/${name}?final=true`)
    },
    journal: createJournalReader(own),
    async activeScenarios() {
      // The response type of src/admin/api/scenarios.ts.
      const { active } = (await own.send('GET', '/scenarios/active')) as { readonly active: readonly string[] }
      return active
    },
    hint:
      sessionBy === 'header'
        ? `Does the page send its requests to ${url}?`
        : `Does the page send its requests to ${handle.url}, or to ${url} with the cookie mock-session?`,
    async share() {
      const signal = AbortSignal.timeout(SHARE_FILE_TIMEOUT)
      const request = new Request(`${url}/__admin/share.html?session=${name}`, { signal })
      if (token !== undefined) request.headers.set('Authorization', `Bearer ${token}`)
      const response = await sends.sendAdmin(request).catch(() => undefined)
      return response?.ok === true ? response.text() : undefined
    },
    async start(test, scenarios) {
      // The requests below report what the mock rejects.
      const started = await (test && handle.test(test, { scenarios }).catch(() => undefined))
      if (started !== undefined) return started.latestDefaultRequest
      if (scenarios !== undefined) await handle.use(...scenarios)
      return readLatest(unnamed)
    },
    async end(test, { outcome, needsCoverage, keepsSession }) {
      const report = { ...outcome, coverage: needsCoverage, end: keepsSession ? undefined : 'final' } as const
      const ended = await (test && handle.test(test, report).catch(() => undefined))
      if (ended !== undefined) {
        const { latestDefaultRequest: after, requests, coverage } = ended
        return { after, hasRequests: requests > 0, coverage, isRetired: !keepsSession }
      }
      const [after, latest, coverage] = await Promise.all([
        readLatest(unnamed),
        readLatest(own),
        needsCoverage ? handle.coverage() : undefined,
      ])
      return { after, hasRequests: latest !== undefined, coverage, isRetired: false }
    },
    explainLostSession: (received, ended) => explainLostSession({ unnamed, entry, received }, ended),
    enter: (context) => enterSession(context, entry),
    enterRequests: (request) => inSession(request, entry),
  }
}

/** Whether a value is the `mock` fixture of a test. */
export const isPageMock = (value: unknown): value is PageMock =>
  typeof value === 'object' && value !== null && 'journal' in value && 'enter' in value
