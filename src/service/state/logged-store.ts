import { expectReadable } from './change-text.ts'
import { BoundedMap } from '../../util/collections.ts'
import { inSlices, timeSlices } from '../../util/time-slices.ts'
import { createQueues } from '../../util/queues.ts'
import { ANY_POSITION, START, noteClockRead, noteRead, noteWritten } from './change.ts'
import { isProjectChange, isReset } from './state-data.ts'
import type { ChangeLog, Commit, KeptCommit, LogPosition, Change, StateKey, Writer } from './change.ts'
import type { Undo } from './project-data.ts'
import { SessionProject, openSessionData } from './store.ts'
import type { Store, StoreParts } from './store.ts'

/** A running attempt of an operation: what it read and changed, and how to undo it. */
interface Transaction {
  readonly session: string
  readonly readKeys: Set<string>
  readonly writeKeys: Set<string>
  readonly changes: Change[]
  readonly undos: Undo[]
}

/** The number of sessions whose log position is kept; sessions in use are always included. */
const MAX_POSITIONS = 10_000

/** More changes than this are applied in time slices. */
const MOST_AT_ONCE = 1000

/** Creates a store backed by a change log. Writes are optimistic: applied in memory, then appended unless they conflict. */
export function createLoggedStore(options: StoreParts & { readonly log: ChangeLog }): Store {
  const { log, ...parts } = options
  const { onWrite } = parts
  const data = openSessionData(parts)
  const writeQueues = createQueues()
  const commitQueues = createQueues()
  const positions = new BoundedMap<string, LogPosition>(MAX_POSITIONS)
  let transaction: Transaction | undefined

  const positionOf = (session: string): LogPosition => positions.get(session) ?? START

  /** Whether a session can be written to; it may have been permanently deleted during a write. */
  function isOpen(session: string): boolean {
    try {
      for (const { enterSession } of data.listeners) enterSession(session)
      return true
    } catch {
      return false
    }
  }

  function publish(session: string, change: Change, isForeign: boolean | undefined): void {
    if (isProjectChange(change)) onWrite?.(session, change.project)
    if (isForeign) for (const { onForeign } of data.listeners) onForeign?.(session, change)
  }

  function applyCommit(session: string, { position, commitId, changes, writer, isForeign }: KeptCommit): void {
    if (position <= positionOf(session).position) return
    positions.set(session, { position, commitId })
    for (const change of changes) {
      if (!isForeign && !isReset(change) && !isOpen(session)) continue
      data.apply(session, change, writer)
      publish(session, change, isForeign)
    }
  }

  /** Builds a session under a temporary name and swaps it in at once, so that readers never see a partial session. */
  async function applyWhole(session: string, { position, commitId, changes, isForeign }: KeptCommit): Promise<void> {
    // Contains a space, so it cannot collide with a session name.
    const building = `${session} building`
    try {
      const slice = timeSlices.start()
      for (const change of changes) {
        data.build(building, change)
        // oxlint-disable-next-line no-await-in-loop -- yields to others; a generator would take a microtask per change
        if (slice.isOver()) await slice.next()
      }
      data.apply(session, { kind: 'end' }, undefined)
      data.move(building, session)
      positions.set(session, { position, commitId })
    } finally {
      data.build(building, { kind: 'end' })
    }
    for (const change of changes) publish(session, change, isForeign)
  }

  async function applyInSlices(session: string, commits: readonly KeptCommit[]): Promise<void> {
    for await (const commit of inSlices(commits)) {
      if (commit.isWhole) await applyWhole(session, commit)
      else applyCommit(session, commit)
    }
  }

  /** Applies commits of a session in call order; returns undefined if it finished synchronously. */
  function applyCommits(session: string, commits: readonly KeptCommit[]): Promise<void> | undefined {
    if (
      commitQueues.isBusy(session) ||
      commits.some(({ isWhole }) => isWhole) ||
      commits.reduce((sum, { changes }) => sum + changes.length, 0) > MOST_AT_ONCE
    ) {
      return commitQueues.run(session, () => applyInSlices(session, commits))
    }
    for (const commit of commits) applyCommit(session, commit)
    return undefined
  }

  /** Runs an operation and undoes its changes. They are applied once the log has stored them. */
  function tryOperation<Result>(session: string, operation: () => Result): { result: Result; commit: Commit } {
    const started: Transaction = { session, changes: [], readKeys: new Set(), writeKeys: new Set(), undos: [] }
    const { undos, ...commit } = started
    transaction = started
    try {
      const result = operation()
      return { result, commit: { ...commit, after: positionOf(session) } }
    } finally {
      transaction = undefined
      for (const undo of undos.toReversed()) undo()
    }
  }

  /** The sessions whose commits are being replaced: every write meanwhile would copy the whole state again. */
  const compacting = new Set<string>()

  /** Replaces the commits of a session with its current state. */
  async function compact(session: string): Promise<void> {
    if (compacting.has(session)) return
    compacting.add(session)
    try {
      await log.compact?.(session, positionOf(session), data.listChanges(session))
    } finally {
      compacting.delete(session)
    }
  }

  /** One optimistic write; returns undefined if it conflicted with another write. */
  async function attempt<Result>(
    session: string,
    operation: () => Result,
    writer: Writer | undefined,
  ): Promise<{ result: Result } | undefined> {
    const { result, commit } = tryOperation(session, operation)
    if (commit.changes.length === 0) return { result }
    expectReadable(commit.changes)
    const { isKept, commits, isLong } = await log.append({ ...commit, writer })
    await applyCommits(session, commits)
    // If it fails, the next write retries.
    if (isLong) compact(session).catch(() => undefined)
    return isKept ? { result } : undefined
  }

  async function write<Result>(session: string, operation: () => Result, writer?: Writer): Promise<Result> {
    const first = await attempt(session, operation, writer)
    if (first !== undefined) return first.result
    // One at a time, so that conflicting writes do not keep invalidating each other.
    return writeQueues.run(session, async () => {
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop -- each attempt depends on the previous one
        const next = await attempt(session, operation, writer)
        if (next !== undefined) return next.result
      }
    })
  }

  function change(session: string, one: Change): void {
    const growth = data.check(session, one)
    const current = transaction?.session === session ? transaction : undefined
    const writeKeys = current?.writeKeys ?? new Set<string>()
    noteWritten(writeKeys, one, (project) => data.read(session, project))
    if (current !== undefined) {
      data.tryChange(session, one, growth, current.undos)
      current.changes.push(one)
      return
    }
    expectReadable([one])
    data.apply(session, one, undefined, growth)
    publish(session, one, false)
    // `fault` reports why it was not stored.
    log.append({ session, after: ANY_POSITION, readKeys: new Set(), writeKeys, changes: [one] }).catch(() => undefined)
  }

  const projects = {
    read(session: string, id: string, key: StateKey = 'anything') {
      if (transaction !== undefined) noteRead(transaction.readKeys, id, key)
      return data.read(session, id)
    },
    change,
    expectRoom: data.expectRoom,
  }

  return {
    ...data,
    access: (session, name) => new SessionProject(projects, session, name),
    clock(session) {
      if (transaction !== undefined) noteClockRead(transaction.readKeys)
      return data.clock(session)
    },
    position: positionOf,
    applied: commitQueues.idle,
    catchUp: (session, missed = log.since(session, positionOf(session))) =>
      missed?.then((commits) => applyCommits(session, commits)),
    write,
    change,
    close: log.close,
    fault: log.fault,
  }
}
