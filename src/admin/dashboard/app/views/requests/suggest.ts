import { filterFields, filterFlags } from '../../../../../sessions/journal/filter-terms.ts'
import type { FilterField } from '../../../../../sessions/journal/filter-terms.ts'
import { toReadable } from './readable.ts'
import type { ListedRequest } from './entries.ts'

const COMPARED = new Set<string>(['status', 'took', 'time'])
const MOST_SUGGESTIONS = 8

/** The values of a field that are known without asking the mock. */
function listValues(field: string, list: readonly (ListedRequest | undefined)[]): readonly string[] {
  const known = (toValues: (entry: ListedRequest) => readonly (string | undefined)[]): readonly string[] =>
    [...new Set(list.flatMap((entry) => (entry === undefined ? [] : toValues(entry))))].filter(
      (one) => one !== undefined,
    )
  const values: Readonly<Partial<Record<FilterField, () => readonly string[]>>> = {
    method: () => known(({ method }) => [method]),
    path: () => known(({ url, session }) => [toReadable(url, session).path]),
    operation: () => known(({ operation }) => [operation]),
    session: () => known(({ session }) => [session]),
    scenario: () => known(({ scenarios }) => scenarios),
    status: () => ['4xx', '5xx', ...known(({ status }) => [String(status)]).toSorted()],
    retry: () => ['none', 'failed', 'succeeded'],
    client: () => ['left'],
  }
  return Object.entries(values).find(([name]) => name === field)?.[1]() ?? []
}

/** Fields and flags for the term that is being typed, or values once it has a field. */
export function suggestTerms(term: string, list: readonly (ListedRequest | undefined)[]): readonly string[] {
  const [, minus = '', field, operator = '', part = ''] = /^(-?)(?:([a-z]+)([<>]=?|[:=~]))?"?(.*)$/i.exec(term) ?? []
  const wanted = part.toLowerCase()
  const found =
    field === undefined
      ? [...filterFields.map((name) => `${name}${COMPARED.has(name) ? '>=' : ':'}`), ...filterFlags]
          .filter((name) => name.startsWith(wanted))
          .map((name) => minus + name)
      : listValues(field.toLowerCase(), list)
          .filter((value) => value.toLowerCase().includes(wanted))
          .map((value) => `${minus}${field}${operator}${/\s/.test(value) ? `"${value}"` : value}`)
  return found.filter((one) => one !== term).slice(0, MOST_SUGGESTIONS)
}

/** The filters that chips switch; each replaces the others. */
export const statusFilters = [
  ['Failed', 'failed'],
  ['4xx', 'status:4xx'],
  ['5xx', 'status:5xx'],
  ['Broken', 'status:0'],
  ['Left', 'client:left'],
] as const

/** Whether a filter has a term. */
export const hasTerm = (filter: string, term: string): boolean => filter.split(/\s+/).includes(term)

/** A filter with a status filter in place of the others, or without it if it has it already. */
export function toggleStatus(filter: string, term: string): string {
  const rest = filter.split(/\s+/).filter((one) => one !== '' && !statusFilters.some(([, status]) => status === one))
  return [...rest, ...(hasTerm(filter, term) ? [] : [term])].join(' ')
}
