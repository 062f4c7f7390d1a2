import { applyChange, readArrangement, readProject } from './apply-change.ts'
import type { ChangeLog, Commit, KeptCommit, Position } from './change-log.ts'
import { isProjectChange, isReset } from './change.ts'
import type { Change } from './change.ts'
import { createHistory } from './history.ts'
import type { VersionReader, Writer } from './history.ts'
import type { ProjectChange, Undo } from './project-change.ts'
import { createLoggedWrite } from './logged-write.ts'
import { noteRead, noteTouched } from './footprint.ts'
import type { Aspect } from './footprint.ts'
import type { ProjectData } from './project-data.ts'
import { parseProjectId, toProjectId } from './project-name.ts'
import type { ProjectName } from './project-name.ts'
import type { ProjectAccess } from './project.ts'
import { BoundedMap } from '../util/bounded-map.ts'
import { expectPlace, growthOf } from './room.ts'
import { NO_BYTES, addSizes, subtractSizes } from './size.ts'
import type { Size } from './size.ts'
import { createStateData } from './state-data.ts'
import type { Arrangement, SessionData, Snapshot, StateData } from './state-data.ts'
import { createUsage, toStateLimits } from './usage.ts'
import type { StateLimits } from './usage.ts'

/** The state of every session, in memory; a change log keeps what is written. */
export interface Store {
  /** A project as the session sees it: until the session writes to it, the session's own seed, or else everyone's. */
  access(session: string, name: ProjectName): ProjectAccess
  /** The session's projects that were written to, its own seed among them; empty for a session that never wrote. */
  written(session: string): ReadonlyMap<string, ProjectData>
  /** The session's snapshots by name, in the order of their taking. */
  snapshots(session: string): ReadonlyMap<string, Snapshot>
  /** Which scenarios the session has chosen and defined. */
  arrangement(session: string): Arrangement
  /** The versions that resources had since the fixtures, or since all data of their project or session were replaced. */
  readonly history: VersionReader
  /** Whether the session has written something. */
  has(session: string): boolean
  /** Those that have written something. */
  sessions(): Iterable<string>
  /** Takes over what others wrote to a session; undefined if there is nothing to wait for. */
  catchUp(session: string): Promise<void> | undefined
  /**
   * Runs an operation, and returns what it returns once its changes are kept: all of them, or none. Without a log that is at
   * once. With one, the operation runs again if another write has touched what it looked at.
   *
   * @param operation reads and changes the session by {@link access} and {@link change}, without waiting for anything
   * @param writer who is named in the history
   * @throws whatever the operation throws; nothing is changed then.
   */
  write<Result>(session: string, operation: () => Result, writer?: Writer): Result | Promise<Result>
  /**
   * Changes what a session has. Within {@link write} that counts once the write is kept. Outside of it, it counts at once, and the
   * log follows: for sessions that end because they were idle.
   *
   * @throws {Problem} 400 if the session was permanently deleted, 413 or 503 if a limit is reached; nothing is changed then.
   */
  change(session: string, change: Change): void
  /** Resolves when all that was written until now is kept, or could not be. */
  close(): Promise<void>
  /** Why the last write could not be kept; undefined once one has been again. */
  fault(): unknown
}

export interface StoreParts {
  /** What every project starts with, now; never written to. */
  readonly seed: () => ProjectData
  /** What there is already. */
  readonly state?: StateData
  /** Absent: memory only. */
  readonly log?: ChangeLog | undefined
  /** Called before each write of a session; throws where it cannot be written to, whatever was under way in it. */
  readonly enter?: (session: string) => void
  /** How much may be kept. Default: images of 100 MiB a session. */
  readonly limits?: StateLimits
  /** Called where all sessions together have no room left; frees some, and tells whether it could. */
  readonly makeRoom?: () => boolean
  /** Called with each write to a project. */
  readonly onWrite?: (session: string, name: ProjectName) => void
}

/** A write under way: what it looked at, what it changed, and how to undo that. */
interface Transaction {
  readonly session: string
  readonly reads: Set<string>
  readonly touches: Set<string>
  readonly changes: Change[]
  readonly undos: Undo[]
}

const NO_PROJECTS: SessionData = new Map()
const NO_SNAPSHOTS: ReadonlyMap<string, Snapshot> = new Map()

/** Sessions whose place in the log is known; one that is used is among them. */
const MOST_POSITIONS = 10_000

const DEFAULT_IMAGE_BYTES = 100 * 1024 * 1024

