import type { Context } from '../operations/operation.ts'
import { revise } from '../operations/revise.ts'
import type { Store } from '../state/store.ts'
import type { PathParameters } from './router.ts'

/** Another writer comes first: the resource that the request names is really that many versions on, and kept so. */
export type AdvanceVersion = (count: number, path: PathParameters, context: Context) => Promise<void>

export function createAdvanceVersion(store: Store): AdvanceVersion {
  return async function advanceVersion(count, { id, key }, context) {
    for (let done = 0; done < count; done += 1) {
      const resource = id === undefined ? context.project.findByKey(key ?? '') : context.project.find(id)
      if (resource === undefined) return
      revise(resource, {}, context)
    }
    await store.commit()
  }
}
