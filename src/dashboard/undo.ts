import { expectSnapshot, readProjectName } from '../admin/state.ts'
import { endpoints, isOperation } from '../contract/endpoints.ts'
import { problem } from '../errors.ts'
import type { JournalEntry } from '../journal/record.ts'
import { toTarget } from '../journal/target.ts'
import { toResourceText } from '../state/records.ts'
import type { ProjectData, ProjectName } from '../state/project-data.ts'
import type { StoredResource } from '../state/resource.ts'
import { UNDO_SNAPSHOTS } from '../state/limits.ts'
import type { AdminCall, PreparedCall } from './admin-call.ts'
import { findChangedIds } from './compare.ts'
import { toActivation, toDefinition, toRestore, toSnapshot } from './changes.ts'
import { toStatePath } from './projects.ts'
import { activeOf } from './view-context.ts'
import type { ViewContext } from './view-context.ts'

/** Returns the admin calls that undo a change, as things are when it is undone. */
export type UndoCalls = (context: ViewContext) => readonly AdminCall[]

/** Runs an admin call at once. */
type Run = (call: AdminCall) => Promise<unknown>

/** Called before a change; returns a function that is called after it and returns the undo. */
type Undoing = (call: PreparedCall, context: ViewContext, run: Run) => (() => UndoCalls) | Promise<() => UndoCalls>

const dataOf = ({ parts, session }: ViewContext, project: ProjectName): ProjectData =>
  parts.store.access(session.name, project).read()

/** Restores a resource to what it was before a change, unless it has changed again since. */
function restoreResource(
  project: ProjectName,
  id: string,
  before: StoredResource | undefined,
  after: StoredResource | undefined,
): UndoCalls {
  const path = toStatePath(project, `/resources/${encodeURIComponent(id)}`)
  return (then): readonly AdminCall[] => {
    // Records are never changed in place: another version is another object.
    if (dataOf(then, project).find(id) !== after) {
      const name = JSON.stringify(before?.key ?? after?.key ?? id)
      throw problem.invalidInput(
        `The resource ${name} has changed since, and undo would overwrite that change. Open it under Data and edit it there.`,
      )
    }
    return [before === undefined ? `DELETE ${path}` : `PUT ${path} ${toResourceText(before)}`]
  }
}

/** Call it before a resource is changed, and the returned function afterwards. */
export function keepResource(context: ViewContext, project: ProjectName, id: string): () => UndoCalls {
  const before = dataOf(context, project).find(id)
  return () => restoreResource(project, id, before, dataOf(context, project).find(id))
}

/** Whether a request changed something. */
const isWrite = ({ request: { method }, response: { status } }: JournalEntry): boolean =>
  method !== 'GET' && method !== 'HEAD' && status >= 200 && status < 300

/** Whether a write was to that resource: its `Location` says so (D5), or its path. */
function isTo(entry: JournalEntry, { id, key }: StoredResource): boolean {
  const path = entry.response.headers['location'] ?? toTarget(entry.request.url).path
  return (
    path.endsWith(`/resource/${id}`) || (key !== undefined && path.endsWith(`/resource/key=${encodeURIComponent(key)}`))
  )
}

/**
 * Call it before a request is sent, and the returned function with its journal entry. That returns the undo of the change
 * to a resource; undefined if there was none.
 */
export function keepRequest(
  context: ViewContext,
  project: ProjectName,
): (entry: JournalEntry | undefined) => UndoCalls | undefined {
  const before = dataOf(context, project).copy()
  return (entry) => {
    if (entry === undefined || !isWrite(entry)) return undefined
    // Undo cannot delete an uploaded image, so it must not restore the version before it.
    if (isOperation(entry.operation) && endpoints[entry.operation].purpose === 'upload') return undefined
    const after = dataOf(context, project)
    for (const id of findChangedIds(before, after)) {
      const [was, is] = [before.find(id), after.find(id)]
      const resource = is ?? was
      if (was !== is && resource !== undefined && isTo(entry, resource)) return restoreResource(project, id, was, is)
    }
    return undefined
  }
}

const keepResourceOf: Undoing = ({ request, parameters: { projectKey = '', id = '' } }, context) =>
  keepResource(context, readProjectName(request, projectKey), id)

