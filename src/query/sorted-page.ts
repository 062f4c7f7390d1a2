import type { ResourceList } from '../state/base.ts'
import type { ResourceView } from '../state/resource-view.ts'
import type { StoredResource } from '../state/resource.ts'
import { pause } from '../util/pause.ts'
import { createBaseIndexes, MIN_INDEXED } from './base-index.ts'
import { scanPlaces } from './effort.ts'
import type { Effort } from './effort.ts'
import { sortInSlices } from './sort-in-slices.ts'
import type { Order, SortKeys } from './sort.ts'

/** Fewer of the resources than one in so many are sorted without an index. */
const FEW = 10

/** A place, and what it is sorted by. */
interface SortedEntry {
  readonly place: number
  readonly keys: SortKeys
}

async function sortPlaces(
  places: ArrayLike<number>,
  at: (place: number) => StoredResource | undefined,
  { toKeys, compare }: Order,
  effort: Effort,
): Promise<readonly SortedEntry[]> {
  const entries: SortedEntry[] = []
  await scanPlaces(places.length, effort, (nth) => {
    const place = places[nth] ?? 0
    const resource = at(place)
    effort.spend(1)
    if (resource !== undefined) entries.push({ place, keys: toKeys(resource, effort) })
  })
  // A stable sort keeps the creation order of what is equal.
  return sortInSlices(entries, (a, b) => compare(a.keys, b.keys), effort)
}

const findOrder = createBaseIndexes<Uint32Array>()

/** All places of a base in an order. */
async function createOrder(base: ResourceList, order: Order, effort: Effort): Promise<Uint32Array> {
  const places = Uint32Array.from({ length: base.count }, (_, place) => place)
  const sorted = await sortPlaces(places, (place) => base.at(place), order, effort)
  return Uint32Array.from(sorted, ({ place }) => place)
}

/** What to sort, and how many of it are wanted. */
interface SortedPage {
  readonly layers: ResourceView
  /** The places of the resources to sort, in ascending order. Default: all. */
  readonly found: readonly number[] | undefined
  readonly order: Order
  readonly most: number
  /** Creates what an index may take to be made. */
  readonly createEffort: () => Effort
}

/** Returns the test whether the base has the resource at a place, and it was found. */
function toBaseTest(layers: ResourceView, found: readonly number[] | undefined): (place: number) => boolean {
  if (found === undefined) return (place) => layers.isInBase(place)
  const isFound = new Uint8Array(layers.base.count)
  for (const place of found) if (layers.isInBase(place)) isFound[place] = 1
  return (place) => isFound[place] === 1
}

/** Sorts a few places, or places that no index has. */
async function takeUnindexed(places: readonly number[], page: SortedPage, effort: Effort) {
  const entries = await sortPlaces(places, (place) => page.layers.at(place), page.order, effort)
  return entries.slice(0, page.most)
}

/**
 * The places of the first resources in an order, with a pause whenever the effort wants one. Of many resources, those of
 * the base come in the order of its index, and those that differ from it are sorted and merged.
 */
export async function takeSorted(page: SortedPage, effort: Effort): Promise<readonly number[]> {
  const { layers, found, order, most, createEffort } = page
  const { base } = layers
  const count = found?.length ?? layers.count
  const isIndexed = count >= MIN_INDEXED && count * FEW >= base.count
  const index = isIndexed
    ? await findOrder(base, order.name, () => createOrder(base, order, createEffort()))
    : undefined
  if (index === undefined) {
    const entries = await takeUnindexed(found ?? layers.places(), page, effort)
    return entries.map(({ place }) => place)
  }
  const own = await takeUnindexed(found?.filter((place) => !layers.isInBase(place)) ?? layers.ownPlaces(), page, effort)
  const isFoundInBase = toBaseTest(layers, found)
  const places: number[] = []
  let nextOwn = 0

  /** Takes what comes before a resource of the base. */
  function takeOwnBefore(place: number): void {
    if (nextOwn === own.length) return
    const keys = order.toKeys(base.at(place), effort)
    for (let one = own[nextOwn]; one !== undefined; one = own[nextOwn]) {
      const compared = order.compare(one.keys, keys)
      if (compared > 0 || (compared === 0 && one.place > place)) return
      places.push(one.place)
      nextOwn += 1
    }
  }

  for (const place of index) {
    if (places.length >= most) break
    if (!isFoundInBase(place)) continue
    takeOwnBefore(place)
    places.push(place)
    if (effort.isPauseDue()) await pause()
  }
  for (const { place } of own.slice(nextOwn)) places.push(place)
  return places.slice(0, most)
}
