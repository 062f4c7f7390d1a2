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
  /** A project as the session sees it: until the session writes to it, the session's own fixtures, or else everyone's. */
  access(session: string, name: ProjectName): ProjectAccess
  /** The projects that the session wrote to, its own fixtures among them; empty for a session that never wrote. */
  written(session: string): ReadonlyMap<string, ProjectData>
  /** The session's snapshots by name, oldest first. */
  snapshots(session: string): ReadonlyMap<string, Snapshot>
  /** Which scenarios the session has activated and defined. */
  scenarioSelection(session: string): ScenarioSelection
  /** How far the session's clock was moved. A write that reads it depends on it. */
  clock(session: string): ClockMove
  /** The versions that resources had since the fixtures, or since all data of their project or session were replaced. */
  readonly history: VersionReader
  /** Whether the session has written something. */
  has(session: string): boolean
  /** The sessions that have written something. */
  sessions(): Iterable<string>
  /** How many commits of a session this store has applied; 0 without a log. */
  position(session: string): number
  /** Resolves once all commits are applied whose application has started: large ones are applied in slices. */
  applied(): Promise<void>
  /** Applies what other mocks wrote to a session; undefined if there is nothing to wait for. */
  catchUp(session: string): Promise<void> | undefined
  /**
   * Runs an operation and returns its result once all of its changes are kept. Without a log that is immediately. With one, the
   * operation runs again if another write changed what it read. Call {@link catchUp} first.
   *
   * @param operation reads and changes the session by {@link access} and {@link change}, synchronously
   * @param writer named in the history
   * @throws whatever the operation throws; with a log, nothing is changed then.
   */
  write<Result>(session: string, operation: () => Result, writer?: Writer): Result | Promise<Result>
  /**
   * Changes a session. Within {@link write} the change counts once the write is kept. Outside of it, it counts immediately and is
   * then appended to the log: for sessions that end because they were idle.
   *
   * @throws {Problem} 400 if the session was permanently deleted, 413 or 503 if a limit is reached; nothing is changed then.
   */
  change(session: string, change: Change): void
  /** Resolves once all writes so far are kept or have failed. */
  close(): Promise<void>
  /** Why the last write could not be kept; undefined once a write has succeeded again. */
  fault(): unknown
}

export interface StoreParts {
  /** `seed` is what every project currently starts with: never written to, and replaced by a reload. */
  readonly sources: { readonly seed: ProjectData }
  /** The state of an earlier run. */
  readonly state?: StateData
  /** Called before each write of a session; throws if the session cannot be written to. */
  readonly enterSession?: (session: string) => void
  /** How much may be kept. Default: images of 100 MiB a session. */
  readonly limits?: StateLimits
  /** Called when all sessions together exceed a limit. Returns whether it freed anything. */
  readonly freeMemory?: () => boolean
  /** Called with each write to a project. */
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
    this.#store.change(this.#session, { ...change, project: this.#id })
  }

  expectWithinLimits(growth: Partial<Size>): void {
    this.#store.expectWithinLimits(this.#session, addSizes(NO_BYTES, growth))
  }
}

/** The sessions in memory, and the steps of which a store makes its writes. */
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

  /** How much a change makes its session grow. */
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
     * Returns how much a change makes its session grow.
     *
     * @throws {Problem} as {@link Store.change}.
     */
    check(session: string, change: Change): Size {
      if (!isReset(change)) enterSession?.(session)
      const growth = measure(session, change)
      usage.expectWithinLimits(session, growth)
      expectWithinCounts(state, session, change)
      return growth
    },
    /** Applies a change that may be undone. */
    tryChange(session: string, change: Change, growth: Size, undos: Undos): void {
      applyChange(state, session, change, sources.seed, undos, growth)
      usage.add(session, growth)
      undos?.push(() => usage.add(session, subtractSizes(NO_BYTES, growth)))
    },
    /** Applies a change without undo, whatever the limits. */
    apply(session: string, change: Change, writer: Writer | undefined, growth = measure(session, change)): void {
      history.note(session, change, writer)
      applyChange(state, session, change, sources.seed, undefined, growth)
      usage.add(session, growth)
    },
    /** Applies a change to a session under construction, which does not count yet. */
    build(session: string, change: Change): void {
      history.note(session, change)
      applyChange(state, session, change, sources.seed)
    },
    /** Moves everything that was built to its session, which is empty. */
    move(from: string, to: string): void {
      for (const part of parts) moveEntry<string, unknown>(part, from, to)
      history.move(from, to)
      usage.add(to, toSize(sessions.get(to)))
    },
    listChanges: (session: string) => listChanges(state, session, sources.seed.base),
  }
}

/** Creates a store that keeps everything in memory, in which a change counts as soon as it is made. */
export function createStore(parts: StoreParts): Store {
  const { onWrite } = parts
  const memory = createMemory(parts)
  /** The writer of the operation that runs. */
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