/** What a change does to the active scenarios. */
interface Switching {
  readonly off: readonly string[]
  readonly on?: readonly string[]
  /** Scenarios that undo defines again before it switches. */
  readonly defined?: readonly string[]
}

/**
 * Restores the active scenarios and their order; scenarios that others have switched since stay as they are. If none had
 * been chosen, those of the command line apply again.
 */
function keepActive(context: ViewContext, { off, on = [], defined = [] }: Switching): UndoCalls {
  const before = activeOf(context)
  const hadChosen = context.session.scenarios.active !== undefined
  return (then) => {
    const now = activeOf(then)
    const isKnown = (name: string): boolean =>
      defined.includes(name) || then.session.scenarios.defined.has(name) || then.parts.catalog.find(name) !== undefined
    const isKept = (name: string): boolean => (now.includes(name) || off.includes(name)) && isKnown(name)
    const added = now.filter((name) => !before.includes(name) && !on.includes(name))
    if (!hadChosen && added.length === 0 && before.every(isKept)) return ['DELETE /scenarios/active']
    return [toActivation([...before.filter(isKept), ...added])]
  }
}

/** Restores the definition of a scenario; deletes one that the session had not defined. */
const keepDefinition: Undoing = ({ parameters: { name = '' }, target }, context) => {
  const scenario = context.session.scenarios.defined.get(name)
  if (scenario === undefined) return () => () => [`DELETE ${target}`]
  const activate = keepActive(context, { off: [name], defined: [name] })
  return () => (then) => [toDefinition(scenario), ...activate(then)]
}

/**
 * Takes a snapshot that the undo restores.
 *
 * @throws {Problem} on undo, 400 if the snapshot was deleted or replaced.
 */
async function keepData(name: string, { session }: ViewContext, run: Run): Promise<UndoCalls> {
  await run(toSnapshot(name))
  const taken = session.snapshots.get(name)
  return (then) => {
    if (then.session.snapshots.get(name) === taken) return [toRestore(name)]
    throw problem.invalidInput(
      `Cannot undo: the snapshot ${JSON.stringify(name)} was deleted or replaced. Restore another one under Snapshots.`,
    )
  }
}

const undoings: Readonly<Record<string, Undoing>> = {
  'PUT /scenarios/active': (_call, context) => {
    const activate = keepActive(context, { off: activeOf(context) })
    return () => activate
  },
  'DELETE /scenarios/active/:name': ({ parameters: { name = '' } }, context) => {
    const activate = keepActive(context, { off: [name] })
    return () => activate
  },
  'PUT /scenarios/:name': keepDefinition,
  'DELETE /scenarios/:name': keepDefinition,
  'PUT /state/:projectKey/resources/:id': keepResourceOf,
  'DELETE /state/:projectKey/resources/:id': keepResourceOf,
  // The requests are not restored; the page says so before.
  'POST /reset': async (_call, context, run) => {
    const { parts, session } = context
    const scenarios = [...session.scenarios.defined.values()]
    const defined = scenarios.map(({ name }) => name)
    const activate = keepActive(context, { off: activeOf(context), on: parts.defaults, defined })
    // Unchanged data needs no snapshot, and an earlier reset may need the one that exists.
    const isAtStart = parts.store.written(session.name).size === 0
    const restore = isAtStart ? () => [] : await keepData(UNDO_SNAPSHOTS.reset, context, run)
    return () => (then) => [...restore(then), ...scenarios.map(toDefinition), ...activate(then)]
  },
  'POST /snapshots/:name/restore': async ({ parameters }, context, run) => {
    const { name } = expectSnapshot(context.session, parameters['name'] ?? '')
    // Never replace the snapshot that is being restored (D89).
    const kept = name === UNDO_SNAPSHOTS.restore ? UNDO_SNAPSHOTS.restoreOfRestore : UNDO_SNAPSHOTS.restore
    const restore = await keepData(kept, context, run)
    return () => restore
  },
}

/**
 * Call it before an admin call, and the returned function afterwards, which returns the undo; undefined for a call without.
 *
 * @throws {Problem} 404 for a snapshot that does not exist, 400 for an invalid project.
 */
export const keepUndo = async (
  call: PreparedCall,
  context: ViewContext,
  run: Run,
): Promise<(() => UndoCalls) | undefined> => undoings[call.route]?.(call, context, run)
