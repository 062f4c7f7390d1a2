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

/** What lowdb holds: everything that was ever written, by session. */
export interface StateData {
  readonly sessions: Map<string, SessionData>
  /** By session and name, in the order of their taking. */
  readonly snapshots: Map<string, Map<string, Snapshot>>
  /** The log that goes on after this state; its commits up to the position are part of it. */
  log?: { readonly id: string; readonly position: number }
}