export function createStore({
  seed,
  state = createStateData(),
  log,
  enter,
  limits = toStateLimits(DEFAULT_IMAGE_BYTES, log !== undefined),
  makeRoom = () => false,
  onWrite,
}: StoreParts): Store {
  let transaction: Transaction | undefined
  /** The writer of the operation that runs without a log. */
  let writing: Writer | undefined
  const history = createHistory((session, project, id) => readId(session, project).resources.find(id))
  /** Up to where each session has applied the log. */
  const positions = new BoundedMap<string, Position>(MOST_POSITIONS)
  const usage = createUsage(limits, makeRoom)
  usage.recount(state)

  const places = [state.sessions, state.snapshots, state.arrangements]

  const written = (session: string): SessionData => state.sessions.get(session) ?? NO_PROJECTS

  const readId = (session: string, id: string): ProjectData =>
    state.sessions.size === 0 ? seed() : readProject(state, session, id, seed())

  /** The project that a change is about, before it. */
  const before = (session: string, one: Change): ProjectData =>
    'project' in one ? readId(session, one.project) : seed()

  function apply(session: string, one: Change, growth: Size, undos: Undo[]): void {
    applyChange(state, session, one, seed(), undos)
    usage.add(session, growth)
    undos.push(() => usage.add(session, subtractSizes(NO_BYTES, growth)))
  }

  /** Applies a change that counts. */
  function applyKept(session: string, one: Change, growth: Size, writer: Writer | undefined): void {
    history.note(session, one, writer)
    apply(session, one, growth, [])
    if (isProjectChange(one)) onWrite?.(session, parseProjectId(one.project))
  }

  /** Applies what the log has kept. */
  function applyCommits(session: string, commits: readonly KeptCommit[]): void {
    for (const { position, changes, writer } of commits) {
      if (position <= (positions.get(session) ?? 0)) continue
      positions.set(session, position)
      for (const one of changes) {
        if (!isReset(one) && !isOpen(session)) continue
        const was = before(session, one)
        applyKept(session, one, growthOf(state, session, one, was), writer)
      }
    }
  }

  /** Whether a session can be written to: it may have ended for good while a write was on its way. */
  function isOpen(session: string): boolean {
    try {
      enter?.(session)
      return true
    } catch {
      return false
    }
  }

  function catchUp(session: string): Promise<void> | undefined {
    const missed = log?.since(session, positions.get(session) ?? 0)
    return missed?.then((commits) => applyCommits(session, commits))
  }

  /** Runs an operation, and undoes what it changed: that counts once it is kept. */
  function rehearse<Result>(session: string, operation: () => Result): { result: Result; commit: Commit } {
    const started: Transaction = { session, changes: [], reads: new Set(), touches: new Set(), undos: [] }
    const { changes, reads, touches, undos } = started
    transaction = started
    try {
      const result = operation()
      return { result, commit: { session, at: positions.get(session) ?? 0, reads, touches, changes } }
    } finally {
      transaction = undefined
      for (const undo of undos.toReversed()) undo()
    }
  }

  const write =
    log === undefined
      ? function writeAtOnce<Result>(_session: string, operation: () => Result, writer?: Writer): Result {
          writing = writer
          try {
            return operation()
          } finally {
            writing = undefined
          }
        }
      : createLoggedWrite({ log, catchUp, rehearse, applyCommits })

  function change(session: string, one: Change): void {
    if (!isReset(one)) enter?.(session)
    const was = before(session, one)
    const growth = growthOf(state, session, one, was)
    usage.expectRoom(session, growth)
    expectPlace(state, session, one)
    const current = transaction?.session === session ? transaction : undefined
    const touches = current?.touches ?? new Set<string>()
    if (log !== undefined) noteTouched(touches, one, was)
    if (current !== undefined) {
      apply(session, one, growth, current.undos)
      current.changes.push(one)
      return
    }
    applyKept(session, one, growth, writing)
    // Why it could not be kept is told by `fault`.
    log?.append({ session, at: Infinity, reads: new Set(), touches, changes: [one] }).catch(() => undefined)
  }

  class SessionProject implements ProjectAccess {
    readonly #session: string
    readonly #id: string

    constructor(session: string, name: ProjectName) {
      this.#session = session
      this.#id = toProjectId(name)
    }

    read(aspect: Aspect = 'anything'): ProjectData {
      if (transaction !== undefined) noteRead(transaction.reads, this.#id, aspect)
      return readId(this.#session, this.#id)
    }

    write(projectChange: ProjectChange): void {
      change(this.#session, { ...projectChange, project: this.#id })
    }

    expectRoom(growth: Partial<Size>): void {
      usage.expectRoom(this.#session, addSizes(NO_BYTES, growth))
    }
  }

  return {
    access: (session, name) => new SessionProject(session, name),
    written,
    snapshots: (session) => state.snapshots.get(session) ?? NO_SNAPSHOTS,
    arrangement: (session) => readArrangement(state, session),
    history,
    has: (session) => places.some((place) => place.has(session)),
    sessions: () => new Set(places.flatMap((place) => [...place.keys()])),
    catchUp,
    write,
    change,
    close: () => log?.close() ?? Promise.resolve(),
    fault: () => log?.fault(),
  }
}
