import { Problem } from '../errors.ts'
import type { ResourceList } from '../state/base.ts'
import { BoundedMap } from '../util/bounded-map.ts'

/** Shorter lists of resources are scanned: an index would not be faster. */
export const MIN_INDEXED = 1000

/** So many indexes of one kind are kept for a base. */
const MOST = 16

/**
 * Remembers indexes of bases. All sessions share them, and one that several requests want at once is made once. An index
 * is undefined if to make it takes more effort than a query may (D96).
 */
export function createBaseIndexes<Index>() {
  const indexes = new WeakMap<ResourceList, BoundedMap<string, Promise<Index | undefined>>>()
  return function findIndex(base: ResourceList, name: string, make: () => Promise<Index>): Promise<Index | undefined> {
    const known = indexes.get(base) ?? new BoundedMap<string, Promise<Index | undefined>>(MOST)
    indexes.set(base, known)
    const index =
      known.get(name) ??
      make().catch((fault: unknown) => {
        if (fault instanceof Problem) return undefined
        throw fault
      })
    known.set(name, index)
    return index
  }
}
