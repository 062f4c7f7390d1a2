import { didYouMean } from '../util/did-you-mean.ts'
import { toCountText, toFamily, toReadable } from './row.ts'
import type { Row } from './row.ts'

/** How much of a path and its query is searched, in characters: many terms over longer ones would take seconds. */
export const SEARCHED_CHARACTERS = 2000

const toSearched = (text: string): string => text.slice(0, SEARCHED_CHARACTERS).toLowerCase()

/** What is searched of a row, in lower case. */
interface SearchedRow {
  readonly row: Row
  /** The path as sent, and as people read it. */
  readonly paths: readonly string[]
}

const lowered = new WeakMap<Row, SearchedRow>()

/** Each filter meets the same rows, so their texts are made once. */
function toSearchedRow(row: Row): SearchedRow {
  const known = lowered.get(row)
  if (known !== undefined) return known
  const searched = { row, paths: [toSearched(row.target), toSearched(toReadable(row.target))] }
  lowered.set(row, searched)
  return searched
}

const lower = (texts: readonly string[]): readonly string[] => texts.map((text) => text.toLowerCase())

/** What a term of the filter can look at, apart from a body, which a row does not have. */
const texts: Readonly<Record<string, (searched: SearchedRow) => readonly string[]>> = {
  method: ({ row }) => lower([row.method]),
  path: ({ paths }) => paths,
  operation: ({ row }) => lower([row.operation]),
  session: ({ row }) => lower([row.session]),
  scenario: ({ row }) => lower(row.scenarios),
  warning: ({ row }) => lower(row.warnings),
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

function matchTerms(text: string): RegExpMatchArray[] {
  const found: RegExpMatchArray[] = []
  for (const term of text.matchAll(TERM)) if (found.push(term) >= MOST_TERMS) break
  return found
}

/** Says what of a filter does not count for these rows; empty if all of it does. */
export function toBounds(text: string, rows: readonly Row[]): string {
  if (text.trim() === '') return ''
  const terms = [...text.matchAll(TERM)].length
  const isLong = rows.some(({ target }) => target.length > SEARCHED_CHARACTERS)
  return [
    ...(terms > MOST_TERMS ? [`Only the first ${MOST_TERMS} terms count.`] : []),
    ...(isLong ? [`Only the first ${toCountText(SEARCHED_CHARACTERS)} characters of a path are searched.`] : []),
  ].join(' ')
}

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

function toText({ paths, row }: SearchedRow): string {
  const { method, operation, status, scenarios, session } = row
  const [before, after] = lower([method, `${operation} ${status} ${scenarios.join(' ')} ${session}`])
  return `${before} ${paths.join(' ')} ${after}`
}

/** @param whole all that a word may be in */
function admits({ field = '', operator, value }: Term, searched: SearchedRow, whole: string): boolean {
  const toNumber = numbers[field]
  if (toNumber !== undefined) return compare(toNumber(searched.row), operator, value)
  const toTexts = texts[field]
  if (toTexts === undefined) return whole.includes(value)
  return toTexts(searched).some((text) => (operator === '=' ? text === value : text.includes(value)))
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
    const searched = toSearchedRow(row)
    const whole = hasWord ? toText(searched) : ''
    return terms.every((term) => admits(term, searched, whole) !== term.isExcluded)
  }
}
