import type { Change, Writer } from './change.ts'
import { Fifo } from '../../util/collections.ts'
import type { StoredResource } from './resource.ts'
import { resourceBytes } from './resource.ts'

/** A version of a resource. */
export interface Version {
  /** `fixture`: already existed when the history started; `removed`: was removed. */
  readonly kind: 'fixture' | 'put' | 'removed'
  /** For a removed resource: its last version. */
  readonly resource: StoredResource
  readonly writer?: Writer | undefined
}

export interface HistoryLimits {
  /** Of one resource, including the current one. */
  readonly versions: number
  /** Earlier versions in one session. */
  readonly sessionBytes: number
  /** Earlier versions in all sessions. */
  readonly totalBytes: number
}

const MEBIBYTE = 1024 * 1024
const LIMITS: HistoryLimits = { versions: 100, sessionBytes: 32 * MEBIBYTE, totalBytes: 128 * MEBIBYTE }

/** Reads earlier versions of the resources in each session. */
export type VersionReader = Pick<ReturnType<typeof createHistory>, 'versions' | 'findIdByKey' | 'projectsOf' | 'all'>

/** Finds the current version of a resource. */
export type FindPresent = (session: string, project: string, id: string) => StoredResource | undefined

interface ProjectHistory {
  /** The authors of current versions, by resource id; the versions themselves are in the data. */
  readonly writers: Map<string, Writer | undefined>
  /** Replaced and removed versions by id, oldest first; each list has at least one. */
  readonly earlier: Map<string, EarlierVersion[]>
}

interface SessionHistory {
  readonly projects: Map<string, ProjectHistory>
  /** Oldest first. Dropped versions remain until they reach the front or the list is compacted. */
  readonly versions: Fifo<EarlierVersion>
  /** The number of dropped versions in it. */
  dropped: number
  bytes: number
}

/** A replaced or removed version, with its session and resource. */
interface EarlierVersion {
  readonly version: Version
  readonly bytes: number
  readonly session: SessionHistory
  readonly project: ProjectHistory
  /** Orders the versions of all sessions. */
  readonly number: number
  isDropped: boolean
}

/** A list is compacted when it has at least this many dropped versions and they are more than half of it. */
const MOST_DROPPED = 64

const toPresent = (resource: StoredResource, writers?: ProjectHistory['writers']): Version => ({
  kind: writers?.has(resource.id) === true ? 'put' : 'fixture',
  resource,
  writer: writers?.get(resource.id),
})

/**
 * Creates the history of all sessions. It stores each version that is replaced or removed, and drops the oldest ones when a
 * limit is exceeded. Records are immutable, so the history shares them with the data.
 */
