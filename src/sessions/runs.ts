import { problem } from '../errors.ts'
import type { SeenByMock } from './journal/summary.ts'
import { archivedBytes } from './archived-session.ts'
import type { ArchivedSession } from './archived-session.ts'
import { EVERY_SESSION } from './events.ts'
import type { Events } from './events.ts'
import { RECORD_BYTES, sizeOf } from '../service/state/memory.ts'
import type { Memory } from '../service/state/memory.ts'
import { createRun } from './run.ts'
import type { Run } from './run.ts'
import type { SessionTest, TestInfo, TestOutcome } from './session-test.ts'

/** A change to the runs. Mocks that share a store apply the changes of each other. */
export type RunChange = { readonly test: SessionTest } | { readonly removedRun: string }

/** Whether a test failed, or its outcome is unknown. */
const hasFailed = ({ outcome }: SessionTest): boolean => outcome?.status !== 'passed' && outcome?.status !== 'skipped'

/** Whether a text may be the id of a test rather than the name of a session. */
export const isTestId = (text: string): boolean => text.includes('~')

/** What a runner describes of a test, without `undefined` members, for comparison. */
const toInfoText = ({ run, title, file, line, project, worker, retry, variant }: TestInfo): string =>
  JSON.stringify([run, title, file, line, project, worker, retry, variant])

/** The maximum number of tests of all runs together. Beyond it, the oldest are forgotten. */
const MOST_TESTS = 10_000

/** Counts the memory of a test and its archived session, in bytes. */
const testBytes = (test: SessionTest): number => RECORD_BYTES + sizeOf(test) + (test.ended?.bytes ?? 0)

export type Runs = ReturnType<typeof createRuns>

/**
 * Creates the runs of a mock (D98): the tests that its sessions belong to, and what is archived of those that have ended.
 *
 * @param parts.shared sends changes to the other mocks; absent if no other mock shares the sessions
 */
