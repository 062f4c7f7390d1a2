import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestInfo } from '@playwright/test'
import { isCalledOperation } from '../../service/contract/endpoints.ts'
import { parseAddress } from '../../service/http/request-head.ts'
import { isFailed } from '../../sessions/journal/failure-kinds.ts'
import { toTarget } from '../../sessions/journal/target.ts'
import type { JournalEntry } from '../../sessions/journal/wiremock-json.ts'
import { findDoubled, findId, findLostChange, isLostResponse } from '../../tools/resilience/checks.ts'
import { CONTROL, toControlScenario, toFailureScenario, toScenarioName } from '../../tools/resilience/failures.ts'
import {
  CELL_VARIABLE,
  countCalls,
  isNeededFor,
  keyOf,
  RESILIENCE_VARIABLE,
  toDelay,
} from '../../tools/resilience/plan.ts'
import type { Control, LearnedTest, TestName, Turn, PlannedVariant } from '../../tools/resilience/plan.ts'
import type { Detail, TrialResult } from '../../tools/resilience/report.ts'
import { isProgress, judge, MOST_REQUESTS } from '../../tools/resilience/verdict.ts'
import type { Evidence } from '../../tools/resilience/verdict.ts'
import type { TestInfo as ReportedTest, TestOutcome } from '../../sessions/session-test.ts'
import type { ProjectPlace } from '../../admin/client/session-handle.ts'
import { createObserver } from './observe.ts'
import type { Observer, Sight } from './observe.ts'
import type { PageMock } from './page-mock.ts'

/** The file `run.json` of the folder: what the tests of a run do. */
export interface RunFile {
  readonly told?: string | undefined
  /** Absent for the ordinary run. */
  readonly turns?: Readonly<Record<string, readonly Turn[]>>
  readonly tests: readonly LearnedTest[]
}

/** A test of a resilience run. */
export interface Trial {
  /** Undefined if the test runs without a failure. */
  readonly variant: PlannedVariant | Control | undefined
  /** Returns the mock with the failure, which stays active whatever scenarios the test uses. */
  start(mock: PageMock): Promise<PageMock>
  /** Looks at the pages before they are closed. */
  look(): Promise<void>
  /** Writes down what was found, while the session still exists. */
  finish(mock: PageMock, outcome: TestOutcome): Promise<void>
  /** Ends the test, which may not have used the mock. */
  end(outcome: TestOutcome): Promise<void>
}

/** The resilience run of a worker. */
export interface ResilienceRun {
  readonly file: RunFile
  readonly folder: string
  /** The test that runs now; undefined during hooks that belong to several tests. */
  trial: Trial | undefined
  /** The number of tests that have started in the worker. */
  started: number
  /** The serial suites of tests, by test id. */
  readonly serialSuites: Readonly<Record<string, string>>
}

/** Reads the run that the environment names, if any. */
export function findRun(): ResilienceRun | undefined {
  const folder = process.env[RESILIENCE_VARIABLE]
  const path = join(folder ?? '', 'run.json')
  if (folder === undefined || !existsSync(path)) return undefined
  mkdirSync(join(folder, 'results'), { recursive: true })
  const suites = join(folder, 'serial.json')
  return {
    // Written by the command, and by the reporter that it adds to Playwright.
    file: JSON.parse(readFileSync(path, 'utf8')) as RunFile,
    serialSuites: existsSync(suites) ? (JSON.parse(readFileSync(suites, 'utf8')) as Record<string, string>) : {},
    folder,
    trial: undefined,
    started: 0,
  }
}

/** Whether the test's project prepares other projects or cleans up after them, such as one that signs in. */
const isSetup = ({ config, project }: TestInfo): boolean =>
  config.projects.some(({ dependencies, teardown }) => [...dependencies, teardown].includes(project.name))

/** How much longer than without a failure a variant may take. */
const MOST_TIMES = 3
const MOST_MORE = 10_000

