import { RECORD_BYTES, sizeOf, sumBytes } from './memory.ts'
import { PLACE_BYTES } from './resource.ts'
import type { ProjectData, Undos, ProjectChange } from './project-data.ts'
import { EVERY_PROJECT, toProjectId, setEntry } from './project-data.ts'
import type { Change, SessionData, StoredScenario, ClockMove } from './change.ts'
import type { Base } from './resource.ts'

/** Whether a change only removes data, so that it does not restart an ended session. */
export const isReset = (change: Change): boolean =>
  change.kind === 'end' || ((change.kind === 'session' || change.kind === 'project') && change.data === undefined)

/** Whether a change affects part of a project rather than all of it. */
export const isProjectChange = (change: Change): change is ProjectChange & { readonly project: string } =>
  'project' in change && change.kind !== 'project'

/** An immutable copy of a session's projects at one moment. */
export interface Snapshot {
  readonly name: string
  /** ISO 8601. */
  readonly takenAt: string
  /** The memory of its data, as if it shared nothing with the session. */
  readonly bytes: number
  readonly data: ReadonlyMap<string, ProjectData>
}

/** The scenarios that a session has activated and defined. */
export interface ScenarioSelection {
  /** Undefined: those given on the command line. */
  readonly active: readonly string[] | undefined
  readonly defined: ReadonlyMap<string, StoredScenario>
}

/** The data in lowdb: everything ever written, by session. */
export interface StateData {
  readonly sessions: Map<string, SessionData>
  /** By session and name, in creation order. */
  readonly snapshots: Map<string, Map<string, Snapshot>>
  /** By session; absent if the session has neither activated nor defined scenarios. */
  readonly scenarioSelections: Map<string, ScenarioSelection>
  /** By session; absent if the session's clock was never moved. */
  readonly clocks: Map<string, ClockMove>
}

/** A state without sessions. */
export const createStateData = (): StateData => ({
  sessions: new Map(),
  snapshots: new Map(),
  scenarioSelections: new Map(),
  clocks: new Map(),
})

/** The sessions that have written something. */
export const listSessions = ({ sessions, snapshots, scenarioSelections, clocks }: StateData): ReadonlySet<string> =>
  new Set([sessions, snapshots, scenarioSelections, clocks].flatMap((part) => [...part.keys()]))

/** Counts the memory of the scenarios of a session, in bytes. They are kept as text, and as the rules read from it. */
export const selectionBytes = (selection: ScenarioSelection | undefined): number => 2 * sizeOf(selection)

const NO_SESSION_DATA: SessionData = new Map()

export const copySessionData = (data: ReadonlyMap<string, ProjectData>): SessionData =>
  new Map(Array.from(data, ([id, project]) => [id, project.copy()]))

/** The memory of a session's data in a snapshot, as if they shared nothing. */
const countSnapshotData = (data: ReadonlyMap<string, ProjectData>): number =>
  sumBytes(data.values(), ({ bytes, changed }) => bytes + PLACE_BYTES * changed.size)

/** Takes an immutable snapshot of a session's data. It copies only the lists of changes. */
export function takeSnapshot(name: string, takenAt: string, data: ReadonlyMap<string, ProjectData>): Snapshot {
  return { name, takenAt, bytes: countSnapshotData(data), data: copySessionData(data) }
}

/** Counts the memory of a snapshot, in bytes. */
const snapshotBytes = ({ name, bytes }: Pick<Snapshot, 'name' | 'bytes'>): number => RECORD_BYTES + sizeOf(name) + bytes

export const dataBytes = (projects: ReadonlyMap<string, ProjectData> | undefined): number =>
  sumBytes(projects?.values() ?? [], ({ bytes }) => bytes)

/** Counts the memory of everything in a session, in bytes. */
export function sessionBytes({ sessions, snapshots, scenarioSelections }: StateData, session: string): number {
  const kept = sumBytes(snapshots.get(session)?.values() ?? [], snapshotBytes)
  return dataBytes(sessions.get(session)) + kept + selectionBytes(scenarioSelections.get(session))
}

const EVERY_ID = toProjectId(EVERY_PROJECT)

/**
 * A project's data as its session sees them: until the first write, the session's own fixtures, or otherwise the shared
 * ones.
 */
export function readProject({ sessions }: StateData, session: string, id: string, fixtures: ProjectData): ProjectData {
  const projects = sessions.get(session)
  return projects?.get(id) ?? projects?.get(EVERY_ID) ?? fixtures
}

