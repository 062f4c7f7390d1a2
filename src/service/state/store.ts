import {
  applyChange,
  growthOf,
  listChanges,
  listSessions,
  NOT_MOVED,
  readProject,
  NO_SELECTION,
  createStateData,
  isProjectChange,
  isReset,
  sessionBytes,
} from './state-data.ts'
import { toProjectId } from './project-data.ts'
import { moveEntry, createHistory } from './history.ts'
import { START } from './change.ts'
import type { Change, KeptCommit, LogPosition, StateKey, Writer, ClockMove, SessionData } from './change.ts'
import type { ProjectName, ProjectChange, Undos, ProjectData } from './project-data.ts'
import type { VersionReader } from './history.ts'
import type { ProjectAccess } from './project.ts'
import type { ScenarioSelection, Snapshot, StateData } from './state-data.ts'
import { problem } from '../../errors.ts'
import { createMemory } from './memory.ts'
import type { Memory } from './memory.ts'

/** Maximum number of written projects per session. */
export const MAX_PROJECTS = 1000

/** Maximum number per session, not counting {@link RESET_SNAPSHOT}. */
export const MAX_SNAPSHOTS = 100

/** The dashboard takes it before a reset, replacing the previous one. It does not count towards the limit. */
const RESET_SNAPSHOT = 'before-reset'

/** Maximum number of scenarios that a session may define. */
const MAX_DEFINED = 100

/** @throws {Problem} 503 if a session would define too many scenarios. */
export function expectScenarioCount(count: number): void {
  if (count <= MAX_DEFINED) return
  throw problem.overCapacity(
    `A session can define at most ${MAX_DEFINED} scenarios, not ${count}. Delete one first: DELETE /__admin/scenarios/{name}.`,
  )
}

/** @throws {Problem} 503 if a change would exceed a session's number of projects, snapshots or scenarios. */
export function expectWithinCounts(state: StateData, session: string, change: Change): void {
  if (change.kind === 'snapshot' && change.takenAt !== undefined && change.name !== RESET_SNAPSHOT) {
    const names = new Set(state.snapshots.get(session)?.keys()).add(change.name)
    names.delete(RESET_SNAPSHOT)
    if (names.size <= MAX_SNAPSHOTS) return
    throw problem.overCapacity(
      `Snapshot limit of the session (${MAX_SNAPSHOTS}) reached. Delete one: DELETE /__admin/snapshots/{name}.`,
    )
  }
  if (change.kind === 'scenario' && change.scenario !== undefined)
    expectScenarioCount(new Set(state.scenarioSelections.get(session)?.defined.keys()).add(change.name).size)
  if (!('project' in change) || (change.kind === 'project' && change.data === undefined)) return
  const projects = state.sessions.get(session)
  if (projects === undefined || projects.size < MAX_PROJECTS || projects.has(change.project)) return
  throw problem.overCapacity(
    `Session "${session}" has reached the limit of ${MAX_PROJECTS} projects. Reset it, or use another session.`,
  )
}

/** The state of every session, in memory; a change log may persist the writes. */
export interface Store {
  /** A project as the session sees it: until the first write, the session's own fixtures, or otherwise the shared ones. */
  access(session: string, name: ProjectName): ProjectAccess
  /** The projects that the session has written to, including its own fixtures; empty if it has written nothing. */
  changedProjects(session: string): ReadonlyMap<string, ProjectData>
  /** The session's snapshots by name, oldest first. */
  snapshots(session: string): ReadonlyMap<string, Snapshot>
  /** The scenarios that the session has activated and defined. */
  scenarioSelection(session: string): ScenarioSelection
  /** The session's clock offset. A write that reads it depends on it. */
  clock(session: string): ClockMove
  /** The versions of resources since the fixtures, or since all data of their project or session was replaced. */
  readonly history: VersionReader
  /** Whether the session has written something. */
  has(session: string): boolean
  /** The sessions that have written something. */
  sessions(): Iterable<string>
  /** The last of a session's commits that this store has applied; at 0 without a log. */
  position(session: string): LogPosition
  /** Resolves once all commits in progress have been applied; large ones are applied in slices. */
  applied(): Promise<void>
  /**
   * Applies writes to a session from other mocks; undefined if there is nothing to wait for.
   *
   * @param missed those writes; by default, the log is read
   */
  catchUp(session: string, missed?: Promise<readonly KeptCommit[]>): Promise<void> | undefined
  /**
   * Runs an operation and returns its result once all of its changes are stored. Without a log, this is immediate. With a
   * log, the operation runs again if another write changed something it read. Call {@link catchUp} first.
   *
   * @param operation reads and changes the session with {@link access} and {@link change}, synchronously
   * @param writer recorded in the history
   * @throws whatever the operation throws; with a log, nothing is changed in that case.
   */
  write<Result>(session: string, operation: () => Result, writer?: Writer): Result | Promise<Result>
  /**
   * Changes a session. Inside {@link write}, the change takes effect once the write is stored. Outside, it takes effect
   * immediately and is then appended to the log; this is for sessions that end because they were idle.
   *
   * @throws {Problem} 400 if the session was permanently deleted, 503 if a limit is reached; in that case nothing is
   * changed.
   */
  change(session: string, change: Change): void
  /** Adds what to call when the store is written to; once, before the first write. */
  listen(listener: StoreListener): void
  /** Resolves once all writes so far have been stored or have failed. */
  close(): Promise<void>
  /** Why the last write could not be stored; undefined after the next success. */
  fault(): unknown
}

