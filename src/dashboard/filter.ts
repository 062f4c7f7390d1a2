import { compileTerms, findUnknownField } from './filter-terms.ts'
import { isFailure, toFamily } from './row.ts'
import type { Row } from './row.ts'

/** Which requests are shown, and in which order; an empty member matches all. */
export interface Filter {
  /** Words and terms such as `status>=400`; all must hold. */
  readonly text: string
  /** An operation id, or {@link UNMATCHED}. */
  readonly operation: string
  /** `2` to `5`, `0` for broken connections, `failed` or `warned`. */
  readonly status: string
  /** A column, with `-` before it for the largest first. Empty: the newest first. */
  readonly sort: string
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

/** What the list says if the filter hides everything. */
export const toHiddenText = (count: number, text: string): string =>
  `The filter hides ${count} ${count === 1 ? 'request' : 'requests'}. ${findUnknownField(text)}`.trim()

/**
 * Compiles a filter.
 *
 * @param hasBody whether a row's bodies are as the filter's text says
 */
export function compileFilter(
  { text, operation, status }: Filter,
  hasBody: (id: string) => boolean = () => true,
): (row: Row) => boolean {
  const admitsTerms = compileTerms(text)
  const wanted = operation === UNMATCHED ? '' : operation
  return (row) => {
    if (operation !== '' && row.operation !== wanted) return false
    return admitsStatus(row, status) && admitsTerms(row) && hasBody(row.id)
  }
}