function deleteEntry<Key, Value>(map: Map<Key, Value>, key: Key, undos: Undos): void {
  if (!map.has(key)) return
  // Undo rebuilds the whole map, to restore the order of its entries.
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

/** The projects of a session, for writing. */
function openSession(state: StateData, session: string, undos: Undos): SessionData {
  const known = state.sessions.get(session)
  if (known !== undefined) return known
  const data: SessionData = new Map()
  setEntry(state.sessions, session, data, undos)
  return data
}

/** The data of a project, for writing: the first write starts from the data the project showed until then. */
function openProject(state: StateData, session: string, id: string, fixtures: ProjectData, undos: Undos): ProjectData {
  const known = state.sessions.get(session)?.get(id)
  if (known !== undefined) return known
  const data = readProject(state, session, id, fixtures).copy(0)
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

/** The value for a session that has neither activated nor defined scenarios. */
export const NO_SELECTION: ScenarioSelection = { active: undefined, defined: new Map() }

/** A session's scenarios after a change; undefined if it has neither activated nor defined any. */
function selectAfter(
  { scenarioSelections }: StateData,
  session: string,
  change: Extract<Change, { kind: 'active' | 'scenario' }>,
): ScenarioSelection | undefined {
  const before = scenarioSelections.get(session) ?? NO_SELECTION
  const active = change.kind === 'active' ? change.names : before.active
  const defined = new Map(before.defined)
  if (change.kind === 'scenario') {
    if (change.scenario === undefined) defined.delete(change.name)
    else defined.set(change.name, change.scenario)
  }
  return active === undefined && defined.size === 0 ? undefined : { active, defined }
}

/** The value for a session whose clock was never moved. */
export const NOT_MOVED: ClockMove = { offset: 0, passed: 0 }

/**
 * Applies a change to the state of a session. Every write goes through this function.
 *
 * @param fixtures the data of projects that have not been written to
 * @param undos collects the undo steps; called in reverse order, they restore the previous state
 * @param growth by how many bytes the project grows, if the caller has already measured it
 */
export function applyChange(
  state: StateData,
  session: string,
  change: Change,
  fixtures: ProjectData,
  undos?: Undos,
  growth?: number,
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
    case 'active':
    case 'scenario': {
      const next = selectAfter(state, session, change)
      return next === undefined
        ? deleteEntry(state.scenarioSelections, session, undos)
        : setEntry(state.scenarioSelections, session, next, undos)
    }
    case 'clock': {
      const { offset, passed } = change
      return offset === 0 && passed === 0
        ? deleteEntry(state.clocks, session, undos)
        : setEntry(state.clocks, session, { offset, passed }, undos)
    }
    default:
      return openProject(state, session, change.project, fixtures, undos).apply(change, undos, growth)
  }
}

/**
 * By how many bytes a change lets its session grow.
 *
 * @param fixtures the data of projects that have not been written to
 */
export function growthOf(state: StateData, session: string, change: Change, fixtures: ProjectData): number {
  const projects = state.sessions.get(session) ?? NO_SESSION_DATA
  const snapshots = state.snapshots.get(session) ?? new Map<string, Snapshot>()
  switch (change.kind) {
    case 'project':
      return (change.data?.bytes ?? 0) - (projects.get(change.project)?.bytes ?? 0)
    case 'session':
      return dataBytes(change.data) - dataBytes(projects)
    case 'restore':
      return dataBytes(snapshots.get(change.name)?.data) - dataBytes(projects)
    case 'end':
      return -sessionBytes(state, session)
    case 'snapshot': {
      const { name, takenAt } = change
      const before = snapshots.get(name)
      const freed = before === undefined ? 0 : snapshotBytes(before)
      if (takenAt === undefined) return -freed
      return snapshotBytes({ name, bytes: countSnapshotData(projects) }) - freed
    }
    case 'active':
    case 'scenario':
      return selectionBytes(selectAfter(state, session, change)) - selectionBytes(state.scenarioSelections.get(session))
    case 'clock':
      return 0
    default:
      return readProject(state, session, change.project, fixtures).growthOf(change)
  }
}

/** The changes that rebuild a project on top of its base. */
function* listProjectChanges(data: ProjectData): Generator<ProjectChange> {
  const { changed } = data
  for (const [id, resource] of changed) if (resource === undefined) yield { kind: 'remove', id }
  const put = [...changed.values()].filter((resource) => resource !== undefined)
  for (const resource of put) yield { kind: 'put', resource }
  // Repeat the writes whose order differs.
  const recent = data.recentlyPut()
  const first = recent.findIndex((id, at) => id !== put[at]?.id)
  for (const id of first === -1 ? [] : recent.slice(first)) {
    const resource = changed.get(id)
    if (resource !== undefined) yield { kind: 'put', resource }
  }
  for (const image of data.changedImages()) yield { kind: 'image', image }
  for (const name of data.changedPosted()) yield { kind: 'posted', name }
  if (data.changedAction !== undefined) yield { kind: 'action', text: data.changedAction }
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
  const { active, defined } = state.scenarioSelections.get(session) ?? NO_SELECTION
  for (const [name, scenario] of defined) yield { kind: 'scenario', name, scenario }
  if (active !== undefined) yield { kind: 'active', names: active }
  const clock = state.clocks.get(session)
  if (clock !== undefined) yield { kind: 'clock', ...clock }
}

/**
 * The changes that rebuild a session from scratch: its data, snapshots, scenarios and clock.
 *
 * @param fixtures the base shared by all mocks that have the session
 */
export const listChanges = (state: StateData, session: string, fixtures: Base): readonly Change[] => [
  ...generateChanges(state, session, fixtures),
]