export function createRuns(parts: {
  readonly events: Pick<Events, 'publish' | 'hasSubscribers'>
  /** In epoch milliseconds. */
  readonly now: () => number
  readonly memory: Memory
  readonly shared?: { readonly share: (change: RunChange) => void; readonly remove: (id: string) => void } | undefined
  readonly mostTests?: number
}) {
  const { events, now, memory, shared, mostTests = MOST_TESTS } = parts
  /** By id, oldest first. */
  const tests = new Map<string, SessionTest>()
  /** By name, the one that started first first. */
  const runs = new Map<string, Run>()
  /** The id of the latest test of each session. */
  const latest = new Map<string, string>()
  /** The ids of archived sessions, oldest first. */
  const archived = { passed: new Set<string>(), failed: new Set<string>() }
  /** By the id of the test. In a shared store, one that another mock has archived is here once it was read. */
  const sessions = new Map<string, ArchivedSession>()

  /** The test of a session that exists. */
  function ofSession(session: string): SessionTest | undefined {
    const test = tests.get(latest.get(session) ?? '')
    return test?.ended === undefined ? test : undefined
  }

  function openRun(name: string): Run {
    const run = runs.get(name) ?? createRun(name)
    runs.set(name, run)
    return run
  }

  /** Frees an archived session. */
  function evict(id: string): void {
    sessions.delete(id)
    shared?.remove(id)
  }

  function subtract(test: SessionTest): void {
    memory.add('tests', undefined, -testBytes(test))
    for (const ids of Object.values(archived)) ids.delete(test.id)
  }

  function forget(test: SessionTest): void {
    subtract(test)
    tests.delete(test.id)
    const run = openRun(test.run)
    run.remove(test)
    if (run.attemptCount === 0) runs.delete(test.run)
    if (latest.get(test.session) === test.id) latest.delete(test.session)
    evict(test.id)
  }

  function put(test: SessionTest): void {
    const before = tests.get(test.id)
    if (before !== undefined) subtract(before)
    else latest.set(test.session, test.id)
    tests.set(test.id, test)
    openRun(test.run).put(test)
    if (test.ended?.bytes !== undefined) (hasFailed(test) ? archived.failed : archived.passed).add(test.id)
    if (before?.ended?.bytes !== undefined && test.ended?.bytes === undefined) evict(test.id)
    for (const oldest of tests.values()) {
      if (tests.size <= mostTests) break
      forget(oldest)
    }
    if (events.hasSubscribers(test.session)) events.publish({ kind: 'test', session: test.session, test })
    // Last, since it may evict sessions and forget tests.
    memory.add('tests', undefined, testBytes(test))
  }

  function apply(change: RunChange): void {
    if ('test' in change) return put(change.test)
    for (const test of runs.get(change.removedRun)?.attempts() ?? []) forget(test)
    events.publish({ kind: 'run', session: EVERY_SESSION, run: change.removedRun, removed: true })
  }

  function change(one: RunChange): void {
    // Applying it may evict sessions, which the other mocks learn after this.
    shared?.share(one)
    apply(one)
  }

  return {
    /** Applies a change of another mock. */
    apply,
    ofSession,
    findRun: (name: string): Run | undefined => runs.get(name),
    /** Finds a test by its id, or the latest test of a session by the name of the session. */
    find: (name: string): SessionTest | undefined => tests.get(name) ?? tests.get(latest.get(name) ?? ''),
    /**
     * Starts a test in a session, or records the outcome of the test that the session belongs to. If the session has ended
     * before its test, to make room for others, the outcome still belongs to that test.
     *
     * @throws {Problem} 409 if the session belongs to another test.
     */
    report(session: string, info: TestInfo, outcome: TestOutcome | undefined): SessionTest {
      const last = tests.get(latest.get(session) ?? '')
      const isSame = last !== undefined && toInfoText(last) === toInfoText(info)
      const awaitsOutcome = isSame && outcome !== undefined && last.outcome === undefined
      const known = last?.ended === undefined || awaitsOutcome ? last : undefined
      if (known !== undefined && !isSame) {
        throw problem.conflict(
          `The session "${session}" belongs to the test "${known.title.join(' › ')}" of the run "${known.run}". Delete the session first, or give each test its own session.`,
        )
      }
      const id = known?.id ?? `${session}~${crypto.randomUUID().slice(0, 8)}`
      const test = known ?? { ...info, id, session, startedAt: now() }
      const reported = outcome === undefined ? test : { ...test, outcome: { ...outcome, endedAt: now() } }
      if (reported !== known) change({ test: reported })
      return reported
    },
    /** Records that the session of a test has ended, and archives it. */
    end(id: string, seen: SeenByMock, session: ArchivedSession): void {
      const test = tests.get(id)
      if (test === undefined || test.ended !== undefined) return
      sessions.set(id, session)
      change({ test: { ...test, ended: { ...seen, endedAt: now(), bytes: archivedBytes(session) } } })
    },
    /** Updates what is known of an archived session whose last request was answered after its end. */
    extend(id: string, seen: SeenByMock, session: ArchivedSession): void {
      const test = tests.get(id)
      if (test?.ended?.bytes === undefined) return
      change({ test: { ...test, ended: { ...test.ended, ...seen, bytes: archivedBytes(session) } } })
    },
    /** Adds a session that another mock has archived. */
    addArchived: (id: string, session: ArchivedSession): void => void sessions.set(id, session),
    findArchived: (id: string): ArchivedSession | undefined => sessions.get(id),
    /** Evicts the oldest archived session of a passed test, otherwise of another one. Returns whether there was one. */
    evictOldest(): boolean {
      const [id] = archived.passed.size > 0 ? archived.passed : archived.failed
      const test = tests.get(id ?? '')
      if (test?.ended === undefined) return false
      change({ test: { ...test, ended: { ...test.ended, bytes: undefined } } })
      return true
    },
    /** Forgets the oldest test whose session has ended. Returns whether there was one. */
    forgetOldest(): boolean {
      const oldest = [...tests.values()].find(({ ended }) => ended !== undefined)
      if (oldest !== undefined) forget(oldest)
      return oldest !== undefined
    },
    remove: (run: string): void => change({ removedRun: run }),
    /** All runs, the one that started last first. */
    all: (): readonly Run[] => [...runs.values()].toReversed(),
  }
}