/** Requests as lines: `POST /acme/resource → 409 (failure-conflict)`. */
const toRequestLine = ({ method, url, response, scenarios }: JournalEntry): string =>
  `${method} ${toTarget(url).path} → ${response.fault ?? response.status}${scenarios.length === 0 ? '' : ` (${scenarios.join(', ')})`}`

/** The versions of the resources that the requests of the failed operation named. */
async function describeVersions(mock: PageMock, requests: readonly JournalEntry[]): Promise<readonly string[]> {
  const places = new Map<string, ProjectPlace>()
  for (const { url, absoluteUrl, response, projectKey } of requests) {
    const location = response.headers['location'] ?? response.headers['content-location']
    const id = findId(typeof location === 'string' ? location : url)
    if (id !== undefined && projectKey !== undefined) {
      places.set(id, { projectKey, ...parseAddress(absoluteUrl).baseUrl })
    }
  }
  const lists = Array.from(places, async ([id, place]) => {
    const versions = await mock.versions(id, place).catch(() => [])
    return versions.toReversed().map(({ version, kind, writer }) => {
      const by =
        writer?.kind === 'scenario' ? `by another writer (${writer.scenario})` : `by ${writer?.kind ?? 'fixture'}`
      return `${id} version ${version}: ${kind === 'removed' ? 'removed' : 'written'} ${by}`
    })
  })
  return (await Promise.all(lists)).flat()
}

/** The operation that the app sent far more often than without the failure. */
function findStorm(requests: readonly JournalEntry[], learned: LearnedTest): Evidence['storm'] {
  for (const operation of new Set(requests.map((request) => request.operation).filter(isCalledOperation))) {
    const more = requests.filter((request) => request.operation === operation).length - countCalls(learned, operation)
    if (more > MOST_REQUESTS) return { operation, requests: more }
  }
  return undefined
}

const without = (seen: readonly string[], known: readonly string[]): readonly string[] =>
  seen.filter((one) => !known.includes(one))

/** What a page did that it does not do without the failure. */
const toNew = (sight: Sight, learned: LearnedTest) => ({
  said: without(sight.said, learned.said),
  errors: without(sight.errors, learned.errors),
  hasPage: sight.hasPage,
  isEmpty: sight.isEmpty,
  isAnswering: sight.isAnswering,
  busy: learned.isBusy ? undefined : sight.busy,
})

const isControl = (variant: PlannedVariant | Control): variant is Control => 'isControl' in variant

/** The name of a variant for the mock's list of runs: `updateResource:conflict`. */
export const findVariantName = (trial: Trial | undefined): string | undefined => {
  if (trial?.variant === undefined) return undefined
  const { operation, failure, call } = trial.variant
  return `${operation}:${isControl(trial.variant) ? 'control' : failure}${call === 1 ? '' : ` of call ${call}`}`
}

type Write = (result: TrialResult) => Promise<void>

const isAffected = ({ response, scenarios }: JournalEntry): boolean => isFailed(response) || scenarios.length > 0

/** A test of the ordinary run: notes what it calls and shows. */
function createLearner(
  test: TestName,
  { started: position, serialSuites }: ResilienceRun,
  testInfo: TestInfo,
  observer: Observer,
  write: Write,
): Omit<Trial, 'variant'> {
  const serial = serialSuites[testInfo.testId]
  let isNoted = false

  async function note(requests: readonly JournalEntry[], { status, duration }: TestOutcome): Promise<void> {
    isNoted = true
    const { said, errors, busy } = observer.sight()
    const answered = requests.filter(({ operation }) => isCalledOperation(operation))
    const calls = answered.map(({ operation }) => operation).filter(isCalledOperation)
    // A test that is expected to fail says nothing about a failure, and other tests depend on that of a setup.
    const isLeftOut = isSetup(testInfo) || (status === 'passed' && testInfo.expectedStatus !== 'passed')
    const learned: LearnedTest = {
      test,
      status: isLeftOut ? 'skipped' : status,
      duration,
      calls,
      affected: calls.filter((id, at) => calls.indexOf(id) === at && answered.slice(at, at + 1).some(isAffected)),
      ...(serial === undefined ? {} : { serial }),
      position,
      worker: testInfo.parallelIndex,
      retry: testInfo.retry,
      said,
      errors,
      isBusy: busy !== undefined,
    }
    await write({ learned })
  }

  return {
    start: (mock) => Promise.resolve(mock),
    look: () => observer.lookAtEnd(() => true, false),
    finish: async (mock, outcome) => note(await mock.requests(), outcome),
    // The tests of a serial suite need those before them, even one that does not use the mock.
    end: async (outcome) => (isNoted || serial === undefined ? undefined : note([], outcome)),
  }
}

