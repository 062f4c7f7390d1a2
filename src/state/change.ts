import type { ProjectChange } from './project-change.ts'
import type { ProjectData } from './project-data.ts'
import type { ClockMove, SessionData, StoredScenario } from './state-data.ts'

/**
 * What a write does to a session. The same changes in the same order always make the same data: a change is all that
 * a file, or another mock, needs to know of a write.
 */
export type Change =
  | (ProjectChange & { readonly project: string })
  /** Replaces all that a project has; without data: with the fixtures. */
  | { readonly kind: 'project'; readonly project: string; readonly data?: ProjectData }
  /** Replaces all that a session has; without data: with the fixtures. */
  | { readonly kind: 'session'; readonly data?: SessionData }
  /** The session ends, its snapshots included; for good if it is final. */
  | { readonly kind: 'end'; readonly isFinal?: true }
  /** Takes a snapshot of the session's data; without a time: removes the snapshot. */
  | { readonly kind: 'snapshot'; readonly name: string; readonly takenAt?: string }
  /** Replaces all that a session has with a snapshot. */
  | { readonly kind: 'restore'; readonly name: string }
  /** Activates scenarios; without names: those of the command line. */
  | { readonly kind: 'active'; readonly names?: readonly string[] }
  /** Defines a scenario; without one: removes it. */
  | { readonly kind: 'scenario'; readonly name: string; readonly scenario?: StoredScenario }
  /** Moves the clock of the session, or puts it back. */
  | ({ readonly kind: 'clock' } & ClockMove)

/** Whether a change only takes away, so that a session which ended does not start again. */
export const isReset = (change: Change): boolean =>
  change.kind === 'end' || ((change.kind === 'session' || change.kind === 'project') && change.data === undefined)

/** Whether a change is to a part of a project, and not to all of it. */
export const isProjectChange = (change: Change): change is ProjectChange & { readonly project: string } =>
  'project' in change && change.kind !== 'project'
