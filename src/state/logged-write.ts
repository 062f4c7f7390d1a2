import { createQueues } from '../util/queues.ts'
import type { ChangeLog, Commit, KeptCommit } from './change-log.ts'
import type { Writer } from './history.ts'

interface LoggedWriteParts {
  readonly log: ChangeLog
  /** Runs an operation, and undoes what it changed: that counts once it is kept. */
  readonly rehearse: <Result>(session: string, operation: () => Result) => { result: Result; commit: Commit }
  /** Applies what the log has kept. */
  readonly applyCommits: (session: string, commits: readonly KeptCommit[]) => Promise<void> | undefined
  /** Hands the whole session over to the log. */
  readonly fold: (session: string) => Promise<void>
}

/** Creates what runs an operation until its changes are kept: again if it was overtaken by others. */
export function createLoggedWrite({ log, rehearse, applyCommits, fold }: LoggedWriteParts) {
  const queues = createQueues()

  /** Returns undefined if the write was overtaken. */
  async function attempt<Result>(
    session: string,
    operation: () => Result,
    writer: Writer | undefined,
  ): Promise<{ result: Result } | undefined> {
    const { result, commit } = rehearse(session, operation)
    if (commit.changes.length === 0) return { result }
    const { isKept, commits, isLong } = await log.append({ ...commit, writer })
    await applyCommits(session, commits)
    // If it fails, the next write asks for it again.
    if (isLong) fold(session).catch(() => undefined)
    return isKept ? { result } : undefined
  }

  return async function write<Result>(session: string, operation: () => Result, writer?: Writer): Promise<Result> {
    const first = await attempt(session, operation, writer)
    if (first !== undefined) return first.result
    // One by one, so that those that were overtaken do not overtake each other again and again.
    return queues.run(session, async () => {
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop -- one try after the other
        const next = await attempt(session, operation, writer)
        if (next !== undefined) return next.result
      }
    })
  }
}