/**
 * Keeps a failure active, whatever scenarios a test uses, and lets it happen only as often as planned.
 *
 * @returns how to start it, and whether it has happened
 */
function createInjector(variant: PlannedVariant | Control) {
  const { operation, failure, call } = variant
  const name = isControl(variant) ? CONTROL : toScenarioName(failure)
  /** Calls of the operation before the journal was cleared. */
  let earlier = 0
  let hasFired = false

  const countCallsIn = (requests: readonly JournalEntry[]): number =>
    requests.filter((request) => request.operation === operation).length

  function isFired(requests: readonly JournalEntry[]): boolean {
    hasFired ||= requests.some(({ scenarios }) => scenarios.includes(name))
    return hasFired
  }

  /** The failure as far as it has not happened yet. */
  function findRest(requests: readonly JournalEntry[]) {
    const left = isFired(requests) ? 1 : Math.max(1, call - earlier - countCallsIn(requests))
    const scenario = isControl(variant)
      ? toControlScenario(operation, left)
      : toFailureScenario(operation, failure, left)
    return hasFired && scenario.rules.some(({ times }) => times !== undefined) ? [] : [scenario]
  }

  return {
    isFired,
    async start(mock: PageMock): Promise<PageMock> {
      const use: PageMock['use'] = async (...scenarios) => mock.use(...findRest(await mock.requests()), ...scenarios)
      await use(...(await mock.activeScenarios()))
      return {
        ...mock,
        use,
        async reset() {
          const requests = await mock.requests()
          const rest = findRest(requests)
          earlier += countCallsIn(requests)
          await mock.reset()
          await mock.use(...rest, ...(await mock.activeScenarios()))
        },
      }
    },
  }
}

/** A test under a failure: makes it happen, and judges what the app did. */
function createVariant(
  variant: PlannedVariant | Control,
  learned: LearnedTest,
  testInfo: TestInfo,
  observer: Observer,
  write: Write,
) {
  const { operation, failure, call, test } = variant
  const { isFired, start } = createInjector(variant)
  const limit = MOST_TIMES * learned.duration + toDelay(failure) + MOST_MORE
  testInfo.setTimeout(testInfo.timeout === 0 ? limit : Math.min(testInfo.timeout, limit))

  function hasReacted(sight: Sight): boolean {
    const { said, errors, hasPage, isEmpty, isAnswering, busy } = toNew(sight, learned)
    if (testInfo.status === 'passed' || !hasPage) return true
    const isTold = said.some((text) => !isProgress(text))
    return busy === undefined && (isTold || errors.length > 0 || isEmpty || !isAnswering)
  }

  async function collectDetail(mock: PageMock, requests: readonly JournalEntry[], error: string | undefined) {
    const { screenshot } = observer.sight()
    const detail: Detail = {
      error: error?.split('\n')[0],
      requests: requests.map(toRequestLine),
      versions: await describeVersions(
        mock,
        requests.filter((request) => request.operation === operation),
      ),
      explanation: await mock.journal.explainFailures().catch(() => ''),
      ...(screenshot === undefined ? {} : { screenshot: screenshot.toString('base64') }),
    }
    return detail
  }

  async function finish(mock: PageMock, { status, error }: TestOutcome): Promise<void> {
    if (status === 'interrupted' || status === 'skipped') return
    const requests = await mock.requests()
    if (isControl(variant)) return write({ variant, isNoticed: status !== 'passed' })
    if (!isFired(requests)) {
      // On a busy machine: the variant runs again.
      if (status === 'timedOut') return
      const why = `The failure did not happen: the test ended without call ${call} of ${operation}.`
      await write({ variant, leftOut: { test, operation, failure, why } })
      return
    }
    const seen = toNew(observer.sight(), learned)
    const { verdict, why } = judge({
      ...seen,
      status,
      storm: findStorm(requests, learned),
      lost:
        failure === 'conflict'
          ? await findLostChange(mock, (refused, sent) => observer.isDecided(requests, refused, sent))
          : undefined,
      // A browser may send a POST again by itself: then the page sent it only once.
      doubled: findDoubled(requests, (request) => isLostResponse(request) && observer.countLike(request) !== 1),
    })
    const cell = { operation, failure, call, verdict, why, test, session: mock.name }
    const detail = verdict === 'survived' ? undefined : await collectDetail(mock, requests, error)
    const hasMoreRequests =
      requests.filter((request) => isCalledOperation(request.operation)).length > learned.calls.length
    const isQuiet = verdict === 'survived' && !hasMoreRequests && seen.said.every(isProgress)
    await write({ variant, cell, isQuiet, ...(detail === undefined ? {} : { detail }) })
  }

  const needsScreenshot = (): boolean =>
    !isControl(variant) && (testInfo.status !== 'passed' || failure === 'conflict' || failure === 'reset-after')

  /**
   * A variant that failed was expected to: Playwright does not retry it, does not restart the worker, and goes on with a
   * serial suite.
   */
  function end(): Promise<void> {
    const { status } = testInfo
    if (status === 'failed' || status === 'timedOut') testInfo.expectedStatus = status
    return Promise.resolve()
  }

  return { start, look: () => observer.lookAtEnd(hasReacted, needsScreenshot()), finish, end }
}

