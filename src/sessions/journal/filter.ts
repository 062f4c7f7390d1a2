import { isDateTime } from '../../service/contract/models.ts'
import { findServicePath } from '../../service/contract/paths.ts'
import { problem } from '../../errors.ts'
import { findJson, isJsonObject } from '../../service/http/json.ts'
import { decodePercent } from '../../service/http/request-head.ts'
import { hasPart } from '../../util/find-part.ts'
import { FilterFault, parseFilterTerms, SEARCHED_CHARACTERS } from './filter-terms.ts'
import type { FilterField, FilterFlag, FilterOperator, FilterTerm } from './filter-terms.ts'
import { isFailed } from './failure-kinds.ts'
import type { KeptExchange } from './kept-exchange.ts'
import { findRetryState } from './summary.ts'
import { toSent, toTarget } from './target.ts'

/** The context of a filter, besides the journal. */
export interface FilterContext {
  /** The mock's time in epoch milliseconds; `time>14:00` is a time of this day. */
  readonly now: number
  /** Returns all ids and keys of the resource with this id or key in the project of a request, including the argument. */
  readonly identify: (idOrKey: string, exchange: KeptExchange) => ReadonlySet<string>
  /** Returns the title of the test that the session of a request belongs to; empty if it belongs to none. */
  readonly toTestTitle: (exchange: KeptExchange) => string
}

/** Reads the entry of an exchange only if it must: creating those of a whole journal takes time. */
type ExchangePredicate = (exchange: KeptExchange) => boolean

interface FieldTerm {
  readonly operator: FilterOperator
  readonly value: string
}

const toTextPredicate = ({ operator, value }: FieldTerm): ((text: string) => boolean) => {
  const wanted = value.toLowerCase()
  return operator === '='
    ? (text) => text.toLowerCase() === wanted
    : (text) => text.slice(0, SEARCHED_CHARACTERS).toLowerCase().includes(wanted)
}

/** The path and query, as sent and decoded. */
function toSearchedPaths({ url }: KeptExchange): readonly string[] {
  const sent = toSent(url).slice(0, SEARCHED_CHARACTERS)
  return [sent, decodePercent(sent)]
}

/** Creates predicates on text fields. */
const ofTexts =
  (toTexts: (exchange: KeptExchange, context: FilterContext) => readonly (string | undefined)[]) =>
  (term: FieldTerm, field: FilterField, context: FilterContext): ExchangePredicate => {
    if (!/^[:=~]$/.test(term.operator))
      throw new FilterFault(`${field}${term.operator} is not supported. Use ${field}:, ${field}= or ${field}~.`)
    const isMatch = toTextPredicate(term)
    return (exchange) => toTexts(exchange, context).some((text) => text !== undefined && isMatch(text))
  }

const isEqual = (actual: number, wanted: number): boolean => actual === wanted

const comparisons: Readonly<Partial<Record<FilterOperator, (actual: number, wanted: number) => boolean>>> = {
  '>': (actual, wanted) => actual > wanted,
  '>=': (actual, wanted) => actual >= wanted,
  '<': (actual, wanted) => actual < wanted,
  '<=': (actual, wanted) => actual <= wanted,
  ':': isEqual,
  '=': isEqual,
}

function toComparison(field: FilterField, { operator }: FieldTerm): (actual: number, wanted: number) => boolean {
  const comparison = comparisons[operator]
  if (comparison !== undefined) return comparison
  throw new FilterFault(`${field}${operator} is not supported. Use one of : = > >= < <=.`)
}

/** Creates predicates on number fields; `status:4xx` matches a status class. */
const ofNumbers =
  (toNumber: (exchange: KeptExchange) => number) =>
  (term: FieldTerm, field: FilterField): ExchangePredicate => {
    const compare = toComparison(field, term)
    const family = field === 'status' ? /^(\d)xx$/i.exec(term.value)?.[1] : undefined
    if (family !== undefined) return (exchange) => compare(Math.floor(toNumber(exchange) / 100), Number(family))
    if (!/^\d+(?:\.\d+)?$/.test(term.value))
      throw new FilterFault(
        `${field}: ${JSON.stringify(term.value.slice(0, 100))} is not a number. Use one such as 200.`,
      )
    const wanted = Number(term.value)
    return (exchange) => compare(toNumber(exchange), wanted)
  }

const TIME_OF_DAY = /^([01]?\d|2[0-3])(:[0-5]\d(?::[0-5]\d(?:\.\d{1,3})?)?)(?:([+-])((?:0\d|1\d|2[0-3])):([0-5]\d))?$/

/** Parses a date-time or a time of today, which is in UTC unless it has an offset, to epoch milliseconds. */
function parseTime(value: string, now: number): number {
  const [, hours, rest, sign, offsetHours = '0', offsetMinutes = '0'] = TIME_OF_DAY.exec(value) ?? []
  if (hours !== undefined) {
    const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === '-' ? -60_000 : 60_000)
    const today = new Date(now + offset).toISOString().slice(0, 11)
    return Date.parse(`${today}${hours.padStart(2, '0')}${rest}Z`) - offset
  }
  if (isDateTime(value)) return Date.parse(value)
  throw new FilterFault(
    `time: ${JSON.stringify(value.slice(0, 100))} is not a time. Use a time of today in UTC, such as 14:00, or a date-time, such as 2026-01-31T14:00:00Z.`,
  )
}

