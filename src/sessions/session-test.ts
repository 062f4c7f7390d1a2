import type { SeenByMock } from './journal/summary.ts'

/** How a test can end. */
export const testStatuses = ['passed', 'failed', 'timedOut', 'skipped', 'interrupted'] as const

export type TestStatus = (typeof testStatuses)[number]

/** A test, as its runner describes it. */
export interface TestInfo {
  /** Names the run; the same for all tests of a run. */
  readonly run: string
  /** Suites and test, outermost first. */
  readonly title: readonly string[]
  readonly file: string
  readonly line: number
  readonly project?: string | undefined
  readonly worker?: number | undefined
  /** 0 for the first attempt. */
  readonly retry?: number | undefined
  /** Distinguishes executions of a test that are the same otherwise. */
  readonly variant?: string | undefined
}

/** The outcome of a test. */
export interface TestOutcome {
  readonly status: TestStatus
  /** In milliseconds. */
  readonly duration: number
  readonly error?: string | undefined
}

/** A test and the session that belongs to it. Replaced as a whole when it changes. */
export interface SessionTest extends TestInfo {
  /** Names its session forever: `worker-1~5f0c1d2e`. Session names never contain `~`. */
  readonly id: string
  readonly session: string
  /** In epoch milliseconds, like all times here. */
  readonly startedAt: number
  /** Undefined until the runner reports the outcome. */
  readonly outcome?: TestOutcome & { readonly endedAt: number }
  /** Undefined while the session exists. */
  readonly ended?: SeenByMock & {
    readonly endedAt: number
    /** The size of the session in the archive; undefined if the archive does not have it. */
    readonly bytes?: number | undefined
  }
}

/** How a test of a run can have gone, by its last attempt. `flaky`: it passed after an attempt that did not. */
export const verdicts = ['failed', 'interrupted', 'flaky', 'running', 'passed', 'skipped'] as const

export type Verdict = (typeof verdicts)[number]

/** How an attempt at a test went. */
interface AttemptOutcome {
  readonly status?: TestStatus | undefined
  /** Whether its session exists. */
  readonly isLive: boolean
}

/** What the attempts at a test have in common, in any run. */
export const toTestKey = ({
  file,
  title,
  project,
  variant,
}: Pick<TestInfo, 'file' | 'title' | 'project' | 'variant'>): string => JSON.stringify([file, title, project, variant])

/** How a test went, by its attempts, oldest first. */
export function findVerdict(attempts: readonly AttemptOutcome[]): Verdict {
  const all = attempts.map(({ status, isLive }) => {
    if (status === undefined) return isLive ? 'running' : 'interrupted'
    return status === 'timedOut' ? 'failed' : status
  })
  const last = all.at(-1) ?? 'running'
  // The outcome of an attempt is missing if it broke its worker.
  const hasFailed = all.slice(0, -1).some((one) => one !== 'passed' && one !== 'skipped')
  return last === 'passed' && hasFailed ? 'flaky' : last
}
