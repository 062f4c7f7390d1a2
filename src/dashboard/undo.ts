import { parameterOf } from '../admin/route.ts'
import { expectSnapshot } from '../admin/snapshots.ts'
import { readProjectName } from '../admin/state.ts'
import { problem } from '../errors.ts'
import { toActivation, toDefinition, toRestore, toSnapshot } from './changes.ts'
import { keepResource } from './resource-undo.ts'
import { activeOf } from './show.ts'
import type { Show } from './show.ts'
import type { Call, Step } from './step.ts'

/** Tells, once a change is to be taken back, what does so then. */
export type Undo = (show: Show) => readonly Step[]

/** Does a step at once. */
type Act = (step: Step) => Promise<unknown>

/** Called before a change; what it returns is called after it, and gives the undo. */
type Undoing = (call: Call, show: Show, act: Act) => (() => Undo) | Promise<() => Undo>

const keepResourceOf: Undoing = ({ request }, show) =>
  keepResource(show, readProjectName(request), parameterOf(request, 'id'))

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
  const hadChosen = show.session.scenarios.active !== undefined
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

/** Defines a scenario as it is; one that the session has not defined yet is taken away. */
const keepDefinition: Undoing = ({ request, target }, show) => {
  const name = parameterOf(request, 'name')
  const scenario = show.session.scenarios.defined.get(name)
  if (scenario === undefined) return () => () => [`DELETE ${target}`]
  const activate = keepActive(show, { off: [name], defined: [name] })
  return () => (then) => [toDefinition(scenario), ...activate(then)]
}

/**
 * Takes a snapshot of the data, which puts them back; once it was taken anew, it is of something else, and the undo throws
 * a 400.
 */
async function keepData(name: string, { session }: Show, act: Act): Promise<Undo> {
  await act(toSnapshot(name))
  const taken = session.snapshots.find(name)
  return (then) => {
    if (then.session.snapshots.find(name) === taken) return [toRestore(name)]
    throw problem.invalidInput(
      `Cannot undo: the snapshot ${JSON.stringify(name)} was deleted or replaced. Restore another one under Snapshots.`,
    )
  }
}

const undoings: Readonly<Record<string, Undoing>> = {
  'PUT /scenarios/active': (_call, show) => {
    const activate = keepActive(show, { off: activeOf(show) })
    return () => activate
  },
  'DELETE /scenarios/active/:name': ({ request }, show) => {
    const activate = keepActive(show, { off: [parameterOf(request, 'name')] })
    return () => activate
  },
  'PUT /scenarios/:name': keepDefinition,
  'DELETE /scenarios/:name': keepDefinition,
  'PUT /state/:projectKey/resources/:id': keepResourceOf,
  'DELETE /state/:projectKey/resources/:id': keepResourceOf,
  // The requests are not brought back; the page says so before.
  'POST /reset': async (_call, show, act) => {
    const { parts, session } = show
    const scenarios = [...session.scenarios.defined.values()]
    const defined = scenarios.map(({ name }) => name)
    const activate = keepActive(show, { off: activeOf(show), on: parts.defaults, defined })
    // Of data that are as at the start there is nothing to keep, and an earlier reset may need its snapshot.
    const isAtStart = parts.store.written(session.name).size === 0
    const restore = isAtStart ? () => [] : await keepData('before-reset', show, act)
    return () => (then) => [...restore(then), ...scenarios.map(toDefinition), ...activate(then)]
  },
  'POST /snapshots/:name/restore': async ({ request }, show, act) => {
    const { name } = expectSnapshot(show.session, parameterOf(request, 'name'))
    // Never that which is put back: taken anew before, it would be lost (D89).
    const restore = await keepData(name === 'before-restore' ? 'before-that' : 'before-restore', show, act)
    return () => restore
  },
}

/**
 * Notes how things are before a step. The function that it returns is called after the step, and gives its undo; undefined
 * for a step that has none.
 *
 * @throws {Problem} what is wrong with the step itself: 404 for a snapshot that is not there, 400 for a project that cannot be.
 */
export const keepUndo = async (call: Call, show: Show, act: Act): Promise<(() => Undo) | undefined> =>
  undoings[call.route]?.(call, show, act)