/** Whether the path, the Location header or the response body names a resource by one of its ids and keys. */
function isAbout({ entry: { request, response } }: KeptExchange, identities: ReadonlySet<string>): boolean {
  const isOne = (name: unknown): boolean => typeof name === 'string' && identities.has(name)
  for (const url of [request.url, response.headers['location']]) {
    const { id, key } = (url === undefined ? undefined : findServicePath(toTarget(url).path)?.parameters) ?? {}
    if (isOne(id) || isOne(key)) return true
  }
  const { text, encoding } = response.body ?? {}
  // Parsing is slow, so only bodies that contain one of the names are parsed.
  if (text === undefined || encoding !== 'utf-8' || ![...identities].some((name) => hasPart(text, name))) return false
  const body = findJson(text)
  return isJsonObject(body) && (isOne(body['id']) || isOne(body['key']))
}

const fields: Readonly<
  Record<FilterField, (term: FieldTerm, field: FilterField, context: FilterContext) => ExchangePredicate>
> = {
  method: ofTexts(({ method }) => [method]),
  path: ofTexts(toSearchedPaths),
  operation: ofTexts(({ operation }) => [operation]),
  session: ofTexts(({ session }) => [session]),
  scenario: ofTexts(({ scenarios }) => scenarios),
  warning: ofTexts(({ entry }) => entry.warnings),
  test: ofTexts((exchange, { toTestTitle }) => [toTestTitle(exchange)]),
  status: ofNumbers(({ status }) => status),
  took: ofNumbers(({ durationMilliseconds }) => durationMilliseconds),
  body({ value }) {
    const wanted = value.toLowerCase()
    return (exchange) => exchange.hasInBody(wanted)
  },
  time(term, field, { now }) {
    const compare = toComparison(field, term)
    const wanted = parseTime(term.value, now)
    return (exchange) => compare(exchange.time, wanted)
  },
  resource({ value }, _field, { identify }) {
    return (exchange) => isAbout(exchange, identify(value, exchange))
  },
  retry({ value }) {
    if (value !== 'none' && value !== 'failed' && value !== 'succeeded') {
      throw new FilterFault(`retry: ${JSON.stringify(value.slice(0, 100))} is unknown. Use none, failed or succeeded.`)
    }
    return (exchange) => findRetryState(exchange) === value
  },
  client({ value }) {
    if (value !== 'left')
      throw new FilterFault(`client: ${JSON.stringify(value.slice(0, 100))} is unknown. Use client:left.`)
    return ({ clientLeft }) => clientLeft
  },
}

const flags: Readonly<Record<FilterFlag, ExchangePredicate>> = {
  failed: isFailed,
  'passed-through': ({ isPassedThrough }) => isPassedThrough,
}

function toPredicate(term: FilterTerm, context: FilterContext): ExchangePredicate {
  switch (term.kind) {
    case 'field':
      return fields[term.field](term, term.field, context)
    case 'flag':
      return flags[term.flag]
    case 'word':
      // Any text in the request's list row may contain it.
      const wanted = term.value.toLowerCase()
      return (exchange) => {
        const { method, operation = '', scenarios, session, status } = exchange
        const line = [method, ...toSearchedPaths(exchange), operation, String(status), ...scenarios, session]
        return line.some((text) => hasPart(text.toLowerCase(), wanted))
      }
    default:
      return term satisfies never
  }
}

/**
 * Compiles a request filter: terms such as `status>=400`, `method:POST`, `-session:worker-2`, `body~"x y"`, `retry:none`
 * and plain words. All terms must match; a leading `-` negates a term. Case is ignored.
 *
 * @throws {Problem} 400 for an unknown field, an invalid value, or more than 20 terms.
 * @returns undefined if it has no terms.
 * @example compileJournalFilter('status>=400 -session:worker-2', context)?.(exchange)
 */
export function compileJournalFilter(text: string, context: FilterContext): ExchangePredicate | undefined {
  try {
    const terms = parseFilterTerms(text)
    const predicates = terms.map((term): ExchangePredicate => {
      const predicate = toPredicate(term, context)
      return term.isExcluded ? (exchange) => !predicate(exchange) : predicate
    })
    return terms.length === 0 ? undefined : (exchange) => predicates.every((isMatch) => isMatch(exchange))
  } catch (error) {
    if (!(error instanceof FilterFault)) throw error
    throw problem.invalidField({ field: 'filter', message: `Malformed filter: ${error.message}` })
  }
}

/** Compiles the `test:` terms of a filter; undefined if it has none that must match. */
export function compileTitleFilter(text: string): ((title: string) => boolean) | undefined {
  const terms = parseFilterTerms(text).flatMap((term) =>
    term.kind === 'field' && term.field === 'test' && !term.isExcluded ? [toTextPredicate(term)] : [],
  )
  return terms.length === 0 ? undefined : (title) => terms.every((isMatch) => isMatch(title))
}
