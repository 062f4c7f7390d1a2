import { isOvertaken } from './change.ts'
import { SetupError, problem } from '../../errors.ts'
import { timeSlices } from '../../util/time-slices.ts'
import { DEFAULT_NAME, createStateAdapter, describeStateFault } from './kept-state.ts'
import type { KeptState, Persistence } from './kept-state.ts'
import { applyChange, createStateData, listChanges, listSessions, readProject } from './state-data.ts'
import type { AppendResult, Change, ChangeLog, Commit, KeptCommit } from './change.ts'
import { Low } from 'lowdb'
import { createLoggedStore } from './logged-store.ts'
import type { ProjectData, Undo } from './project-data.ts'
import type { StateData } from './state-data.ts'
import type { Store, StoreParts } from './store.ts'

interface PendingCommit extends KeptCommit, Pick<Commit, 'session' | 'writeKeys'> {
  /** Whether it was stored. */
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

/**
 * A log without other writers. Commits that arrive during a write are batched into the next one.
 *
 * @param keep stores a batch of commits atomically; not called again until it has settled
 */
function createGroupLog(keep: (commits: readonly PendingCommit[]) => Promise<void>): ChangeLog {
  let position = 0
  /** Pending commits, by session. */
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
    }
    working = undefined
  }

  function enqueue({ session, changes, writeKeys, writer }: Commit): PendingCommit {
    position += 1
    const mine = { position, session, changes, writeKeys, writer, ...createSettled() }
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
    async append(commit): Promise<AppendResult> {
      // The writer cannot have seen these: they were not stored yet.
      const unseen = pending.get(commit.session) ?? []
      if (unseen.some(({ writeKeys }) => isOvertaken(commit.readKeys, writeKeys)))
        return { isKept: false, commits: await listKept(unseen) }
      const mine = enqueue(commit)
      const commits = await listKept([...unseen, mine])
      if (!(await mine.settled)) throw fault
      return { isKept: true, commits }
    },
    close: async () => working,
    fault: () => fault,
  }
}

/** Applies a stored change. If the fixtures are others now, one of them may have the key of a stored resource: it yields. */
function restoreChange(state: StateData, session: string, change: Change, fixtures: ProjectData): void {
  if (change.kind === 'put' && change.resource.key !== undefined) {
    const { project, resource } = change
    const other = readProject(state, session, project, fixtures).findByKey(change.resource.key)
    if (other !== undefined && other.id !== resource.id)
      applyChange(state, session, { kind: 'remove', project, id: other.id }, fixtures)
  }
  applyChange(state, session, change, fixtures)
}

/** The changes of a state with commits that it does not have yet. What they undo or replace is not kept. */
function toKeptSessions(state: StateData, commits: readonly PendingCommit[], fixtures: ProjectData) {
  const undos: Undo[] = []
  for (const { session, changes } of commits)
    for (const change of changes) applyChange(state, session, change, fixtures, undos)
  const sessions = new Map(
    Array.from(listSessions(state), (name) => [name, [...listChanges(state, name, fixtures.base)]]),
  )
  for (const undo of undos.toReversed()) undo()
  return sessions
}

/**
 * Opens a store that persists all writes, starting from the state of an earlier run. Each write stores the whole state, with
 * all commits that wait.
 *
 * @param options.fixtures identifies the fixtures of this mock
 * @param options.onOtherFixtures called with the projects of each session if they were written over other fixtures
 * @param options.onFault called when a write fails; its commits are undone
 * @throws {SetupError} if that state cannot be read, which leaves it unchanged, or cannot be written.
 */
export async function openPersistedStore(
  options: Omit<StoreParts, 'state'> & {
    readonly persistence: Persistence
    readonly fixtures?: string
    readonly onOtherFixtures?: (sessions: StateData['sessions']) => void
    readonly onFault?: (fault: unknown) => void
  },
): Promise<Store> {
  const { persistence, fixtures, onOtherFixtures, onFault, ...parts } = options
  const { sources } = parts
  const { name = DEFAULT_NAME } = persistence
  const db = new Low<KeptState>(createStateAdapter(persistence), { sessions: new Map() })
  await db.read()
  const state = createStateData()
  for (const [session, changes] of db.data.sessions)
    for (const change of changes) restoreChange(state, session, change, sources.initial)
  if (db.data.fixtures !== undefined && db.data.fixtures !== fixtures) onOtherFixtures?.(state.sessions)

  function write(commits: readonly PendingCommit[]): Promise<void> {
    db.data = { fixtures, sessions: toKeptSessions(state, commits, sources.initial) }
    return db.write()
  }

  // A file that cannot be replaced is reported before the mock has served anything.
  await write([]).catch((cause: unknown) => {
    throw new SetupError(`${name} cannot be written: ${describeStateFault(cause)}`, { cause })
  })

  const log = createGroupLog(async (commits) => {
    // Meanwhile the writers of the previous batch apply it.
    await timeSlices.pause()
    await store.applied()
    await write(commits).catch((cause: unknown) => {
      const sentence = `${name} could not be written, so the change was undone: ${describeStateFault(cause)}`
      onFault?.(new Error(sentence, { cause }))
      throw problem.overCapacity(sentence, { 'Retry-After': '1' })
    })
  })
  const store = createLoggedStore({ ...parts, state, log })
  return store
}
