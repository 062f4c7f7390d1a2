import { problem } from '../errors.ts'
import { PLACE_BYTES } from './resource.ts'
import type { ProjectData } from './project-data.ts'

/** The projects of one session that were written to, by the ids of `toProjectId`. */
export type SessionData = Map<string, ProjectData>

/** The projects of a session as they were once. Nothing changes a snapshot. */
export interface Snapshot {
  readonly name: string
  /** ISO 8601. */
  readonly takenAt: string
  /** What it takes in memory, as if it shared nothing with the session. */
  readonly bytes: number
  readonly data: ReadonlyMap<string, ProjectData>
}

/** A scenario that a session defined, as its JSON text. Another definition is another object. */
export interface StoredScenario {
  readonly text: string
}

/** Which scenarios a session has chosen and defined. */
export interface ScenarioSelection {
  /** Undefined: those of the command line. */
  readonly active: readonly string[] | undefined
  readonly defined: ReadonlyMap<string, StoredScenario>
}

/** How far a test has moved the clock of a session, in milliseconds. */
export interface ClockMove {
  /** What the clock of the session is ahead of that of the mock; below 0 if it is behind. */
  readonly offset: number
  /** All moves to the future: they count as time that has passed, also once the clock is put back. */
  readonly passed: number
}

/** What lowdb holds: everything that was ever written, by session. */
export interface StateData {
  readonly sessions: Map<string, SessionData>
  /** By session and name, in the order of their taking. */
  readonly snapshots: Map<string, Map<string, Snapshot>>
  /** By session; none for a session that has neither chosen nor defined scenarios. */
  readonly scenarioSelections: Map<string, ScenarioSelection>
  /** By session; none for a session whose clock was never moved. */
  readonly clocks: Map<string, ClockMove>
  /**
   * The log that goes on after this state; its commits up to the position are part of it. While it is open, writes may be in it
   * alone; once the mock has ended in order, the state has them all.
   */
  log?: { readonly id: string; readonly position: number; readonly isOpen?: true | undefined }
}

/** The state of no session. */
export const createStateData = (): StateData => ({
  sessions: new Map(),
  snapshots: new Map(),
  scenarioSelections: new Map(),
  clocks: new Map(),
})

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
export function expectSnapshotWithinLimits(
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
