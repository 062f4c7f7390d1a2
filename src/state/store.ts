import { Low, Memory } from 'lowdb'
import type { Adapter } from 'lowdb'
import { problem } from '../errors.ts'
import { createCommits } from './commits.ts'
import { forkProjectData } from './project-data.ts'
import type { ProjectData } from './project-data.ts'
import type { ProjectAccess } from './project.ts'
import { NO_BYTES, addSizes, subtractSizes } from './size.ts'
import type { Size } from './size.ts'
import type { SessionData, StateData } from './state-data.ts'
import { createUnkept } from './unkept.ts'
import { createUsage, toSize, toStateLimits } from './usage.ts'
import type { StateLimits } from './usage.ts'

/** Where a project is: the name of its base URL (`eu/gcp`, or empty) and its key. */
export interface ProjectName {
  readonly baseUrl: string
  readonly projectKey: string
}

/**
 * The name under which a session keeps what each of its other projects starts with, in the place of the fixtures. No
 * path names it: a project key is never empty (D71).
 */
export const EVERY_PROJECT: ProjectName = { baseUrl: '', projectKey: '' }

/** At most this many projects of a session may be written to. */
export const MAX_PROJECTS = 1000

const SEPARATOR = '\u0000'

export const toProjectId = ({ baseUrl, projectKey }: ProjectName): string => baseUrl + SEPARATOR + projectKey

const EVERY_ID = toProjectId(EVERY_PROJECT)

export function parseProjectId(id: string): ProjectName {
  const at = id.indexOf(SEPARATOR)
  return { baseUrl: id.slice(0, at), projectKey: id.slice(at + 1) }
}

/** The state of every session, over a lowdb adapter; memory by default. */
export interface Store {
  /** A project as the session sees it: until the session writes to it, the session's own seed, or else everyone's. */
  access(session: string, name: ProjectName): ProjectAccess
  /** The session's projects that were written to, its own seed among them; empty for a session that never wrote. */
  written(session: string): ReadonlyMap<string, Readonly<ProjectData>>
  /** Puts another seed in the place of the one that untouched projects show. */
  reseed(seed: ProjectData): void
  /**
   * Puts other data in the place of all that the session has; undefined: back to the seed.
   *
   * @throws {Problem} 400 when it has ended for good, 413 or 503 when there is no room for them.
   */
  replaceSession(session: string, data: SessionData | undefined): void
  /**
   * Puts other data in the place of all that a project has; undefined: back to the seed.
   *
   * @throws {Problem} 503 when the session may not write to one project more, 400 when it has ended for good, 413 or 503 when there
   * is no room.
   */
  replaceProject(session: string, name: ProjectName, data: ProjectData | undefined): void
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

const NOTHING: SessionData = new Map()

const DEFAULT_IMAGE_BYTES = 100 * 1024 * 1024

/** Opens the store, with what its adapter has kept. */
export async function openStore({
  seed: first,
  adapter,
  enter,
  limits,
  makeRoom,
  onWrite,
}: StoreParts): Promise<Store> {
  const db = new Low<StateData>(adapter ?? new Memory(), { sessions: new Map() })
  await db.read()

  let seed = first
  const unkept = adapter === undefined ? undefined : createUnkept(() => db.data)
  const commits = createCommits({
    async write() {
      unkept?.begin()
      await db.write()
      unkept?.forget()
    },
    onFailure() {
      unkept?.undo()
      usage.recount(db.data)
    },
  })
  const usage = createUsage(
    limits ?? toStateLimits(DEFAULT_IMAGE_BYTES, adapter !== undefined),
    makeRoom ?? (() => false),
  )
  usage.recount(db.data)

  const find = (session: string, id: string): ProjectData | undefined => db.data.sessions.get(session)?.get(id)

  /** The session's projects, with room for this one. */
  function writableSession(session: string, id: string): SessionData {
    unkept?.note(session, id)
    commits.noteChange()
    const projects = db.data.sessions.get(session) ?? new Map<string, ProjectData>()
    if (projects.size === 0) db.data.sessions.set(session, projects)
    if (projects.size >= MAX_PROJECTS && !projects.has(id)) {
      throw problem.overCapacity(
        `Session "${session}" has reached the limit of ${MAX_PROJECTS} projects. Reset it, or use another session.`,
      )
    }
    return projects
  }

  function writableProject(session: string, name: ProjectName, growth: Partial<Size>): ProjectData {
    const id = toProjectId(name)
    const known = find(session, id)
    const data = known ?? forkProjectData(db.data.sessions.get(session)?.get(EVERY_ID) ?? seed)
    const whole = known === undefined ? addSizes(data.size, growth) : addSizes(NO_BYTES, growth)
    enter?.(session)
    usage.expectRoom(session, whole)
    onWrite?.(session, name)
    writableSession(session, id).set(id, data)
    data.size = addSizes(data.size, growth)
    usage.add(session, whole)
    return data
  }

  class SessionProject implements ProjectAccess {
    readonly #session: string
    readonly #name: ProjectName

    constructor(session: string, name: ProjectName) {
      this.#session = session
      this.#name = name
    }

    read(): ProjectData {
      const projects = db.data.sessions.get(this.#session)
      if (projects === undefined) return seed
      return projects.get(toProjectId(this.#name)) ?? projects.get(EVERY_ID) ?? seed
    }

    write(growth: Partial<Size> = {}): ProjectData {
      return writableProject(this.#session, this.#name, growth)
    }

    expectRoom(growth: Partial<Size>): void {
      usage.expectRoom(this.#session, addSizes(NO_BYTES, growth))
    }
  }

  return {
    access: (session, name) => new SessionProject(session, name),
    written: (session) => db.data.sessions.get(session) ?? NOTHING,
    reseed(next) {
      seed = next
    },
    replaceSession(session, data) {
      if (data !== undefined) {
        enter?.(session)
        usage.expectRoom(session, subtractSizes(toSize(data), toSize(db.data.sessions.get(session))))
      }
      for (const id of [...(db.data.sessions.get(session)?.keys() ?? []), ...(data?.keys() ?? [])]) {
        unkept?.note(session, id)
      }
      commits.noteChange()
      if (data === undefined) db.data.sessions.delete(session)
      else db.data.sessions.set(session, data)
      usage.replace(session, data)
    },
    replaceProject(session, name, data) {
      const id = toProjectId(name)
      if (data !== undefined) {
        enter?.(session)
        usage.expectRoom(session, subtractSizes(data.size, find(session, id)?.size ?? NO_BYTES))
        writableSession(session, id).set(id, data)
        usage.replace(session, db.data.sessions.get(session))
        return
      }
      unkept?.note(session, id)
      commits.noteChange()
      db.data.sessions.get(session)?.delete(id)
      usage.replace(session, db.data.sessions.get(session))
    },
    sessions: () => db.data.sessions.keys(),
    commit: () => (adapter === undefined ? undefined : commits.commit()),
    fault: commits.fault,
  }
}
