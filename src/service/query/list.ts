import type { Input } from '../contract/types.ts'
import { arrayNames } from '../contract/models.ts'
import type { ArrayName } from '../contract/models.ts'
import { pageBounds } from '../contract/results.ts'
import { problem } from '../../errors.ts'
import { readNumber } from '../http/numbers.ts'
import type { ResourceList, ResourceView, StoredResource } from '../state/resource.ts'
import { BoundedMap } from '../../util/collections.ts'
import { timeSlices } from '../../util/time-slices.ts'
import {
  abridge,
  arrayPaths,
  compareScalars,
  describeUnknownField,
  expectFew,
  hasValue,
  isEqualContent,
  parseInstant,
  resourcePaths,
  toComparable,
  toUniform,
} from './fields.ts'
import type { FieldPath, ListField, Scalar } from './fields.ts'

type ConditionQuery = Input<'queryResources'>['query']
type Condition = (resource: StoredResource) => boolean

// All conditions follow D11.

/** Matches resources whose array contains the value. */
function isIn(operand: Scalar, name: Exclude<ArrayName, 'arrayOfObjectType'>): Condition {
  const value = toUniform(operand)
  return ({ objectTypeProperty }) => hasValue(objectTypeProperty[name] ?? [], value)
}

/** Matches resources with the value in at least one of the fields. */
function isInAny(operand: Scalar, fields: readonly ListField<StoredResource>[]): Condition {
  const value = toUniform(operand)
  return (resource) => fields.some(({ read }) => hasValue(read(resource) ?? [], value))
}

/** Matches a string of the resource. The form `<number> in <arrayField>` also matches a number in that field. */
function toStringCondition(text: string): Condition {
  const isText = isIn(text, 'arrayOfStringExample')
  const [, digits = '', name = ''] = /^(\S+) in (\S+)$/.exec(text) ?? []
  const number = readNumber(digits)
  const field = arrayPaths.get(name)
  if (number === undefined || field === undefined) return isText
  const isNumber = isInAny(number, [field])
  return (resource) => isText(resource) || isNumber(resource)
}

const numberFields = arrayNames.flatMap((name) => {
  const field = arrayPaths.get(name)
  return field?.type === 'number' ? [field] : []
})

function toUnionCondition(union: NonNullable<ConditionQuery['unionParameter']>): Condition {
  if (typeof union === 'number' || typeof union === 'bigint') return isInAny(union, numberFields)
  if (typeof union === 'string') {
    const since = parseInstant(union)
    return ({ lastModifiedAt }) => since !== undefined && toComparable(lastModifiedAt) >= since
  }
  const { version, objectTypeProperty } = union
  return (resource) => resource.version === version && isEqualContent(resource.objectTypeProperty, objectTypeProperty)
}

/** Compiles the parameters of 4.1 that are conditions. */
function* toConditions(query: ConditionQuery): Generator<Condition> {
  const { stringParameter, floatParameter, integerParameter, withMarkdownDescription, unionParameter } = query
  if (stringParameter !== undefined) yield toStringCondition(stringParameter)
  if (floatParameter !== undefined) yield isIn(floatParameter, 'arrayOfFloatExample')
  if (integerParameter !== undefined) yield isIn(integerParameter, 'arrayOfIntExample')
  if (withMarkdownDescription !== undefined) yield isIn(withMarkdownDescription, 'arrayOfNumberNoDefaultsExample')
  const { arrayOfString = [], arrayOfStringWithDescription = [], objectParameter } = query
  for (const text of [...arrayOfString, ...arrayOfStringWithDescription, ...(objectParameter?.arrayOfString ?? [])]) {
    yield isIn(text, 'arrayOfStringExample')
  }
  if (unionParameter !== undefined) yield toUnionCondition(unionParameter)
}

/**
 * Compiles the conditions of 4.1 and 4.5 into a predicate that requires all of them (D11). Undefined if there are none.
 *
 * @throws {Problem} 400 for too many conditions.
 */
export function compileConditions(query: ConditionQuery): Condition | undefined {
  const conditions = [...toConditions(query)]
  expectFew(conditions.length, 'conditions')
  if (conditions.length === 0) return undefined
  return (resource) => conditions.every((condition) => condition(resource))
}

/** The requested page, and whether to include the total (D10). */
export interface Page {
  readonly limit: number
  readonly offset: number
  readonly withTotal: boolean
}

/** Accepts `20.0` as 20, but rejects `20.5` (D20). */
function parseBounded(field: keyof typeof pageBounds, value: number | bigint | undefined): number {
  const { least, most, standard } = pageBounds[field]
  if (value === undefined) return standard
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
  throw problem.invalidField({
    field,
    invalidValue: value,
    message: `Malformed parameter: ${field}: expected a whole number from ${least} to ${most}, got ${value}.`,
  })
}

