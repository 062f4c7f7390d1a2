import type { Context } from '../operations/operation.ts'
import { revise } from '../operations/revise.ts'
import type { OtherWriter } from '../scenarios/effects.ts'
import type { Store } from '../state/store.ts'
import type { PathParameters } from '../contract/paths.ts'

/** What the other writer changes, so that a client sees a difference when it reads the resource again. */
const CHANGE = { someProperty: 'Changed by another writer' }

/** Lets other writers update the resource of a request first. */
export type AdvanceVersion = (writers: readonly OtherWriter[], path: PathParameters, context: Context) => Promise<void>

export function createAdvanceVersion(store: Store): AdvanceVersion {
  return async function advanceVersion(writers, { id, key }, context) {
    const { session, correlationId, project } = context
    for (const { scenario, versions } of writers) {
      const update = () => {
        for (let done = 0; done < versions; done += 1) {
          const resource = id === undefined ? project.findByKey(key ?? '') : project.find(id)
          if (resource === undefined) return
          revise(resource, CHANGE, context)
        }
      }
      // oxlint-disable-next-line no-await-in-loop -- one writer after the other
      await store.write(session, update, { kind: 'scenario', scenario, correlationId })
    }
  }
}
