import type { Context } from '../operations/operation.ts'
import { revise } from '../operations/revise.ts'
import type { Store } from '../state/store.ts'
import type { PathParameters } from '../contract/paths.ts'

/** What the other writer changes, so that a client sees a difference when it reads the resource again. */
const CHANGE = { someProperty: 'Changed by another writer' }

/** Lets another writer update the resource of a request first, as many times as given. */
export type AdvanceVersion = (count: number, path: PathParameters, context: Context) => Promise<void>

export function createAdvanceVersion(store: Store): AdvanceVersion {
  return async function advanceVersion(count, { id, key }, context) {
    await store.write(context.session, () => {
      for (let done = 0; done < count; done += 1) {
        const resource = id === undefined ? context.project.findByKey(key ?? '') : context.project.find(id)
        if (resource === undefined) return
        revise(resource, CHANGE, context)
      }
    })
  }
}
