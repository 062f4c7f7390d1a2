import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, relative, sep } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { test as base } from '@playwright/test'
import type { PlaywrightTestOptions, TestInfo, TestType, WorkerInfo } from '@playwright/test'
import { SetupError } from '../../errors.ts'
import { showValue } from '../../service/http/json.ts'
import { attachCoverage, collectsCoverage } from '../reporter/coverage-reporter.ts'
import type { SessionBy } from './contexts.ts'
import { createPageWatch } from './lost-session.ts'
import type { PageWatch } from './lost-session.ts'
import { createPageMock } from './page-mock.ts'
import type { PageMock, PageTestEnded } from './page-mock.ts'
import { findRun, findVariantName, startTrial } from './resilience.ts'
import type { ResilienceRun, Trial } from './resilience.ts'
import { RUN } from './run.ts'
import { useServer } from './server.ts'
import type { MockServer, MockServerOptions } from './server.ts'
import type { TestInfo as ReportedTest, TestOutcome } from '../../sessions/session-test.ts'

/**
 * Attaches a page to the report of a test that shows what the mock saw of it, without a mock: as a file, because some
 * reporters print the text of other attachments. A mock that cannot create it, such as an older version, must not fail the
 * test.
 */
async function attachShareFile(testInfo: TestInfo, mock: PageMock): Promise<void> {
  const page = await mock.share()
  if (page === undefined) return
  const path = testInfo.outputPath('mock.html')
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, page)
  // Copies the file.
  await testInfo.attach('mock.html', { path, contentType: 'text/html' })
  await rm(path)
}

const toText = (value: unknown): string => JSON.stringify(value, null, 2)

/**
 * Attaches the requests and responses of the test's session to its report, as JSON and as HAR, and explains those that
 * failed.
 */
export async function attachJournal(testInfo: TestInfo, mock: PageMock): Promise<void> {
  const [requests, har, failures] = await Promise.all([
    mock.requests(),
    mock.journal.toHar(),
    // A mock of an older version has no explanations.
    mock.journal.explainFailures().catch(() => ''),
  ])
  const contentType = 'application/json'
  await testInfo.attach('mock-journal.json', { body: toText(requests), contentType })
  await testInfo.attach('mock-journal.har', { body: toText(har), contentType })
  if (failures !== '') await testInfo.attach('mock-failures.txt', { body: failures, contentType: 'text/plain' })
}

/** Identifies a test in a run. */
export interface TestIdentity {
  readonly title: string
  /** From Playwright: hashes of the file and the title, including project and repetition. */
  readonly testId: string
  readonly retry: number
}

/** Characters of the title in a session name, which is limited to 64 characters. */
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
 * Names the session of a test. The name is readable in the dashboard and unique: no other test uses it, in this run or in
 * another one on the same server, and no hook with its own fixtures.
 *
 * @param random makes the name unique
 * @example toSessionName({ title: 'Saves after a conflict', testId: 'a30a6eba6312f6b87ea5-9c54b7e1…', retry: 0 },
 * '5f0c1d2e')
 * // 'saves-after-a-conflict-a30a6eba9c54b7e1-5f0c1d2e'
 */
export function toSessionName({ title, testId, retry }: TestIdentity, random: string): string {
  const [file = '', test = ''] = testId.split('-')
  const name = `${toSlug(title)}-${shorten(file)}${shorten(test)}-${shorten(random)}`
  return retry === 0 ? name : `${name}-r${retry}`
}

/** Limits of the admin API, in characters. */
const MOST_OF = { title: 500, error: 10_000, name: 200 }

/** Describes a test for the mock's list of runs. */
function describeTest({ config, titlePath, file, line, project, ...info }: TestInfo, trial?: Trial): ReportedTest {
  const { name } = project
  const repetition = info.repeatEachIndex === 0 ? undefined : `repeat ${info.repeatEachIndex}`
  const variant = findVariantName(trial) ?? repetition
  return {
    run: (process.env[RUN] ?? `playwright ${process.ppid}`).slice(0, MOST_OF.name),
    // The first title is the file's.
    title: titlePath.slice(1, 20).map((title) => title.slice(0, MOST_OF.title)),
    file: relative(config.rootDir, file).replaceAll(sep, '/'),
    line,
    // Unlike the index of a worker, the same after a failure has replaced the worker.
    worker: info.parallelIndex,
    retry: info.retry,
    ...(name === '' ? {} : { project: name.slice(0, MOST_OF.name) }),
    ...(variant === undefined ? {} : { variant }),
  }
}

