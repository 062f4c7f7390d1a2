import { Low, Memory } from 'lowdb'
import type { Adapter } from 'lowdb'
import { problem } from '../errors.ts'
import { applyChange, readProject } from './apply-change.ts'
import type { Change, ProjectChange, Undo } from './change.ts'
import { createCommits } from './commits.ts'
import type { ProjectData } from './project-data.ts'
import { toProjectId } from './project-name.ts'
import type { ProjectName } from './project-name.ts'
import type { ProjectAccess } from './project.ts'
import { NO_BYTES, addSizes, subtractSizes } from './size.ts'
import type { Size } from './size.ts'
import { expectRoomForSnapshot, takeSnapshot } from './snapshots.ts'
import type { SessionData, Snapshot, StateData } from './state-data.ts'
import { createUsage, toSize, toStateLimits } from './usage.ts'
import type { StateLimits } from './usage.ts'

/** At most this many projects of a session may be written to. */
export const MAX_PROJECTS = 1000

/** The state of every session, over a lowdb adapter; memory by default. */
export interface Store {
  /** A project as the session sees it: until the session writes to it, the session's own seed, or else everyone's. */
  access(session: string, name: ProjectName): ProjectAccess
  /** The session's projects that were written to, its own seed among them; empty for a session that never wrote. */
  written(session: string): ReadonlyMap<string, ProjectData>
  /** The session's snapshots by name, in the order of their taking. */
  snapshots(session: string): ReadonlyMap<string, Snapshot>
  /** Puts another seed in the place of the one that untouched projects show. */
  reseed(seed: ProjectData): void
  /**
   * Changes what a session has.
   *
   * @throws {Problem} 400 if it has ended for good, 413 or 503 if there is no room; nothing is changed then.
   */
  change(session: string, change: Change): void
  sessions(): IterableIterator<string>
  /**
   * Resolves when all that was written until now is kept; undefined when there is nothing to wait for.
   * Writes that come while one is under way are kept together by the next. Rejects when they cannot be kept: then
   * everything is again as it was kept last.
   */
  commit(): Promise<void> | undefined
  /** Why the last commit failed; undefined once one has succeeded again. */
  fault(): unknown
}

interface StoreParts {
  /** What every project starts with; never written to. */
  readonly seed: ProjectData
  /** Absent: memory only. */
  readonly adapter?: Adapter<StateData>
  /** Called before each write of a session; throws where it cannot be written to, whatever was under way in it. */
  readonly enter?: (session: string) => void
  /** How much may be kept. Default: images of 100 MiB a session. */
  readonly limits?: StateLimits
  /** Called where all sessions together have no room left; frees some, and tells whether it could. */
  readonly makeRoom?: () => boolean
  /** Called before each write to a project. */
  readonly onWrite?: (session: string, name: ProjectName) => void
}

const NO_PROJECTS: SessionData = new Map()
const NO_SNAPSHOTS: ReadonlyMap<string, Snapshot> = new Map()

const DEFAULT_IMAGE_BYTES = 100 * 1024 * 1024

/** Whether a change only takes away, so that a session which ended does not start again. */
const isReset = (change: Change): boolean =>
  change.kind === 'end' || ((change.kind === 'session' || change.kind === 'project') && change.data === undefined)

/** The state of no session. */
export const createStateData = (): StateData => ({ sessions: new Map(), snapshots: new Map() })

/** Opens the store, with what its adapter has kept. */
export async function openStore({
  seed: first,
  adapter,
  enter,
  limits,
  makeRoom,
  onWrite,
}: StoreParts): Promise<Store> {
  const db = new Low<StateData>(adapter ?? new Memory(), createStateData())
  await db.read()

  let seed = first
  /** What undoes the changes that are not kept: those that the write under way keeps, and those since. */
  let writing: Undo[] = []
  let unkept: Undo[] = []
  const commits = createCommits({
    async write() {
      writing = unkept
      unkept = []
      await db.write()
      writing = []
    },
    onFailure() {
      for (const undo of [...writing, ...unkept].toReversed()) undo()
      writing = []
      unkept = []
      usage.recount(db.data)
    },
  })
  const usage = createUsage(
    limits ?? toStateLimits(DEFAULT_IMAGE_BYTES, adapter !== undefined),
    makeRoom ?? (() => false),
  )
  usage.recount(db.data)

  const written = (session: string): SessionData => db.data.sessions.get(session) ?? NO_PROJECTS

  /** @throws {Problem} 503 if the session may not write to one project more. */
  function expectRoomForProject(session: string, id: string): void {
    const projects = written(session)
    if (projects.size < MAX_PROJECTS || projects.has(id)) return
    throw problem.overCapacity(
      `Session "${session}" has reached the limit of ${MAX_PROJECTS} projects. Reset it, or use another session.`,
    )
  }

  /** By how much a change makes the data of its session grow, or shrink. */
  function growthOf(session: string, change: Change): Size {
    switch (change.kind) {
      case 'project':
        return subtractSizes(change.data?.size ?? NO_BYTES, written(session).get(change.project)?.size ?? NO_BYTES)
      case 'session':
        return subtractSizes(toSize(change.data), toSize(written(session)))
      case 'restore':
        return subtractSizes(toSize(db.data.snapshots.get(session)?.get(change.name)?.data), toSize(written(session)))
      case 'end':
        return subtractSizes(NO_BYTES, toSize(written(session)))
      case 'snapshot':
        return NO_BYTES
      default:
        return readProject(db.data, session, change.project, seed).growthOf(change)
    }
  }

  /** @throws {Problem} 413 or 503 if there is no room for a change. */
  function expectRoom(session: string, change: Change, growth: Size): void {
    usage.expectRoom(session, growth)
    if ('project' in change && !(change.kind === 'project' && change.data === undefined)) {
      expectRoomForProject(session, change.project)
    }
    if (change.kind === 'snapshot' && change.takenAt !== undefined) {
      expectRoomForSnapshot(db.data, session, takeSnapshot(change.name, change.takenAt, written(session)))
    }
  }

  function change(session: string, one: Change): void {
    if (!isReset(one)) enter?.(session)
    const growth = growthOf(session, one)
    expectRoom(session, one, growth)
    const undos: Undo[] = []
    applyChange(db.data, session, one, seed, undos)
    usage.add(session, growth)
    if (adapter === undefined) return
    unkept.push(...undos)
    commits.noteChange()
  }

  class SessionProject implements ProjectAccess {
    readonly #session: string
    readonly #name: ProjectName

    constructor(session: string, name: ProjectName) {
      this.#session = session
      this.#name = name
    }

    read(): ProjectData {
      return db.data.sessions.has(this.#session)
        ? readProject(db.data, this.#session, toProjectId(this.#name), seed)
        : seed
    }

    write(projectChange: ProjectChange): void {
      onWrite?.(this.#session, this.#name)
      change(this.#session, { ...projectChange, project: toProjectId(this.#name) })
    }

    expectRoom(growth: Partial<Size>): void {
      usage.expectRoom(this.#session, addSizes(NO_BYTES, growth))
    }
  }

  return {
    access: (session, name) => new SessionProject(session, name),
    written,
    snapshots: (session) => db.data.snapshots.get(session) ?? NO_SNAPSHOTS,
    reseed(next) {
      seed = next
    },
    change,
    sessions: () => db.data.sessions.keys(),
    commit: () => (adapter === undefined ? undefined : commits.commit()),
    fault: commits.fault,
  }
}
