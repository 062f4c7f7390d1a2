import type { TestInfo, TestStatus } from './runs.ts'

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

/** Without an outcome, an attempt runs as long as its session exists. */
function toVerdict({ status, isLive }: AttemptOutcome): Verdict {
  if (status === undefined) return isLive ? 'running' : 'interrupted'
  return status === 'timedOut' ? 'failed' : status
}

/** How a test went, by its attempts, oldest first. */
export function findVerdict(attempts: readonly AttemptOutcome[]): Verdict {
  const all = attempts.map(toVerdict)
  const last = all.at(-1) ?? 'running'
  // The outcome of an attempt is missing if it broke its worker.
  const hasFailed = all.slice(0, -1).some((one) => one !== 'passed' && one !== 'skipped')
  return last === 'passed' && hasFailed ? 'flaky' : last
}
