import { parameterOf } from '../admin/route.ts'
import { expectSnapshot } from '../admin/snapshots.ts'
import { readProjectName } from '../admin/state.ts'
import { problem } from '../errors.ts'
import type { Snapshot } from '../state/snapshots.ts'
import { toResourceText } from '../state/resource-record.ts'
import { BEFORE_RESET, toActivation, toDefinition, toRestore, toSnapshotBefore } from './changes.ts'
import { activeOf } from './show.ts'
import type { Show } from './show.ts'
import type { Call, Step } from './step.ts'

/** Tells, once a change is to be taken back, what does so then. */
export type Undo = (show: Show) => readonly Step[]

type Undoing = (call: Call, show: Show) => Undo

/** What a change does to the active scenarios. */
interface Switching {
  readonly off: readonly string[]
  readonly on?: readonly string[]
  /** What is defined again when it is undone, before the scenarios are switched. */
  readonly defined?: readonly string[]
}

/**
 * Switches on again what a change switches off, in its order, and the other way round; what others have switched since
 * stays as it is. Where nobody had chosen, what the command line says.
 */
function keepActive(show: Show, { off, on = [], defined = [] }: Switching): Undo {
  const before = activeOf(show)
  const hadChosen = show.session.stageplay.active !== undefined
  return (then) => {
    const now = activeOf(then)
    const isKnown = (name: string): boolean =>
      defined.includes(name) || then.session.stageplay.defined.has(name) || then.parts.catalog.find(name) !== undefined
    const isKept = (name: string): boolean => (now.includes(name) || off.includes(name)) && isKnown(name)
    const added = now.filter((name) => !before.includes(name) && !on.includes(name))
    if (!hadChosen && added.length === 0 && before.every(isKept)) return ['DELETE /scenarios/active']
    return [toActivation([...before.filter(isKept), ...added])]
  }
}

/** Puts a resource back as it is; one that is not there yet is taken away. */
const keepResource: Undoing = ({ request, target }, { parts, session }) => {
  const { resources } = parts.store.access(session.name, readProjectName(request)).read()
  const resource = resources.get(parameterOf(request, 'id'))
  return () => [resource === undefined ? `DELETE ${target}` : `PUT ${target} ${toResourceText(resource)}`]
}

/** Defines a scenario as it is; one that the session has not defined yet is taken away. */
const keepDefinition: Undoing = ({ request, target }, show) => {
  const name = parameterOf(request, 'name')
  const scenario = show.session.stageplay.defined.get(name)
  if (scenario === undefined) return () => [`DELETE ${target}`]
  const activate = keepActive(show, { off: [name], defined: [name] })
  return (then) => [toDefinition(scenario), ...activate(then)]
}

/**
 * Puts back the data of a snapshot that was taken just before; once it was taken anew, it is of something else.
 *
 * @throws {Problem} 400 then.
 */
function keepData(name: string, { session }: Show): Undo {
  const taken: Snapshot | undefined = session.snapshots.find(name)
  return (then) => {
    if (then.session.snapshots.find(name) === taken) return [toRestore(name)]
    throw problem.invalidInput(
      `The snapshot ${JSON.stringify(name)}, which would undo that, was taken anew since, or deleted. Compare what there is under Snapshots, and restore that.`,
    )
  }
}

/** Whether the session has data that are not as at the start. */
const hasData = ({ parts, session }: Show): boolean => parts.store.written(session.name).size > 0

const undoings: Readonly<Record<string, Undoing>> = {
  'PUT /scenarios/active': (_call, show) => keepActive(show, { off: activeOf(show) }),
  'DELETE /scenarios/active/:name': ({ request }, show) => keepActive(show, { off: [parameterOf(request, 'name')] }),
  'PUT /scenarios/:name': keepDefinition,
  'DELETE /scenarios/:name': keepDefinition,
  'PUT /state/:projectKey/resources/:id': keepResource,
  'DELETE /state/:projectKey/resources/:id': keepResource,
  // The journal is gone.
  'POST /reset': (_call, show) => {
    const scenarios = [...show.session.stageplay.defined.values()]
    const restore = hasData(show) ? keepData(BEFORE_RESET, show) : () => []
    const defined = scenarios.map(({ name }) => name)
    const activate = keepActive(show, { off: activeOf(show), on: show.parts.defaults, defined })
    return (then) => [...restore(then), ...scenarios.map(toDefinition), ...activate(then)]
  },
  'POST /snapshots/:name/restore': ({ request }, show) =>
    keepData(toSnapshotBefore(expectSnapshot(show.session, parameterOf(request, 'name')).name), show),
}

/**
 * What undoes a step, told from how things are before it is done, whoever made them so; undefined for what needs none.
 *
 * @throws {Problem} what is wrong with the step itself: 404 for a snapshot that is not there, 400 for a project that cannot be.
 */
export const toUndo = (call: Call, show: Show): Undo | undefined => undoings[call.route]?.(call, show)

/**
 * Whether a step is left out: the snapshot before a reset of data that are as at the start, which would take the place of
 * one that an earlier reset can be undone by.
 */
export const isNeedless = ({ route, request }: Call, show: Show): boolean =>
  route === 'PUT /snapshots/:name' && parameterOf(request, 'name') === BEFORE_RESET && !hasData(show)
