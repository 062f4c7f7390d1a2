import { dirname } from 'node:path'
import { test as base } from '@playwright/test'
import type { TestInfo, TestType } from '@playwright/test'
import { SetupError } from '../errors.ts'
import { showValue } from '../http/json.ts'
import { isCoverageWanted, keepCoverage } from '../reporter/coverage-reporter.ts'
import { createPageMock, toCookies, withCookies } from './page-mock.ts'
import type { PageMock, SessionBy } from './page-mock.ts'
import { useServer } from './server.ts'
import type { MockServer, MockServerOptions } from './server.ts'

const toText = (value: unknown): string => JSON.stringify(value, null, 2)

/** Attaches what the mock was asked and answered to the report of a test: as JSON, and as HAR. */
export async function attachJournal(testInfo: TestInfo, mock: PageMock): Promise<void> {
  const [requests, har] = await Promise.all([mock.requests(), mock.journal.toHar()])
  const contentType = 'application/json'
  await testInfo.attach('mock-journal.json', { body: toText(requests), contentType })
  await testInfo.attach('mock-journal.har', { body: toText(har), contentType })
}

/** What of a test tells it from every other one of a run. */
export interface TestIdentity {
  readonly title: string
  /** Playwright's: hashes of the file and of the title, with project and repetition in them. */
  readonly testId: string
  readonly retry: number
}

/** Of the 64 characters that a session's name may have. */
const MOST_OF_TITLE = 28
const HASH_LENGTH = 8

const shorten = (hash: string): string => hash.slice(0, HASH_LENGTH)

function toSlug(title: string): string {
  const words = title
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .slice(0, MOST_OF_TITLE)
  return words.replaceAll(/^-+|-+$/g, '').toLowerCase() || 'test'
}

/**
 * Names the session of a test so that a person finds it in the dashboard, and nothing else has it: no other test of this
 * run or of another one that uses the same server, and no hook of the test, whose fixtures are its own.
 *
 * @param random what tells this one from all others
 * @example toSessionName({ title: 'Saves after a conflict', testId: 'a30a6eba6312f6b87ea5-9c54b7e1…', retry: 0 }, '5f0c1d2e')
 * // 'saves-after-a-conflict-a30a6eba9c54b7e1-5f0c1d2e'
 */
export function toSessionName({ title, testId, retry }: TestIdentity, random: string): string {
  const [file = '', test = ''] = testId.split('-')
  const name = `${toSlug(title)}-${shorten(file)}${shorten(test)}-${shorten(random)}`
  return retry === 0 ? name : `${name}-r${retry}`
}

type Step = TestType<object, object>['step']

/** For the title of a step, of whatever was given: what it must be, the mock says. */
function nameOf(given: unknown): string {
  if (typeof given === 'string') return given
  return typeof given === 'object' && given !== null && 'name' in given ? String(given.name) : 'inline'
}

const lengthOf = (given: unknown): string => (Array.isArray(given) ? String(given.length) : '')

/** The mock with all that changes it shown as steps of the test, in reports and traces. */
export function inSteps(mock: PageMock, step: Step): PageMock {
  /** Boxed, so that a fault points at the test's own line; Playwright finds that through what is awaited. */
  async function inStep<Result>(call: string, body: () => Promise<Result>): Promise<Result> {
    return await step(`mock.${call}`, body, { box: true })
  }

  return {
    ...mock,
    use: (...scenarios) => inStep(`use(${scenarios.map(nameOf).join(', ')})`, () => mock.use(...scenarios)),
    clock: {
      ...mock.clock,
      advance: (time) => inStep(`clock.advance(${time})`, () => mock.clock.advance(time)),
      set: (now) => inStep(`clock.set(${String(now)})`, () => mock.clock.set(now)),
    },
    reset: () => inStep('reset()', () => mock.reset()),
    seed: (records, place) => inStep(`seed(${lengthOf(records)})`, () => mock.seed(records, place)),
    snapshot: (name) => inStep(`snapshot(${name ?? ''})`, () => mock.snapshot(name)),
    restore: (snapshot) => inStep(`restore(${nameOf(snapshot)})`, () => mock.restore(snapshot)),
  }
}

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
