import { parameterOf } from '../admin/route.ts'
import { expectSnapshot } from '../admin/snapshots.ts'
import { readProjectName } from '../admin/state.ts'
import { toResourceText } from '../state/resource-record.ts'
import { BEFORE_RESET, toActivation, toDefinition, toRestore, toSnapshotBefore } from './changes.ts'
import { activeOf } from './show.ts'
import type { Show } from './show.ts'
import type { Call, Step } from './step.ts'

type Undoing = (call: Call, show: Show) => readonly Step[]

/** Switches on what is on; where nobody has chosen, what the command line says. */
const keepActive = (show: Show): Step =>
  show.session.stageplay.active === undefined ? 'DELETE /scenarios/active' : toActivation(activeOf(show))

/** Puts a resource back as it is; one that is not there yet is taken away. */
const keepResource: Undoing = ({ request, target }, { parts, session }) => {
  const { resources } = parts.store.access(session.name, readProjectName(request)).read()
  const resource = resources.get(parameterOf(request, 'id'))
  return [resource === undefined ? `DELETE ${target}` : `PUT ${target} ${toResourceText(resource)}`]
}

/** Defines a scenario as it is; one that the session has not defined yet is taken away. What is on stays on. */
const keepDefinition: Undoing = ({ request, target }, show) => {
  const scenario = show.session.stageplay.defined.get(parameterOf(request, 'name'))
  return [scenario === undefined ? `DELETE ${target}` : toDefinition(scenario), keepActive(show)]
}

const undoings: Readonly<Record<string, Undoing>> = {
  'PUT /scenarios/active': (_call, show) => [keepActive(show)],
  'DELETE /scenarios/active/:name': (_call, show) => [keepActive(show)],
  'PUT /scenarios/:name': keepDefinition,
  'DELETE /scenarios/:name': keepDefinition,
  'PUT /state/:projectKey/resources/:id': keepResource,
  'DELETE /state/:projectKey/resources/:id': keepResource,
  // The journal is gone.
  'POST /reset': (_call, show) => [
    toRestore(BEFORE_RESET),
    ...Array.from(show.session.stageplay.defined.values(), toDefinition),
    keepActive(show),
  ],
  'POST /snapshots/:name/restore': ({ request }, { session }) => {
    const { name } = expectSnapshot(session, parameterOf(request, 'name'))
    return [toRestore(toSnapshotBefore(name))]
  },
}

/**
 * What undoes a step, told from how things are before it is done, whoever made them so; nothing for what needs no undo.
 *
 * @throws {Problem} what is wrong with the step itself: 404 for a snapshot that is not there, 400 for a project that cannot be.
 */
export const toUndo = (call: Call, show: Show): readonly Step[] => undoings[call.route]?.(call, show) ?? []
