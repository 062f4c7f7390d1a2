import { problem } from '../errors.ts'
import { copyProjectData } from './project-data.ts'
import type { ProjectData } from './project-data.ts'
import type { SessionData } from './store.ts'

/** The projects of a session as they were once. Nothing changes a snapshot. */
export interface Snapshot {
  readonly name: string
  /** ISO 8601. */
  readonly takenAt: string
  /** How many projects the session had written to. */
  readonly size: number
  /** A copy that the session may write to. */
  copy(): SessionData
}

/** At most this many a session. */
export const MAX_SNAPSHOTS = 100

/** The snapshots of one session. */
export interface Snapshots {
  /** In the order of their taking. */
  all(): readonly Snapshot[]
  find(name: string): Snapshot | undefined
  /**
   * Takes one, in the place of another of that name. The records are shared, so that it costs no more than their lists.
   *
   * @throws {Problem} 503 when there is no room for one more.
   */
  take(name: string, data: ReadonlyMap<string, ProjectData>, takenAt: string): Snapshot
  /** Whether there was one to remove. */
  remove(name: string): boolean
}

const copySessionData = (data: ReadonlyMap<string, ProjectData>): SessionData =>
  new Map(Array.from(data, ([id, project]) => [id, copyProjectData(project)]))

export function createSnapshots(): Snapshots {
  const snapshots = new Map<string, Snapshot>()
  return {
    all: () => [...snapshots.values()],
    find: (name) => snapshots.get(name),
    take(name, data, takenAt) {
      if (snapshots.size >= MAX_SNAPSHOTS && !snapshots.has(name)) {
        throw problem.overCapacity(
          `The session has ${MAX_SNAPSHOTS} snapshots, which is the most. Delete one: DELETE /__admin/snapshots/{name}.`,
        )
      }
      const kept = copySessionData(data)
      const snapshot: Snapshot = { name, takenAt, size: kept.size, copy: () => copySessionData(kept) }
      snapshots.delete(name)
      snapshots.set(name, snapshot)
      return snapshot
    },
    remove: (name) => snapshots.delete(name),
  }
}
