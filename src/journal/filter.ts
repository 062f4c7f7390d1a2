import { isDateTime } from '../contract/models.ts'
import { findPath } from '../contract/paths.ts'
import { problem } from '../errors.ts'
import { findJson, isJsonObject } from '../http/json.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import type { JournalEntry } from './record.ts'
import type { KeptBody } from './redact.ts'
import type { RetryState } from './retries.ts'
import { toSent, toTarget } from './target.ts'

/** Maximum number of terms, because every term is tested on every request. */
const MAX_TERMS = 20
/** Only this many characters of a path and query are searched. */
const SEARCHED_CHARACTERS = 2000

/** The context of a filter, besides the journal. */
export interface FilterContext {
  /** The mock's time in epoch milliseconds; `time>14:00` refers to this day. */
  readonly now: number
  /** Returns all ids and keys of the resource with this id or key, including the argument. */
  readonly identify: (idOrKey: string) => ReadonlySet<string>
}

/** A request with its retry state. */
export interface FilteredRequest {
  readonly entry: JournalEntry
  readonly retry: RetryState | undefined
}

type EntryPredicate = (request: FilteredRequest) => boolean

interface FilterTerm {
  readonly operator: string
  /** Without quotes. */
  readonly value: string
}

const refuse = (message: string): Error =>
  problem.invalidField({ field: 'filter', message: `Malformed filter: ${message}` })

const isEqualOrPart = ({ operator, value }: FilterTerm): ((text: string) => boolean) => {
  const wanted = value.toLowerCase()
  return operator === '='
    ? (text) => text.toLowerCase() === wanted
    : (text) => text.slice(0, SEARCHED_CHARACTERS).toLowerCase().includes(wanted)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The path and query, as sent and decoded. */
function toPaths({ request }: JournalEntry): readonly string[] {
  const sent = toSent(request.url).slice(0, SEARCHED_CHARACTERS)
  return [sent, decode(sent)]
}

/** Creates predicates on text fields. */
const ofTexts =
  (toTexts: (entry: JournalEntry) => readonly (string | undefined)[]) =>
  (term: FilterTerm, field: string): EntryPredicate => {
    if (!/^[:=~]$/.test(term.operator))
      throw refuse(`${field}${term.operator} is not supported. Use ${field}:, ${field}= or ${field}~.`)
    const isMatch = isEqualOrPart(term)
    return ({ entry }) => toTexts(entry).some((text) => text !== undefined && isMatch(text))
  }

const comparisons: Readonly<Record<string, (actual: number, wanted: number) => boolean>> = {
  '>': (actual, wanted) => actual > wanted,
  '>=': (actual, wanted) => actual >= wanted,
  '<': (actual, wanted) => actual < wanted,
  '<=': (actual, wanted) => actual <= wanted,
  ':': (actual, wanted) => actual === wanted,
  '=': (actual, wanted) => actual === wanted,
}

function findComparison(field: string, { operator }: FilterTerm): (actual: number, wanted: number) => boolean {
  const comparison = comparisons[operator]
  if (comparison === undefined) throw refuse(`${field}${operator} is not supported. Use one of : = > >= < <=.`)
  return comparison
}

/** Creates predicates on number fields; `status:4xx` matches a status class. */
const ofNumbers =
  (toNumber: (entry: JournalEntry) => number) =>
  (term: FilterTerm, field: string): EntryPredicate => {
    const compare = findComparison(field, term)
    const family = field === 'status' ? /^(\d)xx$/i.exec(term.value)?.[1] : undefined
    if (family !== undefined) return ({ entry }) => compare(Math.floor(toNumber(entry) / 100), Number(family))
    if (!/^\d+(?:\.\d+)?$/.test(term.value))
      throw refuse(`${field}: ${JSON.stringify(term.value.slice(0, 100))} is not a number.`)
    const wanted = Number(term.value)
    return ({ entry }) => compare(toNumber(entry), wanted)
  }

const TIME_OF_DAY = /^([01]?\d|2[0-3])(:[0-5]\d(?::[0-5]\d(?:\.\d{1,3})?)?)$/

/** Parses a date-time or a time of today (UTC) to epoch milliseconds. */
function parseTime(value: string, now: number): number {
  const [, hours, rest] = TIME_OF_DAY.exec(value) ?? []
  if (hours !== undefined)
    return Date.parse(`${new Date(now).toISOString().slice(0, 11)}${hours.padStart(2, '0')}${rest}Z`)
  if (isDateTime(value)) return Date.parse(value)
  throw refuse(
    `time: ${JSON.stringify(value.slice(0, 100))} is not a time. Use a time of today in UTC, such as 14:00, or a date-time, such as 2026-01-31T14:00:00Z.`,
  )
}

/** Lists the ids and keys of resources in the path, the Location header and the response body. */
function* listIdentities({ request, response }: JournalEntry): Iterable<string> {
  for (const url of [request.url, response.headers['location']]) {
    if (url === undefined) continue
    const { id, key } = findPath(toTarget(url).path)?.parameters ?? {}
    if (id !== undefined) yield id
    if (key !== undefined) yield key
  }
  const body = response.body?.encoding === 'utf-8' ? findJson(response.body.text) : undefined
  if (!isJsonObject(body)) return
  for (const name of ['id', 'key']) if (typeof body[name] === 'string') yield body[name]
}

function includesText(body: KeptBody | undefined, wanted: string): boolean {
  return body?.encoding === 'utf-8' && body.text.toLowerCase().includes(wanted)
}

/** The fields that a filter can use. */
const fields: Readonly<Record<string, (term: FilterTerm, field: string, context: FilterContext) => EntryPredicate>> = {
  method: ofTexts(({ request }) => [request.method]),
  path: ofTexts(toPaths),
  operation: ofTexts(({ operation }) => [operation]),
  session: ofTexts(({ session }) => [session]),
  scenario: ofTexts(({ scenarios }) => scenarios),
  warning: ofTexts(({ warnings }) => warnings),
  status: ofNumbers(({ response }) => response.status),
  took: ofNumbers(({ durationMilliseconds }) => durationMilliseconds),
  body({ value }) {
    const wanted = value.toLowerCase()
    return ({ entry }) => includesText(entry.request.body, wanted) || includesText(entry.response.body, wanted)
  },
  time(term, field, { now }) {
    const compare = findComparison(field, term)
    const wanted = parseTime(term.value, now)
    return ({ entry }) => compare(entry.time, wanted)
  },
  resource({ value }, _field, { identify }) {
    const wanted = identify(value)
    return ({ entry }) => {
      for (const identity of listIdentities(entry)) if (wanted.has(identity)) return true
      return false
    }
  },
  retry({ value }) {
    if (value !== 'none' && value !== 'failed' && value !== 'succeeded') {
      throw refuse(`retry: ${JSON.stringify(value.slice(0, 100))} is unknown. Use none, failed or succeeded.`)
    }
    return ({ retry }) => retry === value
  },
}

/** Keywords that are terms without a field. */
const flags: Readonly<Record<string, EntryPredicate>> = {
  'passed-through': ({ entry }) => entry.isPassedThrough === true,
}

/** A plain word: matches if any text in the request's list row contains it. */
function ofWord(word: string): EntryPredicate {
  const wanted = word.toLowerCase()
  return ({ entry }) => {
    const { operation = '', scenarios, session, request, response } = entry
    const line = [request.method, ...toPaths(entry), operation, String(response.status), ...scenarios, session]
    return line.some((text) => text.toLowerCase().includes(wanted))
  }
}

const TERM = /(-?)(?:([a-z]+)([<>]=?|[:=~]))?(?:"([^"]*)"?|(\S+))/gi

