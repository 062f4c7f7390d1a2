import { problem } from '../errors.ts'
import type { Change } from './change.ts'
import type { ProjectData } from './project-data.ts'
import { NO_BYTES, subtractSizes } from './size.ts'
import type { Size } from './size.ts'
import { countSnapshotBytes, expectRoomForSnapshot } from './snapshots.ts'
import type { SessionData, StateData } from './state-data.ts'
import { toSize } from './usage.ts'

/** At most this many projects of a session may be written to. */
export const MAX_PROJECTS = 1000

const NO_PROJECTS: SessionData = new Map()

/**
 * By how much a change makes the data of its session grow, or shrink.
 *
 * @param before the project before the change, if it changes one
 */
export function growthOf(state: StateData, session: string, change: Change, before: ProjectData): Size {
  const projects = state.sessions.get(session) ?? NO_PROJECTS
  switch (change.kind) {
    case 'project':
      return subtractSizes(change.data?.size ?? NO_BYTES, projects.get(change.project)?.size ?? NO_BYTES)
    case 'session':
      return subtractSizes(toSize(change.data), toSize(projects))
    case 'restore':
      return subtractSizes(toSize(state.snapshots.get(session)?.get(change.name)?.data), toSize(projects))
    case 'end':
      return subtractSizes(NO_BYTES, toSize(projects))
    case 'snapshot':
    case 'active':
    case 'scenario':
    case 'clock':
      return NO_BYTES
    default:
      return before.growthOf(change)
  }
}

/** @throws {Problem} 503 if a change would exceed the number of a session's projects or snapshots, or their bytes. */
export function expectPlace(state: StateData, session: string, change: Change): void {
  const projects = state.sessions.get(session) ?? NO_PROJECTS
  if (change.kind === 'snapshot' && change.takenAt !== undefined) {
    expectRoomForSnapshot(state, session, { name: change.name, bytes: countSnapshotBytes(projects) })
  }
  if (!('project' in change) || projects.size < MAX_PROJECTS || projects.has(change.project)) return
  if (change.kind === 'project' && change.data === undefined) return
  throw problem.overCapacity(
    `Session "${session}" has reached the limit of ${MAX_PROJECTS} projects. Reset it, or use another session.`,
  )
}
