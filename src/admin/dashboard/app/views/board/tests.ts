import type { toRunJson } from '../../../../api/runs.ts'
import type { SeenResponses } from '../../../../../sessions/journal/journal.ts'
import type { Runs } from '../../../../../sessions/runs.ts'
import { findVerdict, toTestKey, verdicts } from '../../../../../sessions/session-test.ts'
import type { Verdict } from '../../../../../sessions/session-test.ts'
import { isFailure } from '../../parts/status.tsx'

/** A test of a run, as the admin API shows it. */
export type BoardTest = ReturnType<Runs['toTestJson']>

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

/** What a verdict is called, and its mark, as Mark shows it. */
export const VERDICTS: Readonly<Record<Verdict, readonly [name: string, mark: number]>> = {
  failed: ['failed', 5],
  interrupted: ['interrupted', 5],
  flaky: ['flaky', 4],
  running: ['running', 1],
  passed: ['passed', 2],
  skipped: ['skipped', 1],
}

const findAttemptVerdict = ({ status, archive }: BoardTest): Verdict =>
  findVerdict([{ status, isLive: archive === 'live' }])

/** How an attempt went, and its mark. */
export const toOutcome = (test: BoardTest): readonly [name: string, mark: number] =>
  test.status === 'timedOut' ? ['timed out', 5] : VERDICTS[findAttemptVerdict(test)]

export const isRed = (test: BoardTest): boolean => ['failed', 'interrupted'].includes(findAttemptVerdict(test))

export const toTitle = ({ title }: Pick<BoardTest, 'title'>): string => title.join(' › ')

/** Distinguishes tests with the same title. */
export const toVariant = ({ project, variant }: BoardTest): string =>
  [project, variant].filter((text) => text !== undefined).join(' · ')

