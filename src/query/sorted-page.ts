import { pause } from '../util/pause.ts'
import { createBaseIndexes, MIN_INDEXED } from './words.ts'
import { scanPlaces, UNLIMITED, sortInSlices, abridge } from './effort.ts'
import type { Effort } from './effort.ts'
import { problem } from '../errors.ts'
import { describeUnknown, resourcePaths } from './fields.ts'
import type { FieldPath } from './fields.ts'
import type { ResourceList, ResourceView, StoredResource } from '../state/resource.ts'
import { compareScalars } from './values.ts'
import type { Scalar } from './values.ts'

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

/** What a resource is sorted by: a value for each `sort`, where it has one. */
export type SortKeys = readonly (Scalar | undefined)[]

/** An order of resources, by keys that are read once for each. */
export interface Order {
  /** The same for each way to write the order. */
  readonly name: string
  /** @throws {Problem} 400 where it looks at more than the effort allows. */
  readonly toKeys: (resource: StoredResource, effort?: Effort) => SortKeys
  readonly compare: (a: SortKeys, b: SortKeys) => number
}

const malformedSort = (sort: string, sentence: string) =>
  problem.invalidInput(`Malformed parameter: sort: ${sentence}`, { field: 'sort', invalidValue: sort })

/** The value that a resource is sorted by: an array's least member ascending, its greatest descending. */
function toSortKey(
  { kind, read }: FieldPath<StoredResource>,
  sign: 1 | -1,
): (resource: StoredResource, effort: Effort) => Scalar | undefined {
  // Instants of records all have one form, so the order of their texts is that of time.
  if (kind === 'value') return read
  return (resource, { spend }) => {
    const values = read(resource) ?? []
    spend(values.length)
    let key: Scalar | undefined
    for (const value of values) {
      if (key === undefined || compareScalars(value, key) * sign < 0) key = value
    }
    return key
  }
}

interface OneOrder {
  readonly name: string
  readonly path: FieldPath<StoredResource>
  readonly sign: 1 | -1
}

function parseOne(sort: string): OneOrder {
  const [name = '', direction = 'asc', ...others] = sort.trim().split(/\s+/)
  const isDescending = direction.toLowerCase() === 'desc'
  if (others.length > 0 || (!isDescending && direction.toLowerCase() !== 'asc')) {
    throw malformedSort(
      sort,
      `Expected "<path>", "<path> asc" or "<path> desc", found ${JSON.stringify(abridge(sort))}.`,
    )
  }
  const path = resourcePaths.get(name)
  if (path === undefined) throw malformedSort(sort, describeUnknown(name, resourcePaths))
  return { name, path, sign: isDescending ? -1 : 1 }
}

function compareKeys(a: Scalar | undefined, b: Scalar | undefined, sign: 1 | -1): number {
  // What has nothing to be sorted by comes last, whatever the direction.
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  return compareScalars(a, b) * sign
}

/**
 * Compiles `sort` parameters (D20) into an order; with a stable sort, what is equal stays in creation order. Undefined when
 * there are none.
 *
 * @throws {Problem} 400 for an unknown path or direction.
 * @example compileSort(['version desc', 'objectTypeProperty.arrayOfIntExample'])
 */
export function compileSort(sorts: readonly string[]): Order | undefined {
  if (sorts.length === 0) return undefined
  // A path that was given before decides nothing any more.
  const all = sorts.map(parseOne)
  const orders = all.filter(({ path }, at) => all.findIndex((one) => one.path === path) === at)
  const readers = orders.map(({ path, sign }) => toSortKey(path, sign))
  const signs = orders.map(({ sign }) => sign)
  return {
    name: orders.map(({ name, sign }) => `${name} ${sign}`).join(),
    toKeys: (resource, effort = UNLIMITED) => readers.map((read) => read(resource, effort)),
    compare(a, b) {
      for (let at = 0; at < signs.length; at += 1) {
        const result = compareKeys(a[at], b[at], signs[at] ?? 1)
        if (result !== 0) return result
      }
      return 0
    },
  }
}
