import { dirname } from 'node:path'
import { test as base } from '@playwright/test'
import { SetupError } from '../errors.ts'
import { showValue } from '../http/show-value.ts'
import { isCoverageWanted, keepCoverage } from '../reporter/coverage-files.ts'
import { attachJournal } from './attachments.ts'
import { createPageMock } from './page-mock.ts'
import type { PageMock, SessionBy } from './page-mock.ts'
import { useServer } from './server.ts'
import type { MockServer, MockServerOptions } from './server.ts'
import { toCookies, withCookies } from './session-cookies.ts'
import { toSessionName } from './session-name.ts'
import { inSteps } from './steps.ts'

/** What `use` of a configuration, or `test.use`, says of the mock of a test. */
export interface MockTestOptions {
  /** Names of the scenarios that each test starts with, as `mock.use` takes them. Default: those of the mock. */
  mockScenario: string | readonly string[] | undefined
  /**
   * How the requests of pages name the session of the test. `cookie`: by a cookie, which a page on another origin sends
   * only with `credentials: 'include'`. `header`: by a header that Playwright adds to each request to the mock, so that the
   * app stays as it is. Default `cookie`.
   */
  sessionBy: SessionBy
}

/** What `use` of a configuration, or `test.use`, says of the mock of a worker. */
export interface MockWorkerOptions {
  /**
   * A mock that runs already and that all workers share, such as `http://127.0.0.1:4010`. Default: each worker starts
   * one of its own on a free port.
   */
  mockUrl: string | undefined
  /** What the admin API of the mock asks for. */
  mockAdminToken: string | undefined
  /**
   * Options of the mock that a worker starts, as `startServer` takes them. With `mockUrl`: the options that the mock there
   * must have been started with; `{}` for none. The tests fail where it was not, with a sentence that says what differs.
   */
  mockOptions: MockServerOptions | undefined
}

export interface MockTestFixtures {
  /** The mock, in a session that is this test's alone. */
  mock: PageMock
}

export interface MockWorkerFixtures {
  /** Where the mock of the worker listens. */
  mockServer: MockServer
}

/** @throws {SetupError} for anything else than TypeScript allows. */
function expectSessionBy(given: SessionBy): SessionBy {
  if (given === 'cookie' || given === 'header') return given
  throw new SetupError(`sessionBy is ${showValue(given)}, which is not 'cookie' or 'header'. Use one of them.`)
}

/**
 * Playwright's `test` with the fixture `mock`. The pages of each test, and its fixture `request`, send their requests as
 * its session; when the test fails, the report has the session's journal.
 *
 * @example
 * import { expect, test } from 'resource-mock/playwright'
 *
 * test('tells that the service is down', async ({ page, mock }) => {
 *   await mock.use('unavailable')
 *   await page.goto('/')
 *   await expect(page.getByRole('alert')).toBeVisible()
 * })
 */
export const test = base.extend<MockTestFixtures & MockTestOptions, MockWorkerFixtures & MockWorkerOptions>({
  mockUrl: [undefined, { scope: 'worker', option: true }],
  mockAdminToken: [undefined, { scope: 'worker', option: true }],
  mockOptions: [undefined, { scope: 'worker', option: true }],
  mockScenario: [undefined, { option: true }],
  sessionBy: ['cookie', { option: true }],

  mockServer: [
    ({ mockUrl, mockAdminToken, mockOptions }, use, { config: { configFile, rootDir } }) => {
      const root = configFile === undefined ? rootDir : dirname(configFile)
      return useServer({ mockUrl, mockAdminToken, mockOptions, root }, use)
    },
    { scope: 'worker' },
  ],

  mock: async ({ mockServer, mockScenario, sessionBy, baseURL }, use, testInfo) => {
    const name = toSessionName(testInfo, crypto.randomUUID())
    const mock = createPageMock({ server: mockServer, name, baseURL, sessionBy: expectSessionBy(sessionBy) })
    try {
      if (mockScenario !== undefined) await mock.use(...[mockScenario].flat())
      const lostSession = await mock.watchForLostSession()
      await use(inSteps(mock, base.step))
      if (testInfo.status === testInfo.expectedStatus) return
      await attachJournal(testInfo, mock)
      // Thrown, it stands among the errors of the test in every report. A test that should fail must not fail by this.
      const why = testInfo.status === 'passed' ? undefined : await lostSession.explain()
      if (why !== undefined) throw new SetupError(why)
    } finally {
      if (isCoverageWanted()) await keepCoverage(await mock.coverage())
      await mock.retire()
    }
  },

  // What is named first ends last: the session, once its pages are closed and ask for nothing any more.
  context: async ({ mock, context }, use) => {
    await mock.enter(context)
    await use(context)
  },

  request: async ({ mock, mockServer, baseURL, playwright, request }, use) => {
    const entered = await withCookies(playwright, request, toCookies(mock.name, [mockServer.url, baseURL]))
    await use(entered)
    await entered.dispose()
  },
})
