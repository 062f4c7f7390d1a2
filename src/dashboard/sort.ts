import { SEARCHED_CHARACTERS } from './filter-terms.ts'
import type { Row } from './row.ts'

const keys = {
  status: ({ status }: Row) => status,
  method: ({ method }: Row) => method,
  path: ({ target }: Row) => target.slice(0, SEARCHED_CHARACTERS),
  operation: ({ operation }: Row) => operation,
  session: ({ session }: Row) => session,
  took: ({ duration }: Row) => duration,
} as const

/** A column to sort by. */
export type SortKey = keyof typeof keys

export const isSortKey = (name: string): name is SortKey => Object.hasOwn(keys, name)

/** How a list is sorted: `took` has the smallest on top, `-took` the largest. */
const readSort = (sort: string): readonly [name: string, isDescending: boolean] =>
  sort.startsWith('-') ? [sort.slice(1), true] : [sort, false]

/** Sorts rows, given newest first; unless the order names a column, they stay so. */
export function sortRows(rows: readonly Row[], sort: string): readonly Row[] {
  const [name, isDescending] = readSort(sort)
  if (!isSortKey(name)) return rows
  const toKey = keys[name]
  const sign = isDescending ? -1 : 1
  return rows
    .map((row) => ({ row, key: toKey(row) }))
    .toSorted((one, other) => (one.key < other.key ? -sign : one.key > other.key ? sign : 0))
    .map(({ row }) => row)
}

/** The order after a click on a column: numbers start with the largest, texts with A; the third click is the newest first. */
export function toNextSort(key: SortKey, sort: string): string {
  const orders = key === 'status' || key === 'took' ? [`-${key}`, key, ''] : [key, `-${key}`, '']
  return orders[(orders.indexOf(sort) + 1) % orders.length] ?? ''
}

/** The value of `aria-sort` of a column. */
export function toAriaSort(key: string, sort: string): 'ascending' | 'descending' | undefined {
  const [name, isDescending] = readSort(sort)
  if (name !== key) return undefined
  return isDescending ? 'descending' : 'ascending'
}