/** Why an attempt failed: what the client did not retry, and the error. */
function toCause(test: BoardTest): Pick<RunTest, 'cause' | 'causeKey'> {
  const unretried = toUnretried(test).join(', ')
  const error = test.error === undefined ? toOutcome(test)[0] : toErrorLine(test.error)
  return {
    cause: [unretried, error].filter(Boolean).join(' · '),
    // Errors that differ only in values have one cause.
    causeKey: unretried || error.replaceAll(/"[^"]*"|'[^']*'|`[^`]*`|[\da-f]{8}-[\da-f-]{27}|\d+/g, '…'),
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
  readonly worker: string
  readonly cause: string
}

/** The values by which tests can be filtered. */
const filterValues = {
  result: ({ verdict }: RunTest) => [verdict],
  project: ({ last }: RunTest) => [last.project ?? ''],
  file: ({ last }: RunTest) => [last.file],
  worker: ({ attempts }: RunTest) => [...new Set(attempts.map(({ worker = 0 }) => `w${worker}`))],
  cause: ({ causeKey }: RunTest) => [causeKey],
} as const satisfies Readonly<Record<Exclude<keyof TestFilter, 'search'>, (test: RunTest) => readonly string[]>>

const listValues = (test: RunTest, name: keyof typeof filterValues): readonly string[] => filterValues[name](test)

/** The text that a search looks at: title, file, worker, result, session, scenarios and error. */
function toSearched({ attempts, verdict }: RunTest): string {
  const texts = attempts.flatMap((test) => {
    const { file, error = '', worker, session, scenarios } = test
    return [toTitle(test), file, `w${worker}`, session, toVariant(test), error, ...scenarios]
  })
  return [verdict, ...texts].join('\n').toLowerCase()
}

/** The tests that match a filter; each word of a search must occur. */
export function filterTests(tests: readonly RunTest[], { search, ...values }: TestFilter): readonly RunTest[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return tests.filter((test) => {
    const isSelected = (name: keyof typeof filterValues): boolean =>
      values[name] === '' || listValues(test, name).includes(values[name])
    if (!(['result', 'project', 'file', 'worker', 'cause'] as const).every(isSelected)) return false
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

/** The failed responses that no request followed, such as `409 not retried`. */
export const toUnretried = ({ responses }: Pick<BoardTest, 'responses'>): readonly string[] =>
  responses
    .filter(({ status, count, retried }) => isFailure(status) && retried < count)
    .map(({ status }) => `${status === 0 ? 'broken connection' : status} not retried`)
    .filter((text, at, all) => all.indexOf(text) === at)

/** Where a test is in the strip over time: its lane, its start and its length, both as a share of the time of all. */
export interface Bar {
  readonly test: BoardTest
  readonly lane: number
  readonly start: number
  readonly length: number
}

/** Lays tests out over time, a lane for each worker. A test without an end lasts until the last known time. */
export function layOut(tests: readonly BoardTest[]): {
  readonly lanes: readonly string[]
  readonly bars: readonly Bar[]
} {
  const workers = [...new Set(tests.map(({ worker }) => worker ?? 0))].toSorted((a, b) => a - b)
  const known = tests.flatMap(({ startedAt, endedAt = startedAt }) => [Date.parse(startedAt), Date.parse(endedAt)])
  const first = known.reduce((least, time) => Math.min(least, time), Infinity)
  const last = known.reduce((most, time) => Math.max(most, time), 0)
  const span = Math.max(1, last - first)
  return {
    lanes: workers.map((worker) => `w${worker}`),
    bars: tests.map((test) => {
      const start = Date.parse(test.startedAt)
      const end = test.endedAt === undefined ? last : Date.parse(test.endedAt)
      return {
        test,
        lane: workers.indexOf(test.worker ?? 0),
        start: (start - first) / span,
        length: (end - start) / span,
      }
    }),
  }
}

/** A test of two runs whose requests or result differ. */
export interface TestDifference {
  readonly key: string
  readonly before: RunTest | undefined
  readonly now: RunTest | undefined
  /** The new run's test, or else the former one's. */
  readonly test: BoardTest
  /** What only the new run has, as words. */
  readonly added: readonly string[]
  /** What only the former run has. */
  readonly removed: readonly string[]
}

const nameOfResponse = ({ operation, method, status }: SeenResponses): string =>
  `${operation ?? `${method} without operation`} ${status === 0 ? 'broken connection' : status}`

/** What the last attempt of `one` has more of than that of `other`: requests by operation and status, and retries. */
function findMore(one: RunTest | undefined, other: RunTest | undefined): readonly string[] {
  const known = new Map(other?.last.responses.map((seen) => [nameOfResponse(seen), seen]))
  return (one?.last.responses ?? []).flatMap((seen) => {
    const name = nameOfResponse(seen)
    const count = seen.count - (known.get(name)?.count ?? 0)
    const retried = seen.retried - (known.get(name)?.retried ?? 0)
    return [
      ...(count > 0 ? [count === 1 ? name : `${name} × ${count}`] : []),
      ...(retried > 0 ? [retried === 1 ? `a retry after ${name}` : `${retried} retries after ${name}`] : []),
    ]
  })
}

const byKey = (tests: readonly RunTest[]): ReadonlyMap<string, RunTest> =>
  new Map(tests.map((test) => [test.key, test]))

/** Compares the tests of two runs. Tests that became red come first, then those that became flaky. */
export function compareRuns(before: readonly RunTest[], now: readonly RunTest[]): readonly TestDifference[] {
  const [old, current] = [byKey(before), byKey(now)]
  const rows = [...new Set([...current.keys(), ...old.keys()])].flatMap((key) => {
    const [was, is] = [old.get(key), current.get(key)]
    const test = (is ?? was)?.last
    const [added, removed] = [findMore(is, was), findMore(was, is)]
    const isSame = added.length === 0 && removed.length === 0 && was?.verdict === is?.verdict
    return test === undefined || isSame ? [] : [{ key, test, before: was, now: is, added, removed }]
  })
  const rank = ({ now: is, before: was }: TestDifference): number =>
    is === undefined ? verdicts.length : verdicts.indexOf(is.verdict) + (is.verdict === was?.verdict ? 0.5 : 0)
  return rows.toSorted((a, b) => rank(a) - rank(b))
}