/** The outcome of a test. A test that failed as expected has passed. */
export function toOutcome({
  status,
  expectedStatus,
  duration,
  error,
}: Pick<TestInfo, 'status' | 'expectedStatus' | 'duration' | 'error'>): TestOutcome {
  const failed = status === 'passed' || status === undefined ? 'failed' : status
  const isExpected = status === expectedStatus && status !== 'skipped'
  const message = error?.message ?? error?.value
  const text = message === undefined ? {} : { error: stripVTControlCharacters(message).slice(0, MOST_OF.error) }
  return { status: isExpected ? 'passed' : failed, duration, ...text }
}

type Step = TestType<object, object>['step']

/** Formats any argument for a step title; the mock itself validates it. */
function nameOf(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null && 'name' in value ? String(value.name) : 'inline'
}

/** Wraps a mock so that every change to it is a test step in reports and traces. */
export function inSteps(mock: PageMock, step: Step): PageMock {
  /** Boxed, so that an error points to the line in the test. Playwright needs the `await` to find that line. */
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
    seed: (records, place) =>
      inStep(`seed(${Array.isArray(records) ? records.length : ''})`, () => mock.seed(records, place)),
    snapshot: (name) => inStep(`snapshot(${name ?? ''})`, () => mock.snapshot(name)),
    restore: (snapshot) => inStep(`restore(${nameOf(snapshot)})`, () => mock.restore(snapshot)),
  }
}

/** @throws {SetupError} for an invalid value. */
function expectSessionBy(value: SessionBy): SessionBy {
  if (value === 'cookie' || value === 'header') return value
  throw new SetupError(`sessionBy is ${showValue(value)}. Use 'cookie' or 'header'.`)
}

/** Test options, for `use` in the configuration or `test.use`. */
export interface MockTestOptions {
  /** Names of the scenarios that are active at the start of each test, as in `mock.use`. Default: those of the mock. */
  mockScenario: string | readonly string[] | undefined
  /**
   * How requests from pages name the test's session. `cookie`: with a cookie, which a page on another origin sends only
   * with `credentials: 'include'`. `header`: with a header that Playwright adds to each request to the mock, so the app
   * needs no change. Default `cookie`.
   */
  sessionBy: SessionBy
}

/** Worker options, for `use` in the configuration or `test.use`. */
export interface MockWorkerOptions {
  /**
   * The URL of a running mock that all workers share, such as `http://127.0.0.1:4010`. Default: each worker starts its own
   * mock on a free port.
   */
  mockUrl: string | undefined
  /** The token of the mock's admin API. */
  mockAdminToken: string | undefined
  /**
   * Options of the mock that a worker starts, as for `startServer`. With `mockUrl`: the options the running mock must have
   * been started with; `{}` for none. If they differ, the tests fail with a message that lists the differences.
   */
  mockOptions: MockServerOptions | undefined
}

export interface MockTestFixtures {
  /** The mock, in a session for this test only. */
  mock: PageMock
  /** @internal */
  mockTest: void
}

/** What the tests of a worker share. */
interface MockWorker {
  readonly pages: PageWatch
  /** Undefined unless `resource-mock resilience` runs the tests. */
  readonly run: ResilienceRun | undefined
  /** Whether a test runs now, and not a hook that belongs to several tests. */
  isInTest: boolean
}

export interface MockWorkerFixtures {
  /** The mock of the worker: its URL and admin token. */
  mockServer: MockServer
  /** @internal */
  mockWorker: MockWorker
}

type Use<Value> = (value: Value) => Promise<void>

