import { didYouMean } from '../../util/did-you-mean.ts'

// Imports nothing of the server, so that a page in the browser can check a filter while it is typed.

/** Maximum number of terms, because every term is tested on every request. */
export const MOST_FILTER_TERMS = 20
/** Only this many characters of a path and query are searched. */
export const SEARCHED_CHARACTERS = 2000

/** The fields that a filter can use. */
export const filterFields = [
  'method',
  'path',
  'operation',
  'session',
  'scenario',
  'warning',
  'status',
  'took',
  'body',
  'time',
  'resource',
  'test',
  'retry',
  'client',
] as const
export type FilterField = (typeof filterFields)[number]

/** Keywords that are terms without a field. */
export const filterFlags = ['failed', 'passed-through'] as const
export type FilterFlag = (typeof filterFlags)[number]

/** `~` means the same as `:`. */
export type FilterOperator = ':' | '=' | '~' | '>' | '>=' | '<' | '<='

/** A term of a filter: `status>=400`, `-session:worker-2`, `passed-through`, or a word to search for. */
export type FilterTerm = { readonly isExcluded: boolean } & (
  | {
      readonly kind: 'field'
      readonly field: FilterField
      readonly operator: FilterOperator
      /** Without quotes. */
      readonly value: string
    }
  | { readonly kind: 'flag'; readonly flag: FilterFlag }
  | { readonly kind: 'word'; readonly value: string }
)

/** A malformed filter; the message says what is wrong. */
export class FilterFault extends Error {
  override readonly name = 'FilterFault'
}

const TERM = /(-?)(?:([a-z]+)([<>]=?|[:=~]))?(?:"([^"]*)"?|(\S+))/gi

function parseTerm([, minus, name, operator = ':', quoted, bare = '']: RegExpMatchArray): FilterTerm {
  const isExcluded = minus === '-'
  const value = quoted ?? bare
  if (name === undefined) {
    const flag = quoted === undefined ? filterFlags.find((one) => one === value.toLowerCase()) : undefined
    return flag === undefined ? { isExcluded, kind: 'word', value } : { isExcluded, kind: 'flag', flag }
  }
  const field = filterFields.find((one) => one === name.toLowerCase())
  if (field === undefined) {
    throw new FilterFault(
      `unknown field ${name.slice(0, 100)}.${didYouMean(name, filterFields)} Quote text that contains ${operator}.`,
    )
  }
  // TERM matches no other operator.
  return { isExcluded, kind: 'field', field, operator: operator as FilterOperator, value }
}

/**
 * Parses the terms of a request filter. Values are not checked.
 *
 * @throws {FilterFault} for an unknown field, or more than {@link MOST_FILTER_TERMS} terms.
 * @example parseFilterTerms('-session:worker-2') // [{ isExcluded: true, kind: 'field', field: 'session', … }]
 */
export function parseFilterTerms(text: string): readonly FilterTerm[] {
  const found = [...text.matchAll(TERM)]
  if (found.length > MOST_FILTER_TERMS)
    throw new FilterFault(`it has ${found.length} terms. The limit is ${MOST_FILTER_TERMS}. Remove some.`)
  return found.map(parseTerm)
}
