import { compileTerms, findUnknownField, toBounds } from './filter-terms.ts'
import { isFailure, toCountText, toFamily } from './row.ts'
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

/** `1 request`, `1,000 requests`. */
const toRequestCount = (count: number): string => `${toCountText(count)} ${count === 1 ? 'request' : 'requests'}`

/** What a list has of a journal. */
interface Listed {
  /** How many requests it shows. */
  readonly shown: number
  /** The requests that it has loaded. */
  readonly rows: readonly Row[]
  /** How many requests the journal has. */
  readonly total: number
  /** How many of them are older than those that were loaded. */
  readonly older: number
}

/** What the list says of itself: how many requests it shows, and which ones the filter has not seen. */
export function toShownText(filter: Filter, { shown, rows, total, older }: Listed): string {
  const { text, operation, status } = filter
  const isFiltering = text !== '' || operation !== '' || status !== ''
  const bounds = toBounds(text, rows)
  const end = bounds === '' ? '' : `. ${bounds}`
  if (isFiltering && older > 0) {
    return `${toCountText(shown)} of the newest ${toRequestCount(total - older)}; the filter does not search the ${toCountText(older)} older ones${end}`
  }
  return `${shown === total ? '' : `${toCountText(shown)} of `}${toRequestCount(total)}${end}`
}

/** What the list says if the filter hides everything. */
export function toHiddenText(text: string, { rows, older }: Pick<Listed, 'rows' | 'older'>): string {
  const unseen = older === 0 ? '' : ` and does not search ${toCountText(older)} older ${older === 1 ? 'one' : 'ones'}`
  return `The filter hides ${toRequestCount(rows.length)}${unseen}. ${findUnknownField(text)}`.trim()
}

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