/** The sessions, which are created after the store that they read. */
export interface StoreListener {
  /** Called before each write to a session; throws if the session cannot be written to. */
  readonly enterSession: (session: string) => void
  /** Called with each change from another mock, after it is applied. */
  readonly onForeign?: ((session: string, change: Change) => void) | undefined
}

export interface StoreParts {
  /** `initial` is the first data of every project: read-only, and replaced by a reload. */
  readonly sources: { readonly initial: ProjectData }
  /** The state of an earlier run. */
  readonly state?: StateData
  /** Default: without a limit. */
  readonly memory?: Memory
  /** Called for each write to a project. */
  readonly onWrite?: (session: string, projectId: string) => void
}

const NO_PROJECTS: SessionData = new Map()
const NO_SNAPSHOTS: ReadonlyMap<string, Snapshot> = new Map()

/** How the projects of a store are read and changed. */
interface ProjectStore {
  readonly read: (session: string, id: string, key: StateKey | undefined) => ProjectData
  readonly change: (session: string, change: Change) => void
  readonly expectRoom: (session: string, growth: number) => void
}

/** One project of a session. */
export class SessionProject implements ProjectAccess {
  readonly #store: ProjectStore
  readonly #session: string
  readonly #id: string

  constructor(store: ProjectStore, session: string, name: ProjectName) {
    this.#store = store
    this.#session = session
    this.#id = toProjectId(name)
  }

  read(key?: StateKey): ProjectData {
    return this.#store.read(this.#session, this.#id, key)
  }

  write(change: ProjectChange): void {
    const project = this.#id
    // Most changes put a resource, and adding a member to a copy takes as long as the rest of the write.
    const named =
      change.kind === 'put' ? { kind: change.kind, project, resource: change.resource } : { ...change, project }
    this.#store.change(this.#session, named)
  }

  expectRoom(growth: number): void {
    this.#store.expectRoom(this.#session, growth)
  }
}

/** The data of the sessions, and the primitives from which a store builds its writes. */
export function openSessionData(options: Omit<StoreParts, 'onWrite'>) {
  const { sources, state = createStateData(), memory = createMemory(Infinity) } = options
  const history = createHistory((session, project, id) => read(session, project).find(id), memory)
  const { sessions, snapshots, scenarioSelections, clocks } = state
  const parts = [sessions, snapshots, scenarioSelections, clocks]
  const listeners: StoreListener[] = []
  for (const session of listSessions(state)) memory.add('state', session, sessionBytes(state, session))

  const read = (session: string, id: string): ProjectData =>
    sessions.size === 0 ? sources.initial : readProject(state, session, id, sources.initial)

  const measure = (session: string, change: Change): number => growthOf(state, session, change, sources.initial)

  return {
    history,
    read,
    listeners,
    listen: (listener: StoreListener) => void listeners.push(listener),
    expectRoom: memory.expectRoom,
    changedProjects: (session: string): SessionData => sessions.get(session) ?? NO_PROJECTS,
    snapshots: (session: string) => snapshots.get(session) ?? NO_SNAPSHOTS,
    scenarioSelection: (session: string) => scenarioSelections.get(session) ?? NO_SELECTION,
    clock: (session: string) => clocks.get(session) ?? NOT_MOVED,
    has: (session: string): boolean => parts.some((part) => part.has(session)),
    sessions: () => listSessions(state),
    /**
     * Returns by how many bytes a change lets its session grow.
     *
     * @throws {Problem} like {@link Store.change}.
     */
    check(session: string, change: Change): number {
      if (!isReset(change)) for (const { enterSession } of listeners) enterSession(session)
      const growth = measure(session, change)
      memory.expectRoom(session, growth)
      expectWithinCounts(state, session, change)
      return growth
    },
    /** Applies a change with undo. */
    tryChange(session: string, change: Change, growth: number, undos: Undos): void {
      applyChange(state, session, change, sources.initial, undos, growth)
      memory.add('state', session, growth)
      undos?.push(() => memory.add('state', session, -growth))
    },
    /** Applies a change without undo, ignoring the limits. */
    apply(session: string, change: Change, writer: Writer | undefined, growth = measure(session, change)): void {
      history.note(session, change, writer)
      applyChange(state, session, change, sources.initial, undefined, growth)
      memory.add('state', session, growth)
    },
    /** Applies a change to a session under construction, without counting its size yet. */
    build(session: string, change: Change): void {
      history.note(session, change)
      applyChange(state, session, change, sources.initial)
    },
    /** Moves everything that was built to its session, which must be empty. */
    move(from: string, to: string): void {
      for (const part of parts) moveEntry<string, unknown>(part, from, to)
      history.move(from, to)
      memory.add('state', to, sessionBytes(state, to))
    },
    listChanges: (session: string) => listChanges(state, session, sources.initial.base),
  }
}

/** Creates an in-memory store, in which changes take effect immediately. */
export function createStore(parts: StoreParts): Store {
  const { onWrite } = parts
  const data = openSessionData(parts)
  /** The author of the running operation. */
  let currentWriter: Writer | undefined

  function change(session: string, one: Change): void {
    const growth = data.check(session, one)
    data.apply(session, one, currentWriter, growth)
    if (isProjectChange(one)) onWrite?.(session, one.project)
  }

  const projects = { ...data, change }

  return {
    ...data,
    access: (session, name) => new SessionProject(projects, session, name),
    position: () => START,
    applied: () => Promise.resolve(),
    catchUp: () => undefined,
    write(_session, operation, writer) {
      currentWriter = writer
      try {
        return operation()
      } finally {
        currentWriter = undefined
      }
    },
    change,
    close: () => Promise.resolve(),
    fault: () => undefined,
  }
}