const doNothing = (): Promise<void> => Promise.resolve()

/**
 * Starts a test of a resilience run. Skips it if nothing is planned for this repetition.
 *
 * @param reported the test as the mock lists it
 */
export function startTrial(run: ResilienceRun, testInfo: TestInfo, reported: ReportedTest): Trial {
  const { file, folder } = run
  run.started += 1
  const { title, line, project } = reported
  const test: TestName = { title, file: reported.file, line, ...(project === undefined ? {} : { project }) }
  const observer = createObserver(file.told)
  const write: Write = (result) =>
    writeFile(join(folder, 'results', `${crypto.randomUUID()}.json`), JSON.stringify(result))

  /** Adds what every trial has: it observes each browser context of the test. */
  function toTrial(variant: PlannedVariant | undefined, { start, ...others }: Omit<Trial, 'variant'>): Trial {
    return {
      variant,
      ...others,
      async start(plain) {
        const mock = await start(plain)
        return {
          ...mock,
          async enter(context) {
            await mock.enter(context)
            await observer.watch(context)
          },
        }
      },
    }
  }

  if (file.turns === undefined) {
    const cell = process.env[CELL_VARIABLE]
    const isNeeded =
      cell === undefined || isSetup(testInfo) || isNeededFor(cell, test, run.serialSuites[testInfo.testId])
    testInfo.skip(!isNeeded, `${CELL_VARIABLE} selects another test.`)
    return toTrial(undefined, createLearner(test, { ...run }, testInfo, observer, write))
  }
  const { repeatEachIndex, retry } = testInfo
  const key = keyOf(test)
  const planned = file.turns[key]?.[repeatEachIndex] ?? 'skip'
  const turn = planned === 'skip' && isSetup(testInfo) && repeatEachIndex === 0 ? 'ordinary' : planned
  // The first attempt of a variant decides.
  testInfo.skip(turn === 'skip' || retry > 0, 'No failure is planned for this repetition.')
  const learned = file.tests.find((one) => keyOf(one.test) === key)
  if (typeof turn === 'object' && learned !== undefined) {
    return toTrial(turn, createVariant(turn, learned, testInfo, observer, write))
  }
  return {
    variant: undefined,
    start: (mock) => Promise.resolve(mock),
    look: doNothing,
    finish: doNothing,
    end: doNothing,
  }
}