/** The fixture `mockServer`. */
export function provideServer(
  { mockUrl, mockAdminToken, mockOptions }: MockWorkerOptions,
  use: Use<MockServer>,
  { config: { configFile, rootDir }, project }: WorkerInfo,
): Promise<void> {
  const root = configFile === undefined ? rootDir : dirname(configFile)
  const { ignoreHTTPSErrors: ignoresHttpsErrors } = project.use
  return useServer({ mockUrl, mockAdminToken, mockOptions, root, ignoresHttpsErrors }, use)
}

/** The fixture `mockWorker`. */
export const createWorker = (): MockWorker => ({ pages: createPageWatch(), run: findRun(), isInTest: false })

/** The fixture `mockTest`. */
export async function provideTest(mockWorker: MockWorker, use: () => Promise<void>, testInfo: TestInfo): Promise<void> {
  const { run } = mockWorker
  mockWorker.isInTest = true
  const trial = run && startTrial(run, testInfo, describeTest(testInfo))
  if (run !== undefined) run.trial = trial
  await use()
  if (run !== undefined) run.trial = undefined
  mockWorker.isInTest = false
  await trial?.end(toOutcome(testInfo))
}

/** The fixture `mock`. */
export async function provideMock(
  {
    mockServer,
    mockScenario,
    sessionBy,
    baseURL,
    ignoreHTTPSErrors: ignoresHttpsErrors,
    mockWorker,
  }: MockTestOptions & MockWorkerFixtures & Pick<PlaywrightTestOptions, 'baseURL' | 'ignoreHTTPSErrors'>,
  use: Use<PageMock>,
  testInfo: TestInfo,
): Promise<void> {
  const { pages, run, isInTest } = mockWorker
  const trial = run?.trial
  // A hook belongs to no test.
  const test = isInTest ? describeTest(testInfo, trial) : undefined
  const name = toSessionName(testInfo, crypto.randomUUID())
  const plain = createPageMock({
    server: mockServer,
    name,
    baseURL,
    sessionBy: expectSessionBy(sessionBy),
    ignoresHttpsErrors,
  })
  const scenarios = mockScenario === undefined ? undefined : [mockScenario].flat()
  const received = pages.begin()
  // Runs beside the test, unless the test depends on its scenarios. An error is reported below.
  const starting = plain.start(test, trial === undefined ? scenarios : undefined)
  starting.catch(() => undefined)
  let before: string | undefined
  let ended: PageTestEnded | undefined
  // A hook that runs after a test has failed has not failed itself.
  const { length: earlierErrors } = testInfo.errors
  const hasFailed = (): boolean =>
    isInTest ? testInfo.status !== testInfo.expectedStatus : testInfo.errors.length > earlierErrors
  const needsReport = (): boolean => hasFailed() && trial?.variant === undefined
  try {
    if (scenarios !== undefined) await starting
    const mock = (await trial?.start(plain)) ?? plain
    // A trial adds its failure to them.
    if (trial !== undefined && scenarios !== undefined) await mock.use(...scenarios)
    await use(inSteps(mock, base.step))
    if (needsReport()) await attachJournal(testInfo, mock)
  } finally {
    try {
      before = await starting
      // The fixture `context` has looked before, unless the test opens only contexts of its own.
      await trial?.look()
      await trial?.finish(plain, toOutcome(testInfo))
      const needsCoverage = run === undefined && collectsCoverage(testInfo)
      ended = await plain.end(test, { outcome: toOutcome(testInfo), needsCoverage, keepsSession: needsReport() })
      if (ended.coverage !== undefined) await attachCoverage(testInfo, ended.coverage)
      if (needsReport()) await attachShareFile(testInfo, plain)
    } finally {
      if (ended?.isRetired !== true) await plain.retire()
    }
  }
  if (trial?.variant !== undefined) return
  const { after, hasRequests } = ended
  const why = await plain.explainLostSession(received, { before, after, hasRequests, hasFailed: hasFailed() })
  if (why === undefined) return
  // Thrown so that every reporter shows it. A test that is expected to fail must not fail because of it.
  if (hasFailed() && testInfo.status !== 'passed') throw new SetupError(why)
  testInfo.annotations.push({ type: 'lost session', description: why })
  process.stderr.write(`${why}\n`)
}
