import { encoder } from '../http/body.ts'
import * as z from 'zod'
import { isOvertaken } from './change.ts'
import { Problem, SetupError, toMessage } from '../../errors.ts'
import { parseJson } from '../http/json.ts'
import { timeSlices } from '../../util/time-slices.ts'
import { parseCommit, toCommitText } from './change-text.ts'
import type { LoggedCommit } from './change-text.ts'
import { DEFAULT_NAME, createStateAdapter, toWriteError } from './kept-state.ts'
import type { Lines, Persistence } from './kept-state.ts'
import { StateFault, expectState } from './records.ts'
import { applyChange, createStateData } from './state-data.ts'
import type { ChangeLog, Commit, KeptCommit, Position, AppendResult } from './change.ts'
import type { Undo } from './project-data.ts'
import { Low } from 'lowdb'
import { createLoggedStore } from './logged-store.ts'
import type { StateData } from './state-data.ts'
import type { Store, StoreParts } from './store.ts'

interface PendingCommit extends LoggedCommit, Pick<Commit, 'writer'> {
  readonly writeKeys: ReadonlySet<string>
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

/** A log without other writers. Commits that arrive during a write are batched into the next one. */
function createGroupLog(parts: {
  /** The position of the last existing commit. */
  readonly position: Position
  /** Stores a batch of commits atomically; not called again until it has settled. */
  readonly keep: (commits: readonly LoggedCommit[]) => Promise<void>
  /** Called after each batch, once its writers have been notified and before the next batch is stored. */
  readonly tidy?: () => Promise<void>
  /** Called when every appended commit has been stored or has failed. */
  readonly end: () => Promise<void>
}): ChangeLog {
  const { position: first, keep, tidy, end } = parts
  let position = first
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
      // oxlint-disable-next-line no-await-in-loop -- must finish before the next write
      await tidy?.()
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
    async close() {
      await working
      await end()
    },
    fault: () => fault,
  }
}

const LOG_FORMAT = 'resource-mock-log/1'

/** The first line of a log. */
const headRecord = z.strictObject({
  format: z.literal(LOG_FORMAT),
  /** Matches the id in the state that the log continues. */
  id: z.string(),
})

/** A log that would exceed both this many bytes and the size of the state is merged into the state first. */
const SHORT_LOG = 1_000_000

/** How to continue without a lost log. */
const FORGET = 'delete the member "log" of the state'

/** @throws {SetupError} for a line that cannot be read. */
function readLine<Content>(text: string, at: number, name: string, parse: (value: unknown) => Content): Content {
  try {
    return parse(parseJson(text))
  } catch (fault) {
    if (!(fault instanceof Problem) && !(fault instanceof StateFault)) throw fault
    throw new SetupError(
      `${name} cannot be read: its log has an invalid line ${at + 1}: ${toMessage(fault)} Both were left unchanged. Repair the line, or delete it and all lines after it.`,
    )
  }
}

const byteLength = (text: string): number => encoder.encode(text).length

/**
 * Applies the commits in a log that are newer than its state.
 *
 * @throws {SetupError} for a log that does not match the state or has an invalid line.
 */
async function readLog({ log }: StateData, lines: Lines, name: string, apply: (commit: LoggedCommit) => void) {
  let position = log?.position ?? 0
  let bytes = 0
  let count = 0
  let isOther = false
  /** Whether the log has its header line. */
  const isThere = await lines.read((line) => {
    bytes += byteLength(line) + 1
    count += 1
    if (count === 1) isOther = readLine(line, 0, name, (value) => expectState(headRecord, value)).id !== log?.id
    else if (!isOther) {
      const commit = readLine(line, count - 1, name, parseCommit)
      if (commit.position <= position) return
      position = commit.position
      apply(commit)
    }
  })
  // Only a first start leaves an empty log next to a state that does not reference it.
  const isUnused = count === 1 && log?.isOpen !== true
  if (isOther && !isUnused) {
    const remedy = log?.isOpen === true ? `${FORGET}, and delete this log` : 'delete the log'
    throw new SetupError(
      `${name} and its log do not match: one of them was replaced or deleted. Restore it, or ${remedy} to continue without its ${count === 2 ? 'write' : `${count - 1} writes`}.`,
    )
  }
  if (count === 0 && (isThere ? log !== undefined : log?.isOpen === true)) {
    throw new SetupError(
      `${name} continues in a log, but the log is ${isThere ? 'empty' : 'missing'}, so later writes would be lost. Restore it, or ${FORGET} to continue without them.`,
    )
  }
  return { isThere: count > 0 && !isOther, position, bytes }
}

/**
 * Opens a log next to a whole state, with one line per commit. The cost of a write depends only on the size of its changes.
 * The log is merged into the state from time to time, and on close.
 *
 * @throws {SetupError} for a log that does not match the state or has an invalid line.
 */
