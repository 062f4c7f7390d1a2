import { problem } from '../errors.ts'
import type { ProjectData } from './project-data.ts'
import { PLACE_BYTES } from './size.ts'
import type { SessionData, Snapshot, StateData } from './state-data.ts'

/** At most this many a session, not counting those for undo. */
export const MAX_SNAPSHOTS = 100

/** The dashboard takes these before it changes data, and replaces the one it took before. */
export const UNDO_SNAPSHOTS = {
  reset: 'before-reset',
  restore: 'before-restore',
  restoreOfRestore: 'before-that',
} as const

const isForUndo = (name: string): boolean => Object.values<string>(UNDO_SNAPSHOTS).includes(name)

const MEBIBYTE = 1024 * 1024

/** How many bytes snapshots may take. */
export interface SnapshotLimits {
  readonly sessionBytes: number
  /** Of all sessions. */
  readonly totalBytes: number
}

const LIMITS: SnapshotLimits = { sessionBytes: 256 * MEBIBYTE, totalBytes: 512 * MEBIBYTE }

export const copySessionData = (data: ReadonlyMap<string, ProjectData>): SessionData =>
  new Map(Array.from(data, ([id, project]) => [id, project.copy()]))

/** What a snapshot takes in memory, as if it shared nothing with the session. */
export function countSnapshotBytes(data: ReadonlyMap<string, ProjectData>): number {
  let bytes = 0
  for (const { size, changed } of data.values()) {
    bytes += size.bytes + size.imageBytes + PLACE_BYTES * changed.size
  }
  return bytes
}

/** Takes a snapshot of a session's data, which nothing changes. It costs no more than the lists of its changes. */
export function takeSnapshot(name: string, takenAt: string, data: ReadonlyMap<string, ProjectData>): Snapshot {
  return { name, takenAt, bytes: countSnapshotBytes(data), data: copySessionData(data) }
}

const toMegabytes = (bytes: number): string => `${Math.floor(bytes / MEBIBYTE)} MB`

const sumBytes = (snapshots: Iterable<Snapshot>): number => {
  let sum = 0
  for (const { bytes } of snapshots) sum += bytes
  return sum
}

/** @throws {Problem} 503 if one more snapshot would exceed a limit. */
export function expectRoomForSnapshot(
  { snapshots }: StateData,
  session: string,
  next: Pick<Snapshot, 'name' | 'bytes'>,
  { sessionBytes, totalBytes }: SnapshotLimits = LIMITS,
): void {
  const own = snapshots.get(session) ?? new Map<string, Snapshot>()
  const previous = own.get(next.name)
  const count = [...own.keys()].filter((name) => !isForUndo(name)).length
  if (count >= MAX_SNAPSHOTS && previous === undefined && !isForUndo(next.name)) {
    throw problem.overCapacity(
      `The session's limit of ${MAX_SNAPSHOTS} snapshots is reached. Delete one: DELETE /__admin/snapshots/{name}.`,
    )
  }
  const growth = next.bytes - (previous?.bytes ?? 0)
  if (sumBytes(own.values()) + growth > sessionBytes) {
    throw problem.overCapacity(
      `The snapshots of the session may use ${toMegabytes(sessionBytes)}, and this one would exceed that. Delete one: DELETE /__admin/snapshots/{name}.`,
    )
  }
  const total = Array.from(snapshots.values(), (one) => sumBytes(one.values())).reduce((sum, one) => sum + one, 0)
  if (total + growth > totalBytes) {
    throw problem.overCapacity(
      `Snapshots may use ${toMegabytes(totalBytes)} over all sessions, and this one would exceed that. Delete snapshots or unused sessions.`,
    )
  }
}
