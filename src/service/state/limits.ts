import { problem } from '../../errors.ts'
import type { Change } from './change.ts'
import type { StateData } from './state-data.ts'

/** Maximum number of written projects per session. */
export const MAX_PROJECTS = 1000

/** Maximum number per session, not counting {@link RESET_SNAPSHOT}. */
export const MAX_SNAPSHOTS = 100

/** The dashboard takes it before a reset, replacing the previous one. It does not count towards the limit. */
const RESET_SNAPSHOT = 'before-reset'

/** Maximum number of scenarios that a session may define. */
const MAX_DEFINED = 100

/** @throws {Problem} 503 if a session would define too many scenarios. */
export function expectScenarioCount(count: number): void {
  if (count <= MAX_DEFINED) return
  throw problem.overCapacity(
    `A session can define at most ${MAX_DEFINED} scenarios, not ${count}. Delete one first: DELETE /__admin/scenarios/{name}.`,
  )
}

/** @throws {Problem} 503 if a change would exceed a session's number of projects, snapshots or scenarios. */
export function expectWithinCounts(state: StateData, session: string, change: Change): void {
  if (change.kind === 'snapshot' && change.takenAt !== undefined && change.name !== RESET_SNAPSHOT) {
    const names = new Set(state.snapshots.get(session)?.keys()).add(change.name)
    names.delete(RESET_SNAPSHOT)
    if (names.size <= MAX_SNAPSHOTS) return
    throw problem.overCapacity(
      `Snapshot limit of the session (${MAX_SNAPSHOTS}) reached. Delete one: DELETE /__admin/snapshots/{name}.`,
    )
  }
  if (change.kind === 'scenario' && change.scenario !== undefined) {
    expectScenarioCount(new Set(state.scenarioSelections.get(session)?.defined.keys()).add(change.name).size)
  }
  if (!('project' in change) || (change.kind === 'project' && change.data === undefined)) return
  const projects = state.sessions.get(session)
  if (projects === undefined || projects.size < MAX_PROJECTS || projects.has(change.project)) return
  throw problem.overCapacity(
    `Session "${session}" has reached the limit of ${MAX_PROJECTS} projects. Reset it, or use another session.`,
  )
}
