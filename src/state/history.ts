import type { Change, Writer } from './change.ts'
import { Fifo } from '../util/collections.ts'
import type { StoredResource } from './resource.ts'
import { resourceBytes } from './resource.ts'

/** A version that a resource had. */
export interface Version {
  /** `fixture`: how the history found it, `removed`: it was removed. */
  readonly kind: 'fixture' | 'put' | 'removed'
  /** For one that was removed: as it was last. */
  readonly resource: StoredResource
  readonly writer?: Writer | undefined
}

export interface HistoryLimits {
  /** Of one resource, the present one among them. */
  readonly versions: number
  /** Of the earlier versions of one session. */
  readonly sessionBytes: number
  /** Of the earlier versions of all sessions. */
  readonly totalBytes: number
}

const MEBIBYTE = 1024 * 1024
const LIMITS: HistoryLimits = { versions: 100, sessionBytes: 32 * MEBIBYTE, totalBytes: 128 * MEBIBYTE }

/** Reads the versions that the resources of each session had. */
export type VersionReader = Pick<ReturnType<typeof createHistory>, 'versions' | 'findIdByKey' | 'projectsOf'>

/** Finds a resource as it is now. */
export type FindPresent = (session: string, project: string, id: string) => StoredResource | undefined

interface ProjectHistory {
  /** Who wrote the present version, by the id of its resource; the version itself is in the data. */
  readonly writers: Map<string, Writer | undefined>
  /** The versions that were replaced or removed, by id, oldest first; each list has at least one. */
  readonly earlier: Map<string, EarlierVersion[]>
}

interface SessionHistory {
  readonly projects: Map<string, ProjectHistory>
  /** Oldest first. Dropped versions stay in it until they are at the front, or until there are many. */
  readonly versions: Fifo<EarlierVersion>
  /** How many of them are dropped. */
  dropped: number
  bytes: number
}

/** A version that was replaced or removed, and whose it is. */
interface EarlierVersion {
  readonly version: Version
  readonly bytes: number
  readonly session: SessionHistory
  readonly project: ProjectHistory
  /** Orders the versions of all sessions. */
  readonly number: number
  isDropped: boolean
}

/** A list is compacted once it has this many dropped versions, and more than half of it are. */
const MOST_DROPPED = 64

const toPresent = (resource: StoredResource, writers?: ProjectHistory['writers']): Version => ({
  kind: writers?.has(resource.id) === true ? 'put' : 'fixture',
  resource,
  writer: writers?.get(resource.id),
})

/**
 * Creates the history of all sessions. A version is kept once it is replaced or removed, and past the limits the oldest ones
 * are dropped. Records never change, so the history shares them with the data.
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

  /** The session with the oldest version of all. */
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

  /** Keeps a version that is replaced or removed. */
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

  /** A write keeps at most one version more than there may be. */
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

  return {
    /** Oldest first, the present one last; empty for a resource that never existed. */
    versions(session: string, project: string, id: string): readonly Version[] {
      const { earlier, writers } = findProject(session, project) ?? {}
      const versions = earlier?.get(id)?.map(({ version }) => version) ?? []
      const present = findPresent(session, project, id)
      return present === undefined ? versions : [...versions, toPresent(present, writers)]
    },
    /** The id of the resource that had a key before it was removed or its key changed; undefined if there was none. */
    findIdByKey(session: string, project: string, key: string): string | undefined {
      const lists = [...(findProject(session, project)?.earlier ?? [])].toReversed()
      return lists.find(([, list]) => list.some(({ version }) => version.resource.key === key))?.[0]
    },
    /** The projects in which a resource of that id was written. */
    projectsOf: (session: string, id: string): readonly string[] =>
      [...(sessions.get(session)?.projects ?? [])]
        .filter(([, { writers, earlier }]) => writers.has(id) || earlier.has(id))
        .map(([project]) => project),
    /** Moves the history of a session to one that has none. */
    move: (from: string, to: string) => moveEntry(sessions, from, to),
    /** Notes a change that is kept. Call it before the change is applied. */
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

/** Gives an entry another key; the entry that had it goes. */
export function moveEntry<Key, Value>(map: Map<Key, Value>, from: Key, to: Key): void {
  map.delete(to)
  // It has the key, so this is its value.
  if (map.has(from)) map.set(to, map.get(from) as Value)
  map.delete(from)
}
