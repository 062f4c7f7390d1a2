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
export interface Arrangement {
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
  readonly arrangements: Map<string, Arrangement>
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
  arrangements: new Map(),
  clocks: new Map(),
})