function toPredicate(match: RegExpMatchArray, context: FilterContext): EntryPredicate {
  const [, , name, operator = ':', quoted, bare = ''] = match
  const value = quoted ?? bare
  if (name === undefined) return (quoted === undefined ? flags[value.toLowerCase()] : undefined) ?? ofWord(value)
  const field = name.toLowerCase()
  const toField = fields[field]
  if (toField !== undefined) return toField({ operator, value }, field, context)
  throw refuse(
    `unknown field ${name.slice(0, 100)}.${didYouMean(field, Object.keys(fields))} Quote text that contains ${operator}.`,
  )
}

/**
 * Compiles a request filter: terms such as `status>=400`, `method:POST`, `-session:worker-2`, `body~"x y"`, `retry:none`
 * and plain words. All terms must match; a leading `-` negates a term. Case is ignored.
 *
 * @throws {Problem} 400 for an unknown field, an invalid value, or more than 20 terms.
 * @example compileFilter('status>=400 -session:worker-2', context)({ entry, retry: undefined })
 */
export function compileFilter(text: string, context: FilterContext): EntryPredicate {
  const found = [...text.matchAll(TERM)]
  if (found.length > MAX_TERMS) throw refuse(`it has ${found.length} terms. The limit is ${MAX_TERMS}.`)
  const predicates = found.map((match): EntryPredicate => {
    const predicate = toPredicate(match, context)
    return match[1] === '-' && match[0] !== '-' ? (request) => !predicate(request) : predicate
  })
  return (request) => predicates.every((isMatch) => isMatch(request))
}
