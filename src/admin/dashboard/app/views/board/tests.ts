import type { toRunJson, toTestJson } from '../../../../api/runs.ts'
import { findVerdict, toTestKey, verdicts } from '../../../../../sessions/session-test.ts'
import type { Verdict } from '../../../../../sessions/session-test.ts'
import { findFailureKind } from '../../../../../sessions/journal/failure-kinds.ts'
import type { MarkKind } from '../../parts/status.tsx'

/** A test of a run, as the admin API shows it. */
export type BoardTest = ReturnType<typeof toTestJson>

export type BoardRun = ReturnType<typeof toRunJson>

export interface RunWithTests extends BoardRun {
  readonly tests: readonly BoardTest[]
}

/** A test of a run with its attempts. */
export interface RunTest {
  readonly key: string
  /** Oldest first. */
  readonly attempts: readonly [BoardTest, ...BoardTest[]]
  readonly last: BoardTest
  readonly verdict: Verdict
  /** Why its last attempt that failed did; empty if none did. */
  readonly cause: string
  /** The same for failures of the same kind. */
  readonly causeKey: string
}

/** The mark of a verdict. */
export const VERDICT_MARKS: Readonly<Record<Verdict, MarkKind>> = {
  failed: 'failure',
  interrupted: 'failure',
  flaky: 'warning',
  running: 'neutral',
  passed: 'good',
  skipped: 'neutral',
}

const findAttemptVerdict = ({ status, archive }: BoardTest): Verdict =>
  findVerdict([{ status, isLive: archive === 'live' }])

/** How an attempt went, and its mark. */
export function toOutcome(test: BoardTest): readonly [name: string, mark: MarkKind] {
  const verdict = findAttemptVerdict(test)
  return [test.status === 'timedOut' ? 'timed out' : verdict, VERDICT_MARKS[verdict]]
}

export const isRed = (test: BoardTest): boolean => ['failed', 'interrupted'].includes(findAttemptVerdict(test))

export const toTitle = ({ title }: Pick<BoardTest, 'title'>): string => title.join(' › ')

/** Distinguishes tests with the same title. */
export const toVariant = ({ project, variant }: BoardTest): string =>
  [project, variant].filter((text) => text !== undefined).join(' · ')

/** Why an attempt failed: the failures that it met, and the error. */
function toCause(test: BoardTest): Pick<RunTest, 'cause' | 'causeKey'> {
  const failures = listFailures(test).join(', ')
  const error = test.error === undefined ? toOutcome(test)[0] : toErrorLine(test.error)
  return {
    cause: [failures, error].filter(Boolean).join(' · '),
    // Errors that differ only in values have one cause.
    causeKey: failures || error.replaceAll(/"[^"]*"|'[^']*'|`[^`]*`|[\da-f]{8}-[\da-f-]{27}|\d+/g, '…'),
  }
}

function toRunTest(key: string, attempts: RunTest['attempts']): RunTest {
  const verdict = findVerdict(attempts.map(({ status, archive }) => ({ status, isLive: archive === 'live' })))
  const failed = attempts.findLast(isRed)
  const cause = failed === undefined ? { cause: '', causeKey: '' } : toCause(failed)
  return { key, attempts, last: attempts.at(-1) ?? attempts[0], verdict, ...cause }
}

/** The tests of a run with their attempts: failed ones first, then in the order of their first attempts. */
export function toRunTests(attempts: readonly BoardTest[]): readonly RunTest[] {
  const tests = new Map<string, [BoardTest, ...BoardTest[]]>()
  for (const attempt of attempts) {
    const key = toTestKey(attempt)
    const known = tests.get(key)
    if (known === undefined) tests.set(key, [attempt])
    else known.push(attempt)
  }
  return Array.from(tests, ([key, own]) => toRunTest(key, own)).toSorted(
    (a, b) => verdicts.indexOf(a.verdict) - verdicts.indexOf(b.verdict),
  )
}

/** The attempt that is opened first: the last one that failed, if there is one. */
export const toFirstOpened = ({ attempts, last }: RunTest): BoardTest => attempts.findLast(isRed) ?? last

/** How many of the outermost suites all tests have in common. */
export function countSharedTitles(tests: readonly RunTest[]): number {
  const [first = [], ...others] = tests.map(({ last }) => last.title)
  let shared = 0
  while (
    [first, ...others].every((title) => title.length > shared + 1) &&
    others.every((title) => title[shared] === first[shared])
  )
    shared += 1
  return others.length === 0 ? 0 : shared
}

/** Which tests of a run are listed; an empty value is any. */
export interface TestFilter {
  readonly search: string
  readonly result: string
  readonly project: string
  readonly file: string
  readonly cause: string
}

/** The values by which tests can be filtered. */
const filterValues = {
  result: ({ verdict }: RunTest) => [verdict],
  project: ({ last }: RunTest) => [last.project ?? ''],
  file: ({ last }: RunTest) => [last.file],
  cause: ({ causeKey }: RunTest) => [causeKey],
} as const satisfies Readonly<Record<Exclude<keyof TestFilter, 'search'>, (test: RunTest) => readonly string[]>>

