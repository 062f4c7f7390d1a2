import type { ChangeLog, Commit, KeptCommit, Position, Verdict } from './change-log.ts'
import type { LoggedCommit } from './change-text.ts'
import { isOvertaken } from './footprint.ts'

interface GroupLogParts {
  /** The position of the last commit that there is already. */
  readonly position: Position
  /** Keeps commits, all or none; called again only once it has settled. */
  readonly keep: (commits: readonly LoggedCommit[]) => Promise<void>
  /** Called after each group, once those who wrote it know that it is kept, and before the next one is kept. */
  readonly tidy?: () => Promise<void>
  /** Called when all that was appended is kept, or could not be. */
  readonly end: () => Promise<void>
}

interface PendingCommit extends LoggedCommit, Pick<Commit, 'writer'> {
  readonly touches: ReadonlySet<string>
  /** Whether it was kept. */
  readonly settled: Promise<boolean>
  readonly settle: (isKept: boolean) => void
}

function createSettled(): Pick<PendingCommit, 'settled' | 'settle'> {
  let settle: PendingCommit['settle'] | undefined
  const settled = new Promise<boolean>((resolve) => {
    settle = resolve
  })
  return { settled, settle: (isKept) => settle?.(isKept) }
}

/** A log that nobody else writes to. Commits that come while others are being kept are kept together by the next write. */
export function createGroupLog({ position: first, keep, tidy, end }: GroupLogParts): ChangeLog {
  let position = first
  /** Commits that are not settled yet, by session. */
  const pending = new Map<string, readonly PendingCommit[]>()
  let queue: PendingCommit[] = []
  let working: Promise<void> | undefined
  let fault: unknown

  function forget(commit: PendingCommit): void {
    const others = (pending.get(commit.session) ?? []).filter((one) => one !== commit)
    if (others.length === 0) pending.delete(commit.session)
    else pending.set(commit.session, others)
  }

  async function keepGroup(group: readonly PendingCommit[]): Promise<void> {
    try {
      await keep(group)
      fault = undefined
    } catch (cause) {
      fault = cause
    }
    for (const one of group) {
      forget(one)
      one.settle(fault === undefined)
    }
  }

  async function work(): Promise<void> {
    while (queue.length > 0) {
      const group = queue
      queue = []
      // oxlint-disable-next-line no-await-in-loop -- one write at a time
      await keepGroup(group)
      // oxlint-disable-next-line no-await-in-loop -- before the next one
      await tidy?.()
    }
    working = undefined
  }

  function enqueue({ session, changes, touches, writer }: Commit): PendingCommit {
    position += 1
    const mine = { position, session, changes, touches, writer, ...createSettled() }
    pending.set(session, [...(pending.get(session) ?? []), mine])
    queue.push(mine)
    working ??= work()
    return mine
  }

  async function listKept(commits: readonly PendingCommit[]): Promise<readonly KeptCommit[]> {
    const areKept = await Promise.all(commits.map(({ settled }) => settled))
    return commits.filter((_one, at) => areKept[at])
  }

  return {
    since: () => undefined,
    async append(commit): Promise<Verdict> {
      // What the writer cannot have seen: it was not kept yet.
      const unseen = pending.get(commit.session) ?? []
      if (unseen.some(({ touches }) => isOvertaken(commit.reads, touches))) {
        return { isKept: false, commits: await listKept(unseen) }
      }
      const mine = enqueue(commit)
      const commits = await listKept([...unseen, mine])
      if (!(await mine.settled)) throw fault
      return { isKept: true, commits }
    },
    async close() {
      await working
      await end()
    },
    fault: () => fault,
  }
}
