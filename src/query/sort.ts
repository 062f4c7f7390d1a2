import { problem } from '../errors.ts'
import type { Resource } from '../state/resource.ts'
import { abridge } from './abridge.ts'
import { describeUnknown, resourcePaths } from './fields.ts'
import type { Path } from './fields.ts'
import { compareScalars } from './scalars.ts'
import type { Scalar } from './scalars.ts'

type Compare = (a: Resource, b: Resource) => number

const malformedSort = (sort: string, sentence: string) =>
  problem.invalidInput(`Malformed parameter: sort: ${sentence}`, { field: 'sort', invalidValue: sort })

/** The value that a resource is sorted by: an array's least member ascending, its greatest descending. */
function toSortKey({ kind, read }: Path<Resource>, sign: 1 | -1): (resource: Resource) => Scalar | undefined {
  // Instants of records all have one form, so the order of their texts is that of time.
  if (kind === 'value') return read
  return (resource) => {
    let key: Scalar | undefined
    for (const value of read(resource) ?? []) {
      if (key === undefined || compareScalars(value, key) * sign < 0) key = value
    }
    return key
  }
}

function compileOne(sort: string): Compare {
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
  const sign = isDescending ? -1 : 1
  const toKey = toSortKey(path, sign)
  return (a, b) => {
    const keyA = toKey(a)
    const keyB = toKey(b)
    // What has nothing to be sorted by comes last, whatever the direction.
    if (keyA === undefined || keyB === undefined) return Number(keyA === undefined) - Number(keyB === undefined)
    return compareScalars(keyA, keyB) * sign
  }
}

/**
 * Compiles `sort` parameters (D20) into an order for `Array.prototype.sort`, which is stable: what is equal stays in
 * creation order. Undefined when there are none.
 *
 * @throws {Problem} 400 for an unknown path or direction.
 * @example compileSort(['version desc', 'objectTypeProperty.arrayOfIntExample'])
 */
export function compileSort(sorts: readonly string[]): Compare | undefined {
  if (sorts.length === 0) return undefined
  const orders = sorts.map(compileOne)
  return (a, b) => {
    for (const order of orders) {
      const result = order(a, b)
      if (result !== 0) return result
    }
    return 0
  }
}
