import { findVerdict, toTestKey } from './session-test.ts'
import type { SessionTest, Verdict } from './session-test.ts'

const endOf = ({ outcome, ended }: SessionTest): number | undefined => outcome?.endedAt ?? ended?.endedAt

/** A run of a runner, with the attempts at its tests. */
export type Run = ReturnType<typeof createRun>

/** Creates a run, whose tests are counted as they come. */
export function createRun(name: string) {
  /** By id, oldest first. */
  const attempts = new Map<string, SessionTest>()
  /** The attempts at each test by id, oldest first. */
  const tests = new Map<string, Map<string, SessionTest>>()
  const counts = new Map<Verdict, number>()
  let running = 0
  let endedAt = 0

  /** Counts a test by its attempts, or no longer (-1). */
  function count(key: string, by: 1 | -1): void {
    const own = tests.get(key)
    if (own === undefined) return
    const verdict = findVerdict(
      Array.from(own.values(), ({ outcome, ended }) => ({ status: outcome?.status, isLive: ended === undefined })),
    )
    counts.set(verdict, (counts.get(verdict) ?? 0) + by)
  }

  function remove({ id }: SessionTest): void {
    const known = attempts.get(id)
    if (known === undefined) return
    attempts.delete(id)
    if (endOf(known) === undefined) running -= 1
    const key = toTestKey(known)
    count(key, -1)
    tests.get(key)?.delete(id)
    if (tests.get(key)?.size === 0) tests.delete(key)
    count(key, 1)
  }

  return {
    name,
    /** Every attempt, oldest first. */
    attempts: (): Iterable<SessionTest> => attempts.values(),
    get attemptCount() {
      return attempts.size
    },
    get testCount() {
      return tests.size
    },
    /** The number of tests with a verdict. */
    countOf: (verdict: Verdict): number => counts.get(verdict) ?? 0,
    /** When the first attempt started. */
    get startedAt(): number {
      const [first] = attempts.values()
      return first?.startedAt ?? 0
    },
    /** The latest end of an attempt; undefined while an attempt has no outcome and its session exists. */
    get endedAt(): number | undefined {
      return running > 0 ? undefined : endedAt
    },
    /** Adds an attempt, or replaces it. */
    put(test: SessionTest): void {
      const known = attempts.get(test.id)
      const end = endOf(test)
      running += Number(end === undefined) - Number(known !== undefined && endOf(known) === undefined)
      endedAt = Math.max(endedAt, end ?? 0)
      attempts.set(test.id, test)
      const key = toTestKey(test)
      count(key, -1)
      const own = tests.get(key) ?? new Map<string, SessionTest>()
      tests.set(key, own.set(test.id, test))
      count(key, 1)
    },
    remove,
  }
}
