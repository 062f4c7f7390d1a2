import { problem } from '../errors.ts'
import type { StoredResource } from '../state/resource.ts'
import { abridge } from './abridge.ts'
import { UNLIMITED } from './effort.ts'
import type { Effort } from './effort.ts'
import { describeUnknown, resourcePaths } from './fields.ts'
import type { FieldPath } from './fields.ts'
import { compareScalars } from './scalars.ts'
import type { Scalar } from './scalars.ts'

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
