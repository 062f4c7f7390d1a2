import type { Change, Writer } from './change.ts'
import { Fifo } from '../../util/collections.ts'
import { RECORD_BYTES, sizeOf, sumBytes } from './memory.ts'
import type { Memory } from './memory.ts'
import type { StoredResource } from './resource.ts'
import { resourceBytes } from './resource.ts'

/** A version of a resource. */
export interface Version {
  /** `fixture`: already existed when the history started; `removed`: was removed. */
  readonly kind: 'fixture' | 'put' | 'removed'
  /** For a removed resource: its last version. */
  readonly resource: StoredResource
  readonly writer?: Writer | undefined
  /** The snapshot with which the history started, if this is its first version. */
  readonly restored?: RestoredSnapshot | undefined
}

/** A snapshot that was restored, and when, in ISO 8601. */
export interface RestoredSnapshot {
  readonly snapshot: string
  readonly time: string
}

/** Maximum number of versions of a resource, including the current one. */
const MOST_VERSIONS = 100

/** Reads earlier versions of the resources in each session. */
export type VersionReader = Pick<
  ReturnType<typeof createHistory>,
  'versions' | 'findIdByKey' | 'projectsOf' | 'all' | 'dropOldest'
>

interface ProjectHistory {
  /** The authors of current versions, by resource id, in write order; the versions themselves are in the data. */
  readonly writers: Map<string, Writer | undefined>
  /** Replaced and removed versions by id, oldest first; each list has at least one. */
  readonly earlier: Map<string, EarlierVersion[]>
}

interface SessionHistory {
  name: string
  readonly projects: Map<string, ProjectHistory>
  /** Oldest first. Dropped versions remain until they reach the front or the list is compacted. */
  readonly versions: Fifo<EarlierVersion>
  /** The number of dropped versions in it. */
  dropped: number
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

/** Counts the memory of a version, in bytes. */
export const versionBytes = ({ resource, writer, restored }: Version): number =>
  RECORD_BYTES + resourceBytes(resource) + (writer?.kind === 'scenario' ? sizeOf(writer) : 0) + sizeOf(restored)

/**
 * Creates the history of all sessions. It stores each version that is replaced or removed. Records are immutable, so the
 * history shares them with the data.
 */
export function createHistory(
  findPresent: (session: string, project: string, id: string) => StoredResource | undefined,
  memory: Memory,
  mostVersions = MOST_VERSIONS,
) {
  const sessions = new Map<string, SessionHistory>()
  /** The snapshots that sessions were restored from, and the projects that were replaced since. */
  const restores = new Map<string, RestoredSnapshot & { readonly replaced: Set<string> }>()
  let count = 0

  function toPresent(session: string, project: string, resource: StoredResource): Version {
    const { writers } = findProject(session, project) ?? {}
    if (writers?.has(resource.id) === true) return { kind: 'put', resource, writer: writers.get(resource.id) }
    const restore = restores.get(session)
    if (restore === undefined || restore.replaced.has(project)) return { kind: 'fixture', resource }
    const { snapshot, time } = restore
    return { kind: 'fixture', resource, restored: { snapshot, time } }
  }

  const findProject = (session: string, project: string): ProjectHistory | undefined =>
    sessions.get(session)?.projects.get(project)

  function open(name: string): SessionHistory {
    const session = sessions.get(name) ?? { name, projects: new Map(), versions: new Fifo(), dropped: 0 }
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
    memory.add('versions', session.name, -bytes)
    while (session.versions.first?.isDropped === true) {
      session.versions.shift()
      session.dropped -= 1
    }
    if (session.dropped <= Math.max(MOST_DROPPED, session.versions.size / 2)) return
    session.versions.remove(({ isDropped }) => isDropped)
    session.dropped = 0
  }

  /** The oldest version of a session or, without a name, of all. */
  function findOldest(name?: string): EarlierVersion | undefined {
    if (name !== undefined) return sessions.get(name)?.versions.first
    let oldest: EarlierVersion | undefined
    for (const { versions: own } of sessions.values()) {
      if (own.first !== undefined && own.first.number < (oldest?.number ?? Infinity)) oldest = own.first
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
      bytes: versionBytes(version),
      session,
      project,
      number: count,
      isDropped: false,
    }
    const list = project.earlier.get(id)
    if (list === undefined) project.earlier.set(id, [kept])
    else list.push(kept)
    session.versions.push(kept)
    memory.add('versions', session.name, kept.bytes)
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
    if (before !== undefined) keep(session, project, toPresent(sessionName, projectName, before))
    project.writers.delete(id)
    project.writers.set(id, writer)
    dropBeyond(mostVersions - 1, project, id)
  }

  function noteRemoval(sessionName: string, projectName: string, id: string, writer?: Writer): void {
    const before = findPresent(sessionName, projectName, id)
    if (before === undefined) return
    const session = open(sessionName)
    const project = openProject(session, projectName)
    keep(session, project, toPresent(sessionName, projectName, before))
    keep(session, project, { kind: 'removed', resource: before, writer })
    project.writers.delete(id)
    dropBeyond(mostVersions, project, id)
  }

  /** Oldest first, the current one last; empty if the resource never existed. */
  function versions(session: string, project: string, id: string): readonly Version[] {
    const { earlier } = findProject(session, project) ?? {}
    const before = earlier?.get(id)?.map(({ version }) => version) ?? []
    const present = findPresent(session, project, id)
    return present === undefined ? before : [...before, toPresent(session, project, present)]
  }

  return {
    versions,
    /**
     * All versions of a session by project and resource, each list as {@link versions} returns it: removed resources first,
     * then the others in write order.
     */
    all: (session: string): ReadonlyMap<string, ReadonlyMap<string, readonly Version[]>> =>
      new Map(
        Array.from(sessions.get(session)?.projects ?? [], ([project, { writers, earlier }]) => [
          project,
          new Map(
            [...[...earlier.keys()].filter((id) => !writers.has(id)), ...writers.keys()].map((id) => [
              id,
              versions(session, project, id),
            ]),
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
    /** Drops the oldest version of a session or, without a name, of all. Returns whether there was one. */
    dropOldest(name?: string): boolean {
      const oldest = findOldest(name)
      drop(oldest)
      return oldest !== undefined
    },
    /** Moves a session's history to a session that has none. */
    move(from: string, to: string): void {
      moveEntry(sessions, from, to)
      moveEntry(restores, from, to)
      const session = sessions.get(to)
      if (session === undefined) return
      session.name = to
      const bytes = sumBytes(session.versions.toArray(), (one) => (one.isDropped ? 0 : one.bytes))
      memory.add('versions', from, -bytes)
      memory.add('versions', to, bytes)
    },
    /** Records a stored change. Call it before the change is applied. */
    note(session: string, change: Change, writer?: Writer): void {
      switch (change.kind) {
        case 'put':
          return notePut(session, change.project, change.resource, writer)
        case 'remove':
          return noteRemoval(session, change.project, change.id, writer)
        case 'project':
          restores.get(session)?.replaced.add(change.project)
          return forget(session, (project) => project === change.project)
        case 'restore':
          if (writer?.kind === 'admin')
            restores.set(session, { snapshot: change.name, time: writer.time, replaced: new Set() })
          return forget(session, () => true)
        case 'session':
        case 'end':
          restores.delete(session)
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
