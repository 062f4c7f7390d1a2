import { problem } from '../errors.ts'
import { copyProjectData } from './project-data.ts'
import type { ProjectData } from './project-data.ts'
import { PLACE_BYTES } from './size.ts'
import type { SessionData } from './state-data.ts'

/** The projects of a session as they were once. Nothing changes a snapshot. */
export interface Snapshot {
  readonly name: string
  /** ISO 8601. */
  readonly takenAt: string
  /** How many projects the session had written to. */
  readonly size: number
  /** What it takes in memory, as if it shared nothing with the session. */
  readonly bytes: number
  /** A copy that the session may write to. */
  copy(): SessionData
}

/** At most this many a session. */
export const MAX_SNAPSHOTS = 100

const MEBIBYTE = 1024 * 1024

/** How many bytes snapshots may take. */
interface SnapshotLimits {
  readonly sessionBytes: number
  /** Of all sessions. */
  readonly totalBytes: number
}

const LIMITS: SnapshotLimits = { sessionBytes: 256 * MEBIBYTE, totalBytes: 512 * MEBIBYTE }

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
  clear(): void
}

const copySessionData = (data: ReadonlyMap<string, ProjectData>): SessionData =>
  new Map(Array.from(data, ([id, project]) => [id, copyProjectData(project)]))

function countBytes(data: ReadonlyMap<string, ProjectData>): number {
  let bytes = 0
  for (const { size, resources } of data.values()) bytes += size.bytes + size.imageBytes + PLACE_BYTES * resources.size
  return bytes
}

const toMegabytes = (bytes: number): string => `${Math.floor(bytes / MEBIBYTE)} MB`

/** Creates what opens the snapshots of each session; all of them share the limit of bytes. */
export function createSnapshotOpener({ sessionBytes, totalBytes }: SnapshotLimits = LIMITS): () => Snapshots {
  let total = 0

  return function openSnapshots() {
    const snapshots = new Map<string, Snapshot>()
    let own = 0

    function remove(name: string): boolean {
      const bytes = snapshots.get(name)?.bytes ?? 0
      own -= bytes
      total -= bytes
      return snapshots.delete(name)
    }

    /** @throws {Problem} 503 where there is no room for that many bytes in the place of those. */
    function expectRoom(bytes: number, instead: number): void {
      if (own - instead + bytes > sessionBytes) {
        throw problem.overCapacity(
          `The snapshots of the session may use ${toMegabytes(sessionBytes)}, and this one would exceed that. Delete one: DELETE /__admin/snapshots/{name}.`,
        )
      }
      if (total - instead + bytes > totalBytes) {
        throw problem.overCapacity(
          `Snapshots may use ${toMegabytes(totalBytes)} over all sessions, and this one would exceed that. Delete snapshots or unused sessions.`,
        )
      }
    }

    return {
      all: () => [...snapshots.values()],
      find: (name) => snapshots.get(name),
      take(name, data, takenAt) {
        const previous = snapshots.get(name)
        if (snapshots.size >= MAX_SNAPSHOTS && previous === undefined) {
          throw problem.overCapacity(
            `The session's limit of ${MAX_SNAPSHOTS} snapshots is reached. Delete one: DELETE /__admin/snapshots/{name}.`,
          )
        }
        const bytes = countBytes(data)
        expectRoom(bytes, previous?.bytes ?? 0)
        const kept = copySessionData(data)
        const snapshot: Snapshot = { name, takenAt, size: kept.size, bytes, copy: () => copySessionData(kept) }
        remove(name)
        snapshots.set(name, snapshot)
        own += bytes
        total += bytes
        return snapshot
      },
      remove,
      clear() {
        for (const name of snapshots.keys()) remove(name)
      },
    }
  }
}
