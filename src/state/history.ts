import { Queue } from '../util/queue.ts'
import type { Change } from './change.ts'
import type { ProjectData } from './project-data.ts'
import type { StoredResource } from './resource.ts'
import { resourceBytes } from './size.ts'

/** Who made a write. */
export type Writer =
  /** A request of the service, by its correlation id. */
  | { readonly kind: 'request'; readonly correlationId: string }
  /** The other writer of a scenario, which came before a request. */
  | { readonly kind: 'scenario'; readonly scenario: string; readonly correlationId: string }
  | { readonly kind: 'admin' }

export const ADMIN: Writer = { kind: 'admin' }

/** A version that a resource had. */
export interface Version {
  /** `fixture`: how the history found it, `removed`: it was removed. */
  readonly kind: 'fixture' | 'put' | 'removed'
  /** For one that was removed: as it was last. */
  readonly resource: StoredResource
  readonly writer?: Writer | undefined
}

export interface HistoryLimits {
  /** Of one resource. */
  readonly versions: number
  /** Of one session. */
  readonly sessionBytes: number
  /** Of all sessions. */
  readonly totalBytes: number
}

const MEBIBYTE = 1024 * 1024
const LIMITS: HistoryLimits = { versions: 100, sessionBytes: 32 * MEBIBYTE, totalBytes: 128 * MEBIBYTE }

/** The versions that the resources of each session had, to read. */
export interface VersionReader {
  /** Oldest first; empty for a resource that was not written since the history of its project began. */
  versions(session: string, project: string, id: string): readonly Version[]
  /** The projects in which a resource of that id was written. */
  projectsOf(session: string, id: string): readonly string[]
}

export interface History extends VersionReader {
  /**
   * Notes a change that is kept. Call it before the change is applied.
   *
   * @param before the project before the change, if it changes one
   */
  note(session: string, change: Change, before: ProjectData, writer?: Writer): void
}

interface KeptVersion extends Version {
  readonly session: string
  readonly project: string
  readonly bytes: number
}

interface SessionHistory {
  readonly queue: Queue<KeptVersion>
  /** The versions of each resource, by project and id; each list has at least one. */
  readonly projects: Map<string, Map<string, KeptVersion[]>>
  bytes: number
}

/** Creates the history of all sessions. It holds on to records, which never change, and drops the oldest ones past its limits. */
export function createHistory(limits: HistoryLimits = LIMITS): History {
  const sessions = new Map<string, SessionHistory>()
  const all = new Queue<KeptVersion>()
  let total = 0

  const listOf = (session: string, project: string, id: string): KeptVersion[] | undefined =>
    sessions.get(session)?.projects.get(project)?.get(id)

  function open(session: string): SessionHistory {
    const known = sessions.get(session)
    if (known !== undefined) return known
    const history: SessionHistory = { queue: new Queue(), projects: new Map(), bytes: 0 }
    sessions.set(session, history)
    return history
  }

  /** Drops the oldest version of a resource. */
  function drop(version: KeptVersion | undefined): void {
    const history = version && sessions.get(version.session)
    const ids = version && history?.projects.get(version.project)
    const list = version && ids?.get(version.resource.id)
    if (version === undefined || history === undefined || ids === undefined || list === undefined) return
    all.delete(version)
    history.queue.delete(version)
    list.shift()
    history.bytes -= version.bytes
    total -= version.bytes
    if (list.length === 0) ids.delete(version.resource.id)
    if (ids.size === 0) history.projects.delete(version.project)
    if (history.projects.size === 0) sessions.delete(version.session)
  }

  function forget(session: string, isMeant: (version: KeptVersion) => boolean): void {
    for (const version of sessions.get(session)?.queue.toArray() ?? []) if (isMeant(version)) drop(version)
  }

  function add(session: string, project: string, version: Version): void {
    const { id } = version.resource
    const kept = { ...version, session, project, bytes: resourceBytes(version.resource) }
    const history = open(session)
    const ids = history.projects.get(project) ?? new Map<string, KeptVersion[]>()
    history.projects.set(project, ids)
    const list = ids.get(id) ?? []
    ids.set(id, list)
    list.push(kept)
    history.queue.add(kept)
    all.add(kept)
    history.bytes += kept.bytes
    total += kept.bytes
    if (list.length > limits.versions) drop(list[0])
    while (history.bytes > limits.sessionBytes) drop(history.queue.shift())
    while (total > limits.totalBytes) drop(all.shift())
  }

  return {
    versions: (session, project, id) => listOf(session, project, id) ?? [],
    projectsOf: (session, id) =>
      [...(sessions.get(session)?.projects ?? [])].filter(([, ids]) => ids.has(id)).map(([project]) => project),
    note(session, change, before, writer) {
      switch (change.kind) {
        case 'put':
        case 'remove': {
          const id = change.kind === 'put' ? change.resource.id : change.id
          const was = before.resources.find(id)
          const isFirst = listOf(session, change.project, id) === undefined
          if (isFirst && was !== undefined) add(session, change.project, { kind: 'fixture', resource: was })
          if (change.kind === 'put') add(session, change.project, { kind: 'put', resource: change.resource, writer })
          else if (was !== undefined) add(session, change.project, { kind: 'removed', resource: was, writer })
          return
        }
        case 'project':
          return forget(session, ({ project }) => project === change.project)
        case 'session':
        case 'restore':
        case 'end':
          return forget(session, () => true)
        default:
      }
    },
  }
}
