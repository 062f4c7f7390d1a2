import { EVERY_PROJECT, toProjectId } from './change.ts'
import type { Change } from './change.ts'
import { setEntry } from './project-change.ts'
import type { Undos, ProjectChange } from './project-change.ts'
import { NO_BYTES } from './resource.ts'
import type { Size } from './resource.ts'
import { copySessionData, takeSnapshot } from './state-data.ts'
import type { ScenarioSelection, ClockMove, SessionData, StateData } from './state-data.ts'
import type { ProjectData } from './project-data.ts'
import type { Base } from './base.ts'

const EVERY_ID = toProjectId(EVERY_PROJECT)

/** The data of a project as its session sees them: until it is written to, the session's own fixtures, or else everyone's. */
export function readProject({ sessions }: StateData, session: string, id: string, fixtures: ProjectData): ProjectData {
  const projects = sessions.get(session)
  return projects?.get(id) ?? projects?.get(EVERY_ID) ?? fixtures
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
function openProject(state: StateData, session: string, id: string, fixtures: ProjectData, undos: Undos): ProjectData {
  const known = state.sessions.get(session)?.get(id)
  if (known !== undefined) return known
  const data = readProject(state, session, id, fixtures).copy(NO_BYTES)
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

const NO_SELECTION: ScenarioSelection = { active: undefined, defined: new Map() }

/** Which scenarios a session has chosen and defined. */
export const readScenarioSelection = ({ scenarioSelections }: StateData, session: string): ScenarioSelection =>
  scenarioSelections.get(session) ?? NO_SELECTION

function setScenarioSelection(
  { scenarioSelections }: StateData,
  session: string,
  next: ScenarioSelection,
  undos: Undos,
): void {
  if (next.active === undefined && next.defined.size === 0) deleteEntry(scenarioSelections, session, undos)
  else setEntry(scenarioSelections, session, next, undos)
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
 * @param fixtures what projects show until they are written to
 * @param undos collects what undoes each step: called in reverse order, they restore what was before
 * @param growth of the project, if the caller has measured it
 */
export function applyChange(
  state: StateData,
  session: string,
  change: Change,
  fixtures: ProjectData,
  undos?: Undos,
  growth?: Size,
): void {
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
      deleteEntry(state.scenarioSelections, session, undos)
      deleteEntry(state.clocks, session, undos)
      return setSession(state, session, undefined, undos)
    case 'snapshot':
      return applySnapshot(state, session, change, undos)
    case 'restore': {
      const snapshot = state.snapshots.get(session)?.get(change.name)
      return setSession(state, session, snapshot && copySessionData(snapshot.data), undos)
    }
    case 'active': {
      const { defined } = readScenarioSelection(state, session)
      return setScenarioSelection(state, session, { active: change.names, defined }, undos)
    }
    case 'scenario': {
      const { active, defined: before } = readScenarioSelection(state, session)
      const defined = new Map(before)
      if (change.scenario === undefined) defined.delete(change.name)
      else defined.set(change.name, change.scenario)
      return setScenarioSelection(state, session, { active, defined }, undos)
    }
    case 'clock':
      return setClock(state, session, change, undos)
    default:
      return openProject(state, session, change.project, fixtures, undos).apply(change, undos, growth)
  }
}

/** The changes that make a project what it is, over its base. */
function* listProjectChanges(data: ProjectData): Generator<ProjectChange> {
  const { changed } = data
  for (const [id, resource] of changed) if (resource === undefined) yield { kind: 'remove', id }
  const put = [...changed.values()].filter((resource) => resource !== undefined)
  for (const resource of put) yield { kind: 'put', resource }
  // Once more those that were written in another order.
  const recent = data.recentlyPut()
  const first = recent.findIndex((id, at) => id !== put[at]?.id)
  for (const id of first === -1 ? [] : recent.slice(first)) {
    const resource = changed.get(id)
    if (resource !== undefined) yield { kind: 'put', resource }
  }
  for (const image of data.ownImages()) yield { kind: 'image', image }
  for (const name of data.ownPosted()) yield { kind: 'posted', name }
  if (data.action !== data.base.action) yield { kind: 'action', text: data.action }
}

function* listDataChanges(projects: ReadonlyMap<string, ProjectData>, fixtures: Base): Generator<Change> {
  for (const [project, data] of projects) {
    if (data.base === fixtures) for (const change of listProjectChanges(data)) yield { ...change, project }
    else yield { kind: 'project', project, data: data.copy() }
  }
}

function* generateChanges(state: StateData, session: string, fixtures: Base): Generator<Change> {
  for (const { name, takenAt, data } of state.snapshots.get(session)?.values() ?? []) {
    yield* listDataChanges(data, fixtures)
    yield { kind: 'snapshot', name, takenAt }
    yield { kind: 'session' }
  }
  yield* listDataChanges(state.sessions.get(session) ?? new Map(), fixtures)
  const { active, defined } = readScenarioSelection(state, session)
  for (const [name, scenario] of defined) yield { kind: 'scenario', name, scenario }
  if (active !== undefined) yield { kind: 'active', names: active }
  const clock = state.clocks.get(session)
  if (clock !== undefined) yield { kind: 'clock', ...clock }
}

/**
 * The changes that make a session what it is now, from nothing: its data, snapshots, scenarios and clock.
 *
 * @param fixtures the base that all mocks of the session have
 */
export const listChanges = (state: StateData, session: string, fixtures: Base): readonly Change[] => [
  ...generateChanges(state, session, fixtures),
]
