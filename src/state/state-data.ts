import type { ProjectData } from './project-data.ts'

/** The projects of one session that were written to, by the ids of `toProjectId`. */
export type SessionData = Map<string, ProjectData>

/** What lowdb holds: everything that was ever written, by session. */
export interface StateData {
  readonly sessions: Map<string, SessionData>
}
