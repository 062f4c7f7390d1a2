import { isFailure, toFamily, toReadable } from './row.ts'
import type { Row } from './row.ts'

/** Which requests are shown; an empty member matches all. */
export interface Filter {
  readonly text: string
  /** An operation id, or {@link UNMATCHED}. */
  readonly operation: string
  /** `2` to `5`, `0` for broken connections, `failed` or `warned`. */
  readonly status: string
}

/** Instead of an operation: requests that match none. */
export const UNMATCHED = '-'

/** The options of the status filter. */
export const statusChoices: readonly (readonly [value: string, label: string])[] = [
  ['', 'Any status'],
  ['failed', 'Failed'],
  ['warned', 'With warnings'],
  ['2', '2xx'],
  ['3', '3xx'],
  ['4', '4xx'],
  ['5', '5xx'],
  ['0', 'No response'],
]

function admitsStatus(row: Row, status: string): boolean {
  if (status === '') return true
  if (status === 'failed') return isFailure(row)
  return status === 'warned' ? row.warnings.length > 0 : toFamily(row.status) === status
}

const toText = ({ method, target, operation, status, scenarios, session }: Row): string =>
  `${method} ${target} ${toReadable(target)} ${operation} ${status} ${scenarios.join(' ')} ${session}`.toLowerCase()

/** What the list says if the filter hides everything. */
export const toHiddenText = (count: number): string =>
  `The filter hides ${count} ${count === 1 ? 'request' : 'requests'}.`

/** Compiles a filter; the row must contain each word of its text. */
export function compileFilter({ text, operation, status }: Filter): (row: Row) => boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const wanted = operation === UNMATCHED ? '' : operation
  return (row) => {
    if (operation !== '' && row.operation !== wanted) return false
    if (!admitsStatus(row, status)) return false
    if (words.length === 0) return true
    const searched = toText(row)
    return words.every((word) => searched.includes(word))
  }
}