export function createHistory(findPresent: FindPresent, limits: HistoryLimits = LIMITS) {
  const sessions = new Map<string, SessionHistory>()
  let count = 0
  let total = 0

  const findProject = (session: string, project: string): ProjectHistory | undefined =>
    sessions.get(session)?.projects.get(project)

  function open(name: string): SessionHistory {
    const session = sessions.get(name) ?? { projects: new Map(), versions: new Fifo(), dropped: 0, bytes: 0 }
    sessions.set(name, session)
    return session
  }

  function openProject({ projects }: SessionHistory, name: string): ProjectHistory {
    const project = projects.get(name) ?? { writers: new Map(), earlier: new Map() }
    projects.set(name, project)
    return project
  }

  /** Drops the oldest version of a resource. */
  function drop(oldest: EarlierVersion | undefined): void {
    if (oldest === undefined) return
    const { version, bytes, session, project } = oldest
    const list = project.earlier.get(version.resource.id)
    list?.shift()
    if (list?.length === 0) project.earlier.delete(version.resource.id)
    oldest.isDropped = true
    session.dropped += 1
    session.bytes -= bytes
    total -= bytes
    while (session.versions.first?.isDropped === true) {
      session.versions.shift()
      session.dropped -= 1
    }
    if (session.dropped <= Math.max(MOST_DROPPED, session.versions.size / 2)) return
    session.versions.remove(({ isDropped }) => isDropped)
    session.dropped = 0
  }

  /** The session that has the oldest version. */
  function findOldest(): SessionHistory | undefined {
    let oldest: SessionHistory | undefined
    let least = Infinity
    for (const session of sessions.values()) {
      const first = session.versions.first?.number ?? Infinity
      if (first < least) [oldest, least] = [session, first]
    }
    return oldest
  }

  function forget(name: string, isMeant: (project: string) => boolean): void {
    const session = sessions.get(name)
    if (session === undefined) return
    for (const [id, project] of session.projects) {
      if (!isMeant(id)) continue
      for (const version of [...project.earlier.values()].flat()) drop(version)
      session.projects.delete(id)
    }
    if (session.projects.size === 0) sessions.delete(name)
  }

  /** Stores a replaced or removed version. */
  function keep(session: SessionHistory, project: ProjectHistory, version: Version): void {
    const { id } = version.resource
    count += 1
    const kept = {
      version,
      bytes: resourceBytes(version.resource),
      session,
      project,
      number: count,
      isDropped: false,
    }
    const list = project.earlier.get(id)
    if (list === undefined) project.earlier.set(id, [kept])
    else list.push(kept)
    session.versions.push(kept)
    session.bytes += kept.bytes
    total += kept.bytes
    while (session.bytes > limits.sessionBytes) drop(session.versions.first)
    while (total > limits.totalBytes) drop(findOldest()?.versions.first)
  }

  /** A write adds at most one version beyond the limit. */
  function dropBeyond(most: number, { earlier }: ProjectHistory, id: string): void {
    const list = earlier.get(id) ?? []
    if (list.length > most) drop(list[0])
  }

  function notePut(sessionName: string, projectName: string, resource: StoredResource, writer?: Writer): void {
    const { id } = resource
    const session = open(sessionName)
    const project = openProject(session, projectName)
    const before = findPresent(sessionName, projectName, id)
    if (before !== undefined) keep(session, project, toPresent(before, project.writers))
    project.writers.set(id, writer)
    dropBeyond(limits.versions - 1, project, id)
  }

  function noteRemoval(sessionName: string, projectName: string, id: string, writer?: Writer): void {
    const before = findPresent(sessionName, projectName, id)
    if (before === undefined) return
    const session = open(sessionName)
    const project = openProject(session, projectName)
    keep(session, project, toPresent(before, project.writers))
    keep(session, project, { kind: 'removed', resource: before, writer })
    project.writers.delete(id)
    dropBeyond(limits.versions, project, id)
  }

  /** Oldest first, the current one last; empty if the resource never existed. */
  function versions(session: string, project: string, id: string): readonly Version[] {
    const { earlier, writers } = findProject(session, project) ?? {}
    const before = earlier?.get(id)?.map(({ version }) => version) ?? []
    const present = findPresent(session, project, id)
    return present === undefined ? before : [...before, toPresent(present, writers)]
  }

  return {
    versions,
    /** All versions of a session by project and resource, each list as {@link versions} returns it. */
    all: (session: string): ReadonlyMap<string, ReadonlyMap<string, readonly Version[]>> =>
      new Map(
        Array.from(sessions.get(session)?.projects ?? [], ([project, { writers, earlier }]) => [
          project,
          new Map(
            [...new Set([...earlier.keys(), ...writers.keys()])].map((id) => [id, versions(session, project, id)]),
          ),
        ]),
      ),
    /** The id of the resource that had a key before it was removed or its key changed; undefined if there was none. */
    findIdByKey(session: string, project: string, key: string): string | undefined {
      const lists = [...(findProject(session, project)?.earlier ?? [])].toReversed()
      return lists.find(([, list]) => list.some(({ version }) => version.resource.key === key))?.[0]
    },
    /** The projects in which a resource with that id was written. */
    projectsOf: (session: string, id: string): readonly string[] =>
      [...(sessions.get(session)?.projects ?? [])]
        .filter(([, { writers, earlier }]) => writers.has(id) || earlier.has(id))
        .map(([project]) => project),
    /** Moves a session's history to a session that has none. */
    move: (from: string, to: string) => moveEntry(sessions, from, to),
    /** Records a stored change. Call it before the change is applied. */
    note(session: string, change: Change, writer?: Writer): void {
      switch (change.kind) {
        case 'put':
          return notePut(session, change.project, change.resource, writer)
        case 'remove':
          return noteRemoval(session, change.project, change.id, writer)
        case 'project':
          return forget(session, (project) => project === change.project)
        case 'session':
        case 'restore':
        case 'end':
          return forget(session, () => true)
        default:
      }
    },
  }
}

/** Changes the key of an entry; replaces any entry that has that key. */
export function moveEntry<Key, Value>(map: Map<Key, Value>, from: Key, to: Key): void {
  map.delete(to)
  // The key exists, so the value does too.
  if (map.has(from)) map.set(to, map.get(from) as Value)
  map.delete(from)
}
