import { readArrangement } from './apply-change.ts'
import type { Base } from './base.ts'
import type { Change } from './change.ts'
import type { ProjectChange } from './project-change.ts'
import type { ProjectData } from './project-data.ts'
import type { StateData } from './state-data.ts'

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

function* listDataChanges(projects: ReadonlyMap<string, ProjectData>, seed: Base): Generator<Change> {
  for (const [project, data] of projects) {
    if (data.base === seed) for (const change of listProjectChanges(data)) yield { ...change, project }
    else yield { kind: 'project', project, data: data.copy() }
  }
}

function* generateChanges(state: StateData, session: string, seed: Base): Generator<Change> {
  for (const { name, takenAt, data } of state.snapshots.get(session)?.values() ?? []) {
    yield* listDataChanges(data, seed)
    yield { kind: 'snapshot', name, takenAt }
    yield { kind: 'session' }
  }
  yield* listDataChanges(state.sessions.get(session) ?? new Map(), seed)
  const { active, defined } = readArrangement(state, session)
  for (const [name, scenario] of defined) yield { kind: 'scenario', name, scenario }
  if (active !== undefined) yield { kind: 'active', names: active }
  const clock = state.clocks.get(session)
  if (clock !== undefined) yield { kind: 'clock', ...clock }
}

/**
 * The changes that make a session what it is now, from nothing: its data, snapshots, scenarios and clock.
 *
 * @param seed the base that all mocks of the session have
 */
export const listChanges = (state: StateData, session: string, seed: Base): readonly Change[] => [
  ...generateChanges(state, session, seed),
]
