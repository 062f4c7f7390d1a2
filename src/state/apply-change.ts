import type { Change } from './change.ts'
import type { Undos } from './project-change.ts'
import type { ProjectData } from './project-data.ts'
import { EVERY_PROJECT, toProjectId } from './project-name.ts'
import { setEntry } from './set-entry.ts'
import { NO_BYTES } from './size.ts'
import { copySessionData, takeSnapshot } from './snapshots.ts'
import type { Arrangement, ClockMove, SessionData, StateData } from './state-data.ts'

const EVERY_ID = toProjectId(EVERY_PROJECT)

/** The data of a project as its session sees them: until it is written to, the session's own seed, or else everyone's. */
export function readProject({ sessions }: StateData, session: string, id: string, seed: ProjectData): ProjectData {
  const projects = sessions.get(session)
  return projects?.get(id) ?? projects?.get(EVERY_ID) ?? seed
}

function deleteEntry<Key, Value>(map: Map<Key, Value>, key: Key, undos: Undos): void {
  if (!map.has(key)) return
  // The others keep their order when it comes back.
  const before = undos && [...map]
  map.delete(key)
  undos?.push(() => {
    map.clear()
    for (const [one, value] of before ?? []) map.set(one, value)
  })
}

function setSession({ sessions }: StateData, session: string, data: SessionData | undefined, undos: Undos): void {
  if (data === undefined || data.size === 0) deleteEntry(sessions, session, undos)
  else setEntry(sessions, session, data, undos)
}

/** The projects of a session, to write to. */
function openSession(state: StateData, session: string, undos: Undos): SessionData {
  const known = state.sessions.get(session)
  if (known !== undefined) return known
  const data: SessionData = new Map()
  setEntry(state.sessions, session, data, undos)
  return data
}

/** The data of a project, to write to: on the first write, over what the project showed until then. */
function openProject(state: StateData, session: string, id: string, seed: ProjectData, undos: Undos): ProjectData {
  const known = state.sessions.get(session)?.get(id)
  if (known !== undefined) return known
  const data = readProject(state, session, id, seed).copy(NO_BYTES)
  setEntry(openSession(state, session, undos), id, data, undos)
  return data
}

function applySnapshot(
  state: StateData,
  session: string,
  { name, takenAt }: Extract<Change, { kind: 'snapshot' }>,
  undos: Undos,
): void {
  const snapshots = state.snapshots.get(session) ?? new Map()
  if (snapshots.size === 0) setEntry(state.snapshots, session, snapshots, undos)
  deleteEntry(snapshots, name, undos)
  if (takenAt === undefined) return
  setEntry(snapshots, name, takeSnapshot(name, takenAt, state.sessions.get(session) ?? new Map()), undos)
}

const NOTHING_ARRANGED: Arrangement = { active: undefined, defined: new Map() }

/** Which scenarios a session has chosen and defined. */
export const readArrangement = ({ arrangements }: StateData, session: string): Arrangement =>
  arrangements.get(session) ?? NOTHING_ARRANGED

function setArrangement({ arrangements }: StateData, session: string, next: Arrangement, undos: Undos): void {
  if (next.active === undefined && next.defined.size === 0) deleteEntry(arrangements, session, undos)
  else setEntry(arrangements, session, next, undos)
}

const NOT_MOVED: ClockMove = { offset: 0, passed: 0 }

/** How far the clock of a session was moved. */
export const readClock = ({ clocks }: StateData, session: string): ClockMove => clocks.get(session) ?? NOT_MOVED

function setClock({ clocks }: StateData, session: string, { offset, passed }: ClockMove, undos: Undos): void {
  if (offset === 0 && passed === 0) deleteEntry(clocks, session, undos)
  else setEntry(clocks, session, { offset, passed }, undos)
}

/**
 * Applies a change to the state of a session. Everything that writes goes through here.
 *
 * @param seed what projects show until they are written to
 * @param undos collects what undoes each step: called in reverse order, they restore what was before
 */
export function applyChange(state: StateData, session: string, change: Change, seed: ProjectData, undos?: Undos): void {
  switch (change.kind) {
    case 'project': {
      const projects = openSession(state, session, undos)
      if (change.data === undefined) deleteEntry(projects, change.project, undos)
      else setEntry(projects, change.project, change.data, undos)
      if (projects.size === 0) deleteEntry(state.sessions, session, undos)
      return
    }
    case 'session':
      return setSession(state, session, change.data, undos)
    case 'end':
      deleteEntry(state.snapshots, session, undos)
      deleteEntry(state.arrangements, session, undos)
      deleteEntry(state.clocks, session, undos)
      return setSession(state, session, undefined, undos)
    case 'snapshot':
      return applySnapshot(state, session, change, undos)
    case 'restore': {
      const snapshot = state.snapshots.get(session)?.get(change.name)
      return setSession(state, session, snapshot && copySessionData(snapshot.data), undos)
    }
    case 'active': {
      const { defined } = readArrangement(state, session)
      return setArrangement(state, session, { active: change.names, defined }, undos)
    }
    case 'scenario': {
      const { active, defined: before } = readArrangement(state, session)
      const defined = new Map(before)
      if (change.scenario === undefined) defined.delete(change.name)
      else defined.set(change.name, change.scenario)
      return setArrangement(state, session, { active, defined }, undos)
    }
    case 'clock':
      return setClock(state, session, change, undos)
    default:
      return openProject(state, session, change.project, seed, undos).apply(change, undos)
  }
}