const listValues = (test: RunTest, name: keyof typeof filterValues): readonly string[] => filterValues[name](test)

/** The text that a search looks at: title, file, worker, result, cause, session, scenarios and error. */
function toSearched({ attempts, verdict, cause }: RunTest): string {
  const texts = attempts.flatMap((test) => {
    const { file, error = '', worker, session, scenarios } = test
    return [toTitle(test), file, `w${worker}`, session, toVariant(test), error, ...scenarios]
  })
  return [verdict, cause, ...texts].join('\n').toLowerCase()
}

/** The tests that match a filter; each word of a search must occur. */
export function filterTests(tests: readonly RunTest[], { search, ...values }: TestFilter): readonly RunTest[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return tests.filter((test) => {
    const isSelected = (name: keyof typeof filterValues): boolean =>
      values[name] === '' || listValues(test, name).includes(values[name])
    if (!(['result', 'project', 'file', 'cause'] as const).every(isSelected)) return false
    if (words.length === 0) return true
    const searched = toSearched(test)
    return words.every((word) => searched.includes(word))
  })
}

/** How many tests have each value, the most frequent first. */
export function countValues(
  tests: readonly RunTest[],
  name: keyof typeof filterValues,
): readonly (readonly [value: string, count: number])[] {
  const counts = new Map<string, number>()
  for (const test of tests) {
    for (const value of listValues(test, name)) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)
}

/** The first line of an error; `expected 200, got 409` if it has these values. */
export function toErrorLine(error: string): string {
  const expected = /^\s*Expected(?: \w+)?:\s+(.+)$/m.exec(error)?.[1]
  const received = /^\s*Received(?: \w+)?:\s+(.+)$/m.exec(error)?.[1]
  if (expected !== undefined && received !== undefined) return `expected ${expected}, got ${received}`
  return (error.split('\n', 1)[0] ?? '').replace(/^Error: /, '')
}

/**
 * The failures that a test met: those that should have been sent again and were not, such as `409 not retried`, and those
 * that no retry mends, such as `403 missing scope`.
 */
export function listFailures({ responses }: Pick<BoardTest, 'responses'>): readonly string[] {
  const texts = responses
    .filter(
      ({ clientLeft, status, count, retried }) =>
        clientLeft === undefined && (status === 0 || status >= 400) && retried < count,
    )
    .map(({ status }) => {
      const { kind, isRetryable } = findFailureKind(status)
      return `${status === 0 ? 'broken' : status} ${isRetryable ? 'not retried' : kind.replaceAll('-', ' ')}`
    })
  return [...new Set(texts)]
}

/** How the tests of a run went, by the keys of the tests. */
export type Verdicts = ReadonlyMap<string, Verdict>

export const toVerdicts = (tests: readonly RunTest[]): Verdicts =>
  new Map(tests.map(({ key, verdict }) => [key, verdict]))

const isFailed = (verdict: Verdict | undefined): boolean => verdict === 'failed' || verdict === 'interrupted'

/** Whether a test failed or was flaky, and did not go as badly in another run. */
export const isNewIn = ({ key, verdict }: RunTest, before: Verdicts): boolean =>
  (isFailed(verdict) || verdict === 'flaky') &&
  verdicts.indexOf(verdict) < verdicts.indexOf(before.get(key) ?? 'passed')

/**
 * How a failed test went before: `new`, or `failed in 3 of the last 5 runs`.
 *
 * @param earlier runs, the newest first
 */
export function toPastText(test: RunTest, earlier: readonly Verdicts[]): string | undefined {
  const [before] = earlier
  if (before === undefined || !isFailed(test.verdict)) return undefined
  if (isNewIn(test, before)) return 'new'
  const failed = earlier.filter((run) => isFailed(run.get(test.key))).length + 1
  return `failed in ${failed} of the last ${earlier.length + 1} runs`
}

/** The orders of a list of tests, by the name of the column. */
const TEST_ORDERS: Readonly<Record<string, (test: RunTest) => string | number>> = {
  result: ({ verdict }) => verdicts.indexOf(verdict),
  test: ({ last }) => toTitle(last),
  requests: ({ last }) => last.requests,
  took: ({ last }) => last.duration ?? 0,
}

/** Sorts tests by a column, descending with a `-` in front. */
export function sortTests(tests: readonly RunTest[], sort: string): readonly RunTest[] {
  const toKey = TEST_ORDERS[sort.replace('-', '')]
  if (toKey === undefined) return tests
  const sign = sort.startsWith('-') ? -1 : 1
  return tests.toSorted((a, b) => {
    const [one, other] = [toKey(a), toKey(b)]
    return (
      sign * (typeof one === 'string' ? one.localeCompare(String(other), 'en', { numeric: true }) : one - Number(other))
    )
  })
}

/** The command that runs these tests again with Playwright. */
export const toCommand = (tests: readonly RunTest[]): string =>
  ['npx playwright test', ...new Set(tests.map(({ last: { file, line } }) => `${file}:${line}`))].join(' ')
