import type { Context } from '../operations/operation.ts'
import { revise } from '../operations/revise.ts'
import type { Store } from '../state/store.ts'
import type { PathParameters } from './router.ts'

/** What the other writer writes, so that who meets the conflict sees a difference. */
const CHANGE = { someProperty: 'Changed by another writer' }

/** Another writer updates first: the resource that the request names is that many versions on, and shows who changed it. */
export type AdvanceVersion = (count: number, path: PathParameters, context: Context) => Promise<void>

export function createAdvanceVersion(store: Store): AdvanceVersion {
  return async function advanceVersion(count, { id, key }, context) {
    for (let done = 0; done < count; done += 1) {
      const resource = id === undefined ? context.project.findByKey(key ?? '') : context.project.find(id)
      if (resource === undefined) return
      revise(resource, CHANGE, context)
    }
    await store.commit()
  }
}