/**
 * Parses the paging parameters.
 *
 * @throws {Problem} 400 InvalidField for a number that is out of range or not whole.
 */
export function parsePage(query: {
  readonly limit?: number | bigint
  readonly offset?: number | bigint
  readonly withTotal?: boolean
}): Page {
  return {
    limit: parseBounded('limit', query.limit),
    offset: parseBounded('offset', query.offset),
    withTotal: query.withTotal ?? true,
  }
}

/** If fewer than one in this many resources match, they are sorted without an index. */
const FEW = 10

/** A resource's position and sort keys. */
interface SortedEntry {
  readonly place: number
  readonly keys: SortKeys
}

async function sortPlaces(
  places: Iterable<number>,
  at: (place: number) => StoredResource | undefined,
  { toKeys, compare }: Order,
): Promise<readonly SortedEntry[]> {
  const entries: SortedEntry[] = []
  const slice = timeSlices.start()
  for (const place of places) {
    const resource = at(place)
    if (resource !== undefined) entries.push({ place, keys: toKeys(resource) })
    if (slice.isOver()) await slice.next()
  }
  return sortInParts(entries, (a, b) => compare(a.keys, b.keys))
}

/** More entries than this are sorted in parts, which are merged. */
const MOST_SORTED = 5000

/** Sorts entries while other requests run. The sort is stable, so equal resources stay in creation order. */
async function sortInParts<Entry extends object>(
  entries: readonly Entry[],
  compare: (one: Entry, other: Entry) => number,
): Promise<readonly Entry[]> {
  if (entries.length <= MOST_SORTED) return entries.toSorted(compare)
  const middle = entries.length >> 1
  const left = await sortInParts(entries.slice(0, middle), compare)
  const right = await sortInParts(entries.slice(middle), compare)
  const merged: Entry[] = []
  const slice = timeSlices.start()
  let next = 0
  for (const entry of left) {
    for (let other = right[next]; other !== undefined && compare(other, entry) < 0; other = right[next]) {
      merged.push(other)
      next += 1
    }
    merged.push(entry)
    if (slice.isOver()) await slice.next()
  }
  return merged.concat(right.slice(next))
}

/** Shorter lists are scanned, because an index would not be faster. */
export const MIN_INDEXED = 1000

/** Maximum number of cached indexes of one kind per base. */
const MOST_CANDIDATES = 16

/** Caches indexes of bases for all sessions. Concurrent requests for the same index share one build. */
export function createBaseIndexes<Index>() {
  const indexes = new WeakMap<ResourceList, BoundedMap<string, Promise<Index>>>()
  return function findIndex(base: ResourceList, name: string, make: () => Promise<Index>): Promise<Index> {
    const known = indexes.get(base) ?? new BoundedMap<string, Promise<Index>>(MOST_CANDIDATES)
    indexes.set(base, known)
    const index = known.get(name) ?? make()
    known.set(name, index)
    return index
  }
}

const findOrder = createBaseIndexes<Uint32Array>()

/** Sorts all positions of a base. */
async function createOrder(base: ResourceList, order: Order): Promise<Uint32Array> {
  const places = Uint32Array.from({ length: base.count }, (_, place) => place)
  const sorted = await sortPlaces(places, (place) => base.at(place), order)
  return Uint32Array.from(sorted, ({ place }) => place)
}

/** What to sort, and the maximum number of results. */
interface SortedPage {
  readonly layers: ResourceView
  /** Positions of the resources to sort, ascending. Default: all. */
  readonly found: readonly number[] | undefined
  readonly order: Order
  readonly most: number
}

/** Returns a predicate for positions that were found and are unchanged in the base. */
function toBaseTest(layers: ResourceView, found: readonly number[] | undefined): (place: number) => boolean {
  if (found === undefined) return (place) => layers.isInBase(place)
  const isFound = new Uint8Array(layers.base.count)
  for (const place of found) if (layers.isInBase(place)) isFound[place] = 1
  return (place) => isFound[place] === 1
}

/** Sorts positions without an index. */
async function takeUnindexed(places: readonly number[], page: SortedPage) {
  const entries = await sortPlaces(places, (place) => page.layers.at(place), page.order)
  return entries.slice(0, page.most)
}

/**
 * Returns the positions of the first resources in a sort order. Large results use the index of the base; changed resources
 * are sorted separately and merged.
 */