async function openLineLog(parts: {
  readonly db: Low<StateData>
  readonly lines: Lines
  /** The name of the state, for messages. */
  readonly name: string
  readonly newId: () => string
  /** Length in characters of the last state read or written. */
  readonly stateLength: () => number
  /** Applies a log commit to the loaded state. */
  readonly apply: (commit: LoggedCommit) => void
  /** Resolves once the state in memory includes every stored commit. */
  readonly applied: () => Promise<void>
}): Promise<ChangeLog> {
  const { db, lines, name, newId, stateLength, apply, applied } = parts
  const found = await readLog(db.data, lines, name, apply)
  const { log: { id = newId() } = {}, fixtures: startedFrom } = db.data
  const head = `${JSON.stringify({ format: LOG_FORMAT, id })}\n`
  let { position, bytes } = found
  let isOpen = false

  const isTooLong = (length: number): boolean => length > Math.max(SHORT_LOG, stateLength())

  /** Writes the state with everything stored so far. It is followed by a new log, or by none. */
  async function writeWhole(next: 'log' | 'nothing'): Promise<void> {
    // Meanwhile the writers of the last batch apply it.
    await timeSlices.pause()
    await applied()
    db.data.log = { id, position, ...(next === 'log' ? { isOpen: true } : {}) }
    await db.write()
  }

  /** Names the state in the error of a write. */
  async function named<T>(writing: Promise<T>): Promise<T> {
    try {
      return await writing
    } catch (cause) {
      throw toWriteError(name, cause)
    }
  }

  /** Merges the log into the state, and starts a new log. */
  async function compact(): Promise<void> {
    await writeWhole('log')
    await named(lines.replace([head]))
    bytes = 0
    isOpen = true
  }

  /** Continues the existing log, or starts a new one. */
  async function open(): Promise<void> {
    if (found.isThere && db.data.log?.isOpen === true) {
      await named(lines.resume())
      isOpen = true
      return
    }
    // Written before the state that references it: after a crash in between, the log would otherwise be missing.
    if (!found.isThere) await named(lines.replace([head]))
    await compact()
  }

  async function append(added: string): Promise<void> {
    if (await named(lines.append(added))) return
    await compact()
    await append(added)
  }

  return createGroupLog({
    position,
    async keep(group) {
      if (!isOpen) await open()
      const added = group.map((one) => `${toCommitText(one)}\n`).join('')
      const size = byteLength(added)
      if (bytes > 0 && isTooLong(bytes + size)) await compact()
      await append(added)
      bytes += size
      position = group.at(-1)?.position ?? position
    },
    async tidy() {
      // If it fails, the next write retries and reports the error.
      if (isTooLong(bytes)) await compact().catch(() => undefined)
    },
    async end() {
      const isOfOtherFixtures = startedFrom !== undefined && startedFrom !== db.data.fixtures
      if (!found.isThere && db.data.log?.isOpen !== true && !isOfOtherFixtures) return
      // If the state cannot be written, the log still has every stored commit.
      await writeWhole('nothing').then(lines.remove, () => undefined)
    },
  })
}

/** A log that writes the whole state with each batch of commits, for persistence without lines. */
function createWholeLog(db: Low<StateData>, sources: StoreParts['sources']): ChangeLog {
  return createGroupLog({
    position: 0,
    async keep(commits) {
      // Meanwhile the writers of the previous batch apply it.
      await timeSlices.pause()
      const undos: Undo[] = []
      for (const { session, changes } of commits) {
        for (const change of changes) applyChange(db.data, session, change, sources.seed, undos)
      }
      // The text is created now, but the new state takes effect only once it is written.
      const written = db.write()
      for (const undo of undos.toReversed()) undo()
      await written
    },
    end: () => Promise.resolve(),
  })
}

/**
 * Opens a store that persists all writes, starting from the state of an earlier run.
 *
 * @param parts.fixtures identifies the fixtures of this mock
 * @param parts.onOtherFixtures called with the projects of each session if they started from other fixtures
 * @throws {SetupError} if that state cannot be read; it is left unchanged.
 */
export async function openPersistedStore(
  options: Omit<StoreParts, 'state'> & {
    readonly persistence: Persistence
    readonly newId: () => string
    readonly fixtures?: string
    readonly onOtherFixtures?: (sessions: StateData['sessions']) => void
  },
): Promise<Store> {
  const { persistence, newId, fixtures, onOtherFixtures, ...parts } = options
  const { name = DEFAULT_NAME, lines } = persistence
  /** Length of the stored text in characters. */
  let length = 0
  const measured: Persistence = {
    ...persistence,
    async read() {
      const text = await persistence.read()
      length = text?.length ?? 0
      return text
    },
    async write(text) {
      await persistence.write(text)
      length = text.length
    },
  }
  const db = new Low(createStateAdapter(measured), createStateData())
  await db.read()
  const state = db.data
  const open = (log: ChangeLog): Store => {
    if (state.fixtures !== undefined && state.fixtures !== fixtures) onOtherFixtures?.(state.sessions)
    if (fixtures !== undefined) state.fixtures = fixtures
    return createLoggedStore({ ...parts, state, log })
  }
  if (lines === undefined) return open(createWholeLog(db, parts.sources))
  const log = await openLineLog({
    db,
    lines,
    name,
    newId,
    stateLength: () => length,
    apply({ session, changes }) {
      for (const change of changes) applyChange(state, session, change, parts.sources.seed)
    },
    applied: () => store.applied(),
  })
  const store = open(log)
  return store
}
