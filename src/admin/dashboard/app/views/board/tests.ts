import type { toRunJson } from '../../../../api/runs.ts'
import type { SeenResponses } from '../../../../../sessions/journal/journal.ts'
import type { Runs } from '../../../../../sessions/runs.ts'
import { groupBy } from '../../../../../util/collections.ts'
import { isFailure } from '../../parts/status.tsx'

/** A test of a run, as the admin API shows it. */
export type BoardTest = ReturnType<Runs['toTestJson']>

export type BoardRun = ReturnType<typeof toRunJson>

export interface RunWithTests extends BoardRun {
  readonly tests: readonly BoardTest[]
}

/** `running` is also the state of a test whose runner has reported no outcome. */
export const toState = ({ status }: BoardTest): NonNullable<BoardTest['status']> | 'running' => status ?? 'running'

export const isRed = (test: BoardTest): boolean => !['passed', 'skipped', 'running'].includes(toState(test))

/** The mark of a test's state, as Mark shows it. */
export const toTestKind = (test: BoardTest): 1 | 2 | 5 =>
  toState(test) === 'passed' ? 2 : ['failed', 'timedOut'].includes(toState(test)) ? 5 : 1

export const toTitle = ({ title }: Pick<BoardTest, 'title'>): string => title.join(' › ')

/** Distinguishes otherwise identical executions of a test. */
export const toVariant = ({ project, retry = 0, variant }: BoardTest): string =>
  [project, variant, retry > 0 && `retry ${retry}`].filter((text) => text !== undefined && text !== false).join(' · ')

const RANKS = { failed: 0, timedOut: 0, interrupted: 1, running: 2, passed: 3, skipped: 4 }

const rankOfTest = (test: BoardTest): number => RANKS[toState(test)]

/** What the variants and retries of a test have in common. */
const toTestGroup = ({ file, title, project }: BoardTest): string => JSON.stringify([file, title, project])

/**
 * Failed tests first, then those that run, then the others; the oldest first. The variants and retries of a test are below
 * it, failed ones first.
 */
export function sortTests(tests: readonly BoardTest[]): readonly BoardTest[] {
  const groups = groupBy(tests, toTestGroup).map((group) =>
    group.toSorted((a, b) => Number(isRepeated(a)) - Number(isRepeated(b)) || rankOfTest(a) - rankOfTest(b)),
  )
  const least = (group: readonly BoardTest[]): number => Math.min(...group.map(rankOfTest))
  return groups.toSorted((a, b) => least(a) - least(b)).flat()
}

/** Whether a test is another execution of one that a list may have above it. */
const isRepeated = ({ variant, retry = 0 }: BoardTest): boolean => variant !== undefined || retry > 0

/** The ids of the tests that are below another execution of the same test. */
export const findRepeated = (tests: readonly BoardTest[]): ReadonlySet<string> =>
  new Set(
    tests.flatMap((test, at) => {
      const above = tests[at - 1]
      return above !== undefined && toTestGroup(above) === toTestGroup(test) ? [test.id] : []
    }),
  )

/** The tests whose title, file, worker, state, session, scenarios or error contain each word. */
export function searchTests(tests: readonly BoardTest[], text: string): readonly BoardTest[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return tests
  return tests.filter((test) => {
    const { file, error = '', worker, session, scenarios } = test
    const all = [toTitle(test), file, `w${worker}`, toState(test), session, toVariant(test), error, ...scenarios]
    const searched = all.join('\n').toLowerCase()
    return words.every((word) => searched.includes(word))
  })
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

/** A test of two runs whose requests or outcome differ. */
export interface TestDifference {
  readonly key: string
  readonly title: string
  readonly variant: string | undefined
  readonly before: BoardTest | undefined
  readonly now: BoardTest | undefined
  /** What only the new run has, as words. */
  readonly added: readonly string[]
  /** What only the former run has. */
  readonly removed: readonly string[]
}

const nameOfResponse = ({ operation, method, status }: SeenResponses): string =>
  `${operation ?? `${method} without operation`} ${status === 0 ? 'broken connection' : status}`

/** What `one` has more of than `other`: requests by operation and status, and retries. */
function findMore(one: BoardTest | undefined, other: BoardTest | undefined): readonly string[] {
  const known = new Map(other?.responses.map((seen) => [nameOfResponse(seen), seen]))
  return (one?.responses ?? []).flatMap((seen) => {
    const name = nameOfResponse(seen)
    const count = seen.count - (known.get(name)?.count ?? 0)
    const retried = seen.retried - (known.get(name)?.retried ?? 0)
    return [
      ...(count > 0 ? [count === 1 ? name : `${name} × ${count}`] : []),
      ...(retried > 0 ? [retried === 1 ? `a retry after ${name}` : `${retried} retries after ${name}`] : []),
    ]
  })
}

/** The last attempt of each test, by what identifies it in any run. */
function byIdentity({ tests }: RunWithTests): ReadonlyMap<string, BoardTest> {
  return new Map(tests.map((test) => [JSON.stringify([test.file, test.title, test.project, test.variant]), test]))
}

/** Compares the last attempts of the tests of two runs by title. Tests that became red come first. */
export function compareRuns(before: RunWithTests, now: RunWithTests): readonly TestDifference[] {
  const [old, current] = [byIdentity(before), byIdentity(now)]
  const rows = [...new Set([...current.keys(), ...old.keys()])].flatMap((key) => {
    const [was, is] = [old.get(key), current.get(key)]
    const test = is ?? was
    const [added, removed] = [findMore(is, was), findMore(was, is)]
    const isSame = added.length === 0 && removed.length === 0 && was?.status === is?.status
    return test === undefined || isSame
      ? []
      : [{ key, title: toTitle(test), variant: test.variant, before: was, now: is, added, removed }]
  })
  const rank = ({ now: is, before: was }: TestDifference): number =>
    is !== undefined && isRed(is) ? (was !== undefined && isRed(was) ? 1 : 0) : 2
  return rows.toSorted((a, b) => rank(a) - rank(b))
}