export async function takeSorted(page: SortedPage): Promise<readonly number[]> {
  const { layers, found, order, most } = page
  const { base } = layers
  const count = found?.length ?? layers.count
  const isIndexed = count >= MIN_INDEXED && count * FEW >= base.count
  if (!isIndexed) {
    const entries = await takeUnindexed(found ?? layers.places(), page)
    return entries.map(({ place }) => place)
  }
  const index = await findOrder(base, order.name, () => createOrder(base, order))
  const own = await takeUnindexed(found?.filter((place) => !layers.isInBase(place)) ?? layers.changedPlaces(), page)
  const isFoundInBase = toBaseTest(layers, found)
  const places: number[] = []
  let nextOwn = 0

  /** Adds the changed resources that come before a resource of the base. */
  function takeOwnBefore(place: number): void {
    if (nextOwn === own.length) return
    const keys = order.toKeys(base.at(place))
    for (let one = own[nextOwn]; one !== undefined; one = own[nextOwn]) {
      const compared = order.compare(one.keys, keys)
      if (compared > 0 || (compared === 0 && one.place > place)) return
      places.push(one.place)
      nextOwn += 1
    }
  }

  const slice = timeSlices.start()
  for (const place of index) {
    if (places.length >= most) break
    if (!isFoundInBase(place)) continue
    takeOwnBefore(place)
    places.push(place)
    if (slice.isOver()) await slice.next()
  }
  for (const { place } of own.slice(nextOwn)) places.push(place)
  return places.slice(0, most)
}

/** A resource's values for each `sort` parameter. */
export type SortKeys = readonly (Scalar | undefined)[]

/** A sort order. Keys are computed once per resource. */
export interface Order {
  /** Normalized, so that equivalent orders share an index. */
  readonly name: string
  readonly toKeys: (resource: StoredResource) => SortKeys
  readonly compare: (a: SortKeys, b: SortKeys) => number
}

const malformedSort = (sort: string, sentence: string) =>
  problem.invalidInput(`Malformed parameter: sort: ${sentence}`, { field: 'sort', invalidValue: sort })

/** Returns a function that computes a sort key: the minimum of an array if ascending, the maximum if descending. */
function toSortKey(
  { kind, read }: FieldPath<StoredResource>,
  sign: number,
): (resource: StoredResource) => Scalar | undefined {
  // Stored instants all have the same format, so they sort as text.
  if (kind === 'value') return read
  return (resource) => {
    let key: Scalar | undefined
    for (const value of read(resource) ?? []) {
      if (key === undefined || compareScalars(value, key) * sign < 0) key = value
    }
    return key
  }
}

function parseOne(sort: string) {
  const [name = '', direction = 'asc', ...others] = sort.trim().split(/\s+/)
  const isDescending = direction.toLowerCase() === 'desc'
  if (others.length > 0 || (!isDescending && direction.toLowerCase() !== 'asc')) {
    throw malformedSort(
      sort,
      `Expected "<path>", "<path> asc" or "<path> desc", found ${JSON.stringify(abridge(sort))}.`,
    )
  }
  const path = resourcePaths.get(name)
  if (path === undefined) throw malformedSort(sort, describeUnknownField(name, resourcePaths))
  return { name, path, sign: isDescending ? -1 : 1 }
}

function compareKeys(a: Scalar | undefined, b: Scalar | undefined, sign: number): number {
  // D54: resources without a value come last in either direction.
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  return compareScalars(a, b) * sign
}

/**
 * Compiles `sort` parameters (D20) into a sort order; undefined if there are none.
 *
 * @throws {Problem} 400 for an unknown path or direction, or too many sorts.
 * @example compileSort(['version desc', 'objectTypeProperty.arrayOfIntExample'])
 */
export function compileSort(sorts: readonly string[]): Order | undefined {
  if (sorts.length === 0) return undefined
  expectFew(sorts.length, 'sorts')
  // A repeated key has no effect. An array has two keys: its least member ascending, its greatest descending.
  const all = sorts.map(parseOne)
  const orders = all.filter(
    ({ path, sign }, at) => all.findIndex((one) => one.path === path && one.sign === sign) === at,
  )
  const readers = orders.map(({ path, sign }) => toSortKey(path, sign))
  const signs = orders.map(({ sign }) => sign)
  return {
    name: orders.map(({ name, sign }) => `${name} ${sign}`).join(),
    toKeys: (resource) => readers.map((read) => read(resource)),
    compare(a, b) {
      for (let at = 0; at < signs.length; at += 1) {
        const result = compareKeys(a[at], b[at], signs[at] ?? 1)
        if (result !== 0) return result
      }
      return 0
    },
  }
}
