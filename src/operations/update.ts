import { check } from '../contract/check.ts'
import { actionNames, updateAction } from '../contract/models.ts'
import type { UpdateAction } from '../contract/types.ts'
import { warnOfUnknown } from '../contract/warning.ts'
import type { Warn } from '../contract/warning.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import { problem } from '../errors.ts'
import type { StoredResource } from '../state/resource.ts'
import { writeAnswer } from './reads.ts'
import type { Operation } from './operation.ts'
import { revise } from './revise.ts'
import { expectVersion } from './versions.ts'

/** D18: an action must be known and complete. */
export function parseAction(action: { readonly action: string }, at: number, warn: Warn): UpdateAction {
  const path = `actions[${at}]`
  if (!actionNames.some((name) => name === action.action)) {
    throw problem.invalidInput(
      `${path}.action: unknown action "${action.action.slice(0, 200)}".${didYouMean(action.action, actionNames)} Known actions: ${actionNames.join(', ')}.`,
      { field: `${path}.action`, invalidValue: action.action.slice(0, 200), allowedValues: actionNames },
    )
  }
  const checked = check(updateAction, action, ['actions', at])
  const [first, ...others] = checked.faults
  if (first !== undefined) throw problem.invalidRequest([first, ...others])
  warnOfUnknown(warn, checked, 'the body')
  return action as UpdateAction
}

/** What one action changes; `doSomeThing` counts, and changes nothing (D18). */
function applyAction(resource: Partial<StoredResource>, action: UpdateAction): Partial<StoredResource> {
  return action.action === 'changeSomeProperty' ? { ...resource, someProperty: action.someProperty } : resource
}

/**
 * Specification 4.10. First the body's shape, which the decoder has held, then the version, then the actions;
 * they apply all or none, in their order (D18). No actions: nothing changes (D7).
 */
export const updateResource: Operation<'updateResource'> = ({ path: { id }, body }, context) => {
  const resource = context.project.find(id)
  if (resource === undefined) throw problem.resourceNotFound('ID', id)
  expectVersion(resource, body.version)
  const actions = body.actions.map((action, at) => parseAction(action, at, context.warn))
  if (actions.length === 0) return writeAnswer(200, resource, context)
  return writeAnswer(200, revise(resource, actions.reduce(applyAction, {}), context), context)
}
