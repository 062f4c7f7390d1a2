import { didYouMean } from '../util/did-you-mean.ts'
import { toFamily, toReadable } from './row.ts'
import type { Row } from './row.ts'

/** What a term of the filter can look at, apart from a body, which a row does not have. */
const texts: Readonly<Record<string, (row: Row) => readonly string[]>> = {
  method: ({ method }) => [method],
  path: ({ target }) => [target, toReadable(target)],
  operation: ({ operation }) => [operation],
  session: ({ session }) => [session],
  scenario: ({ scenarios }) => scenarios,
  warning: ({ warnings }) => warnings,
}

const numbers: Readonly<Record<string, (row: Row) => number>> = {
  status: ({ status }) => status,
  took: ({ duration }) => duration,
}

const fields = [...Object.keys(texts), ...Object.keys(numbers), 'body']

type TermOperator = ':' | '=' | '~' | '>' | '>=' | '<' | '<='

/** A word of the filter: `scenario:conflict`, `status>=400`, `-body~"x y"`, or a word that any cell may have. */
interface Term {
  readonly isExcluded: boolean
  /** Undefined for a word. */
  readonly field: string | undefined
  readonly operator: TermOperator
  /** In lower case. */
  readonly value: string
}

const TERM = /(-?)(?:([a-z]+)([<>]=?|[:=~]))?(?:"([^"]*)"?|(\S+))/gi

const KNOWN = new Set(fields)

/** Only so many terms count: each is held against every request. */
const MOST_TERMS = 20

const matchTerms = (text: string) => [...text.matchAll(TERM)].slice(0, MOST_TERMS)

/** Reads the text of a filter. What is not a term with a known field is a word. */
export const parseTerms = (text: string): readonly Term[] =>
  matchTerms(text).map(([all, minus, name = '', operator = ':', quoted, bare = '']) => {
    const isField = KNOWN.has(name.toLowerCase())
    const value = quoted ?? bare
    return {
      isExcluded: minus === '-' && all !== '-',
      field: isField ? name.toLowerCase() : undefined,
      // As TERM has it.
      operator: operator as TermOperator,
      value: (isField || name === '' ? value || all : `${name}${operator}${value}`).toLowerCase(),
    }
  })

/** Says which field a filter misspells; empty if it misspells none. */
export function findUnknownField(text: string): string {
  for (const [, , name = ''] of matchTerms(text)) {
    const isKnown = name === '' || KNOWN.has(name.toLowerCase())
    const suggestion = isKnown ? '' : didYouMean(name, fields)
    if (suggestion !== '') return `Unknown field ${name}.${suggestion}`
  }
  return ''
}

const NUMBER = /^\d+(?:\.\d+)?$/

function compare(actual: number, operator: TermOperator, value: string): boolean {
  if (/^\dxx$/.test(value)) return toFamily(actual) === value.slice(0, 1)
  if (!NUMBER.test(value)) return false
  const wanted = Number(value)
  switch (operator) {
    case '>':
      return actual > wanted
    case '>=':
      return actual >= wanted
    case '<':
      return actual < wanted
    case '<=':
      return actual <= wanted
    default:
      return actual === wanted
  }
}

const toText = ({ method, target, operation, status, scenarios, session }: Row): string =>
  `${method} ${target} ${toReadable(target)} ${operation} ${status} ${scenarios.join(' ')} ${session}`.toLowerCase()

/** @param whole all that a word may be in */
function admits({ field = '', operator, value }: Term, row: Row, whole: string): boolean {
  const toNumber = numbers[field]
  if (toNumber !== undefined) return compare(toNumber(row), operator, value)
  const toTexts = texts[field]
  if (toTexts === undefined) return whole.includes(value)
  const lower = toTexts(row).map((text) => text.toLowerCase())
  return lower.some((text) => (operator === '=' ? text === value : text.includes(value)))
}

const isOfBody = ({ field }: Term): boolean => field === 'body'

/** Whether a filter looks at bodies. */
export const hasBodyTerm = (text: string): boolean => parseTerms(text).some(isOfBody)

/** Compiles what a filter says of bodies: those of a request and its response. */
export function compileBodyFilter(text: string): (bodies: readonly (string | undefined)[]) => boolean {
  const terms = parseTerms(text).filter(isOfBody)
  return (bodies) => {
    const lower = bodies.flatMap((body) => body?.toLowerCase() ?? [])
    return terms.every(
      ({ value, isExcluded, operator }) =>
        lower.some((body) => (operator === '=' ? body === value : body.includes(value))) !== isExcluded,
    )
  }
}

/** Compiles what a filter says of everything but bodies. */
export function compileTerms(text: string): (row: Row) => boolean {
  const terms = parseTerms(text).filter((term) => !isOfBody(term))
  const hasWord = terms.some(({ field }) => field === undefined)
  return (row) => {
    const whole = hasWord ? toText(row) : ''
    return terms.every((term) => admits(term, row, whole) !== term.isExcluded)
  }
}
