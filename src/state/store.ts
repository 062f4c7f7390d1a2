import { applyChange, readArrangement, readClock, readProject } from './apply-change.ts'
import { createApplyCommits } from './apply-commits.ts'
import { ANYWHERE, START } from './change-log.ts'
import type { Commit, Place } from './change-log.ts'
import {
  isProjectChange,
  isReset,
  noteClockRead,
  noteRead,
  noteTouched,
  parseProjectId,
  toProjectId,
} from './change.ts'
import type { Change, Aspect, ProjectName } from './change.ts'
import { createHistory } from './history.ts'
import type { Writer } from './history.ts'
import type { ProjectChange, Undo, Undos } from './project-change.ts'
import { createLoggedWrite } from './logged-write.ts'
import type { ProjectData } from './project-data.ts'
import type { ProjectAccess } from './project.ts'
import { BoundedMap } from '../util/memoize.ts'
import { expectPlace, growthOf, createUsage, toSize, toStateLimits } from './usage.ts'
import { moveEntry } from './project-change.ts'
import { NO_BYTES, addSizes, subtractSizes } from './resource.ts'
import type { Size } from './resource.ts'
import { createStateData } from './state-data.ts'
import type { SessionData, Snapshot } from './state-data.ts'
import type { Store, StoreParts } from './store-type.ts'

export type { Store, StoreParts } from './store-type.ts'

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
const MOST_PLACES = 10_000

const DEFAULT_IMAGE_BYTES = 100 * 1024 * 1024

export function createStore({
  seed,
  state = createStateData(),
  log,
  enter,
  limits = toStateLimits(DEFAULT_IMAGE_BYTES, log !== undefined),
  makeRoom = () => false,
  onWrite,
  onForeign,
}: StoreParts): Store {
  let transaction: Transaction | undefined
  /** The writer of the operation that runs without a log. */
  let writing: Writer | undefined
  const history = createHistory((session, project, id) => readId(session, project).find(id))
  /** Up to where each session has applied the log. */
  const places = new BoundedMap<string, Place>(MOST_PLACES)
  const usage = createUsage(limits, makeRoom)
  usage.recount(state)

  const parts = [state.sessions, state.snapshots, state.arrangements, state.clocks]

  const placeOf = (session: string): Place => places.get(session) ?? START

  const written = (session: string): SessionData => state.sessions.get(session) ?? NO_PROJECTS

  const readId = (session: string, id: string): ProjectData =>
    state.sessions.size === 0 ? seed() : readProject(state, session, id, seed())

  /** The project that a change is about, before it. */
  const before = (session: string, one: Change): ProjectData =>
    'project' in one ? readId(session, one.project) : seed()

  function apply(session: string, one: Change, growth: Size, undos?: Undos): void {
    applyChange(state, session, one, seed(), undos)
    usage.add(session, growth)
    undos?.push(() => usage.add(session, subtractSizes(NO_BYTES, growth)))
  }

  /** Applies a change that counts. */
  function applyKept(session: string, one: Change, growth: Size, writer: Writer | undefined): void {
    history.note(session, one, writer)
    apply(session, one, growth)
  }

  function applyMissed(session: string, one: Change, writer: Writer | undefined): void {
    const was = before(session, one)
    applyKept(session, one, growthOf(state, session, one, was), writer)
  }

  /** Applies a change of a session that is built for another one, and does not count for itself. */
  function build(session: string, one: Change): void {
    history.note(session, one)
    applyChange(state, session, one, seed())
  }

  /** Gives all that was built to its session, which has nothing. */
  function moveSession(from: string, to: string): void {
    for (const part of parts) moveEntry<string, unknown>(part, from, to)
    history.move(from, to)
    usage.add(to, toSize(state.sessions.get(to)))
  }

  /** Hands a session over to a log that asked for it. */
  async function fold(session: string): Promise<void> {
    // Loaded by those who share the state.
    const { listChanges } = await import('./apply-change.ts')
    const changes = listChanges(state, session, seed().base)
    await log?.fold?.(session, placeOf(session), changes)
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

  const { applyCommits, applied } = createApplyCommits({
    places,
    apply: applyMissed,
    build,
    move: moveSession,
    isOpen,
    onWrite,
    onForeign,
  })

  function catchUp(session: string): Promise<void> | undefined {
    const missed = log?.since(session, placeOf(session))
    return missed?.then((commits) => applyCommits(session, commits))
  }

  /** Runs an operation, and undoes what it changed: that counts once it is kept. */
  function rehearse<Result>(session: string, operation: () => Result): { result: Result; commit: Commit } {
    const started: Transaction = { session, changes: [], reads: new Set(), touches: new Set(), undos: [] }
    const { changes, reads, touches, undos } = started
    transaction = started
    try {
      const result = operation()
      return { result, commit: { session, at: placeOf(session), reads, touches, changes } }
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
      : createLoggedWrite({ log, rehearse, applyCommits, fold })

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
    if (isProjectChange(one)) onWrite?.(session, parseProjectId(one.project))
    // Why it could not be kept is told by `fault`.
    log?.append({ session, at: ANYWHERE, reads: new Set(), touches, changes: [one] }).catch(() => undefined)
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
    clock(session) {
      if (transaction !== undefined) noteClockRead(transaction.reads)
      return readClock(state, session)
    },
    history,
    has: (session) => parts.some((part) => part.has(session)),
    sessions: () => new Set(parts.flatMap((part) => [...part.keys()])),
    position: (session) => placeOf(session).position,
    applied,
    catchUp,
    write,
    change,
    close: () => log?.close() ?? Promise.resolve(),
    fault: () => log?.fault(),
  }
}
