import {
  applyChange,
  listChanges,
  NOT_MOVED,
  readProject,
  NO_SELECTION,
  createStateData,
  isProjectChange,
  isReset,
} from './state-data.ts'
import { parseProjectId, toProjectId } from './project-data.ts'
import { moveEntry, createHistory } from './history.ts'
import type { Change, StateKey, Writer, ClockMove, SessionData } from './change.ts'
import type { ProjectName, ProjectChange, Undos, ProjectData } from './project-data.ts'
import type { VersionReader } from './history.ts'
import type { ProjectAccess } from './project.ts'
import { NO_BYTES, addSizes, subtractSizes } from './resource.ts'
import type { Size } from './resource.ts'
import type { ScenarioSelection, Snapshot, StateData } from './state-data.ts'
import { createUsage, expectWithinCounts, growthOf, toSize, toStateLimits } from './limits.ts'
import type { StateLimits } from './limits.ts'

/** The state of every session, in memory; a change log may persist the writes. */
export interface Store {
  /** A project as the session sees it: until the first write, the session's own fixtures, or otherwise the shared ones. */
  access(session: string, name: ProjectName): ProjectAccess
  /** The projects that the session has written to, including its own fixtures; empty if it has written nothing. */
  written(session: string): ReadonlyMap<string, ProjectData>
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
  /** The number of a session's commits that this store has applied; 0 without a log. */
  position(session: string): number
  /** Resolves once all commits in progress have been applied; large ones are applied in slices. */
  applied(): Promise<void>
  /** Applies writes to a session from other mocks; undefined if there is nothing to wait for. */
  catchUp(session: string): Promise<void> | undefined
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
   * @throws {Problem} 400 if the session was permanently deleted, 413 or 503 if a limit is reached; in that case nothing is
   * changed.
   */
  change(session: string, change: Change): void
  /** Resolves once all writes so far have been stored or have failed. */
  close(): Promise<void>
  /** Why the last write could not be stored; undefined after the next success. */
  fault(): unknown
}

export interface StoreParts {
  /** `seed` is the initial data of every project: read-only, and replaced by a reload. */
  readonly sources: { readonly seed: ProjectData }
  /** The state of an earlier run. */
  readonly state?: StateData
  /** Called before each write to a session; throws if the session cannot be written to. */
  readonly enterSession?: (session: string) => void
  /** The size limits. Default: 100 MiB of images per session. */
  readonly limits?: StateLimits
  /** Called when all sessions together exceed a limit. Returns whether it freed anything. */
  readonly freeMemory?: () => boolean
  /** Called for each write to a project. */
  readonly onWrite?: (session: string, name: ProjectName) => void
}

const NO_PROJECTS: SessionData = new Map()
const NO_SNAPSHOTS: ReadonlyMap<string, Snapshot> = new Map()
const DEFAULT_IMAGE_BYTES = 100 * 1024 * 1024

/** How the projects of a store are read and changed. */
interface ProjectStore {
  readonly read: (session: string, id: string, key: StateKey | undefined) => ProjectData
  readonly change: (session: string, change: Change) => void
  readonly expectWithinLimits: (session: string, growth: Size) => void
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

  expectWithinLimits(growth: Partial<Size>): void {
    this.#store.expectWithinLimits(this.#session, addSizes(NO_BYTES, growth))
  }
}

/** The sessions in memory, and the primitives from which a store builds its writes. */
export function createMemory({
  sources,
  state = createStateData(),
  enterSession,
  limits = toStateLimits(DEFAULT_IMAGE_BYTES, false),
  freeMemory = () => false,
}: Omit<StoreParts, 'onWrite'>) {
  const history = createHistory((session, project, id) => read(session, project).find(id))
  const usage = createUsage(limits, freeMemory)
  usage.recount(state)
  const { sessions, snapshots, scenarioSelections, clocks } = state
  const parts = [sessions, snapshots, scenarioSelections, clocks]

  const read = (session: string, id: string): ProjectData =>
    sessions.size === 0 ? sources.seed : readProject(state, session, id, sources.seed)

  /** How much a change grows its session. */
  const measure = (session: string, change: Change): Size =>
    growthOf(state, session, change, 'project' in change ? read(session, change.project) : sources.seed)

  return {
    history,
    read,
    expectWithinLimits: usage.expectWithinLimits,
    written: (session: string): SessionData => sessions.get(session) ?? NO_PROJECTS,
    snapshots: (session: string) => snapshots.get(session) ?? NO_SNAPSHOTS,
    scenarioSelection: (session: string) => scenarioSelections.get(session) ?? NO_SELECTION,
    clock: (session: string) => clocks.get(session) ?? NOT_MOVED,
    has: (session: string): boolean => parts.some((part) => part.has(session)),
    sessions: () => new Set(parts.flatMap((part) => [...part.keys()])),
    /**
     * Returns how much a change grows its session.
     *
     * @throws {Problem} like {@link Store.change}.
     */
    check(session: string, change: Change): Size {
      if (!isReset(change)) enterSession?.(session)
      const growth = measure(session, change)
      usage.expectWithinLimits(session, growth)
      expectWithinCounts(state, session, change)
      return growth
    },
    /** Applies a change with undo. */
    tryChange(session: string, change: Change, growth: Size, undos: Undos): void {
      applyChange(state, session, change, sources.seed, undos, growth)
      usage.add(session, growth)
      undos?.push(() => usage.add(session, subtractSizes(NO_BYTES, growth)))
    },
    /** Applies a change without undo, ignoring the limits. */
    apply(session: string, change: Change, writer: Writer | undefined, growth = measure(session, change)): void {
      history.note(session, change, writer)
      applyChange(state, session, change, sources.seed, undefined, growth)
      usage.add(session, growth)
    },
    /** Applies a change to a session under construction, without counting its size yet. */
    build(session: string, change: Change): void {
      history.note(session, change)
      applyChange(state, session, change, sources.seed)
    },
    /** Moves everything that was built to its session, which must be empty. */
    move(from: string, to: string): void {
      for (const part of parts) moveEntry<string, unknown>(part, from, to)
      history.move(from, to)
      usage.add(to, toSize(sessions.get(to)))
    },
    listChanges: (session: string) => listChanges(state, session, sources.seed.base),
  }
}

/** Creates an in-memory store, in which changes take effect immediately. */
export function createStore(parts: StoreParts): Store {
  const { onWrite } = parts
  const memory = createMemory(parts)
  /** The author of the running operation. */
  let currentWriter: Writer | undefined

  function change(session: string, one: Change): void {
    const growth = memory.check(session, one)
    memory.apply(session, one, currentWriter, growth)
    if (isProjectChange(one)) onWrite?.(session, parseProjectId(one.project))
  }

  const projects = { ...memory, change }

  return {
    ...memory,
    access: (session, name) => new SessionProject(projects, session, name),
    position: () => 0,
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
