import { calledOperations } from '../../service/contract/endpoints.ts'
import type { CalledOperation } from '../../service/contract/endpoints.ts'
import { parseRawQuery } from '../../service/http/request-head.ts'
import type { RawQuery } from '../../service/http/request-head.ts'
import { toCutNote } from './record.ts'
import {
  compileExpression,
  expectKnown,
  malformedPattern,
  parseObject,
  parsePatternJson,
  show,
  parseMembers,
  parseValuePattern,
} from './value-patterns.ts'
import { toCookiePairs, toTarget } from './target.ts'
import type { Target } from './target.ts'
import type { RedactedExchange } from './record.ts'
import type { KeptBody } from './redact.ts'
import { MAX_CONDITIONS } from '../../service/http/sizes.ts'
import { timeSlices } from '../../util/time-slices.ts'

/** The parts of an entry that patterns can match. */
export interface CheckInput {
  readonly method: string
  readonly operation: string | undefined
  readonly clientLeft: boolean
  readonly target: Target
  readonly query: RawQuery
  readonly headers: ReadonlyMap<string, string>
  readonly cookies: ReadonlyMap<string, string>
  readonly body: KeptBody | undefined
}

/** One condition of a pattern. */
export interface RequestCheck {
  readonly member: string
  readonly expected: unknown
  readonly judge: (input: CheckInput) => { readonly isMatch: boolean; readonly actual: unknown }
}

/** Longer texts are truncated in messages. */
const SHOWN_CHARACTERS = 500

const shortenPattern = (text: string): string =>
  text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)]

/** The path as sent, and the service's path without a prefix: a pattern may use either. */
const toMatchedPaths = ({ sentPath, path }: Target): readonly string[] => unique([sentPath, path])
const toUrls = ({ sent, path, search }: Target): readonly string[] => unique([sent, path + search])

type Accepts = (text: string) => boolean

const toAddressCheck =
  (parse: (text: string, member: string) => Accepts, candidates: (target: Target) => readonly string[]) =>
  (json: unknown, member: string): readonly RequestCheck[] => {
    const expected = parsePatternJson(json, member)
    const accepts = parse(expected, member)
    const judge = ({ target }: CheckInput) => ({
      isMatch: candidates(target).some(accepts),
      actual: candidates(target).at(-1),
    })
    return [{ member, expected, judge }]
  }

const equal =
  (expected: string): Accepts =>
  (text) =>
    text === expected

/** WireMock's pattern members for addresses. */
const addressChecks = new Map([
  ['url', toAddressCheck(equal, toUrls)],
  ['urlPath', toAddressCheck(equal, toMatchedPaths)],
  ['urlPattern', toAddressCheck(compileExpression, toUrls)],
  ['urlPathPattern', toAddressCheck(compileExpression, toMatchedPaths)],
])

function parseMethod(json: unknown, member: string): readonly RequestCheck[] {
  const expected = parsePatternJson(json, member).toUpperCase()
  if (expected === 'ANY') return []
  const judge = ({ method }: CheckInput) => ({
    isMatch: method.toUpperCase() === expected,
    actual: method,
  })
  return [{ member, expected, judge }]
}

function parseOperation(json: unknown, member: string): readonly RequestCheck[] {
  const expected = parsePatternJson(json, member)
  expectKnown(expected, calledOperations, member, 'operation')
  const judge = ({ operation }: CheckInput) => ({
    isMatch: operation === expected,
    actual: operation ?? null,
  })
  return [{ member, expected, judge }]
}

function parseClientLeft(expected: unknown, member: string): readonly RequestCheck[] {
  if (typeof expected !== 'boolean') throw malformedPattern(member, `expected true or false, got ${show(expected)}.`)
  return [{ member, expected, judge: ({ clientLeft }) => ({ isMatch: clientLeft === expected, actual: clientLeft }) }]
}

/** Creates one check per name, which passes if any of its values matches. */
const toNamedChecks =
  (toValues: (input: CheckInput, name: string) => readonly string[] | undefined) =>
  (json: unknown, member: string): readonly RequestCheck[] =>
    Object.entries(parseObject(json, member)).map(([name, value]) => {
      const path = `${member}.${name}`
      const pattern = parseValuePattern(value, path)
      return {
        member: path,
        expected: pattern.source,
        judge: (input) => {
          const values = toValues(input, name)
          if (values === undefined) return { isMatch: pattern.accepts(undefined), actual: null }
          const actual = values.map(shortenPattern)
          return { isMatch: values.some(pattern.accepts), actual: actual.length === 1 ? actual[0] : actual }
        },
      }
    })

const toSingleList = (value: string | undefined): readonly string[] | undefined =>
  value === undefined ? undefined : [value]

function showBody(body: KeptBody | undefined): string | null {
  if (body === undefined) return null
  return body.isCut ? `${shortenPattern(body.text)} (${toCutNote(body)})` : shortenPattern(body.text)
}

function parseBodyPatterns(json: unknown, member: string): readonly RequestCheck[] {
  if (!Array.isArray(json)) throw malformedPattern(member, `expected an array of patterns, got ${show(json)}.`)
  return json.map((one: unknown, index): RequestCheck => {
    const path = `${member}[${index}]`
    const pattern = parseValuePattern(one, path)
    // `absent` tests whether there is a body; other operators treat a missing body as empty.
    const judge = ({ body }: CheckInput) => ({
      isMatch: pattern.accepts(body?.text ?? (pattern.operator === 'absent' ? undefined : '')),
      actual: showBody(body),
    })
    return { member: path, expected: pattern.source, judge }
  })
}

/** Mutually exclusive members. */
export const addressMembers: readonly string[] = [...addressChecks.keys()]

/** Parsers for the members of a request pattern. */
export const requestMembers = new Map<string, (json: unknown, member: string) => readonly RequestCheck[]>([
  ['method', parseMethod],
  ...addressChecks,
  ['operation', parseOperation],
  ['clientLeft', parseClientLeft],
  ['queryParameters', toNamedChecks(({ query }, name) => query.get(name))],
  ['headers', toNamedChecks(({ headers }, name) => toSingleList(headers.get(name.toLowerCase())))],
  ['cookies', toNamedChecks(({ cookies }, name) => toSingleList(cookies.get(name)))],
  ['bodyPatterns', parseBodyPatterns],
])

/** A pattern member that does not match the request. */
export interface PatternDifference {
  /** Such as `method`, `headers.accept`, `bodyPatterns[0]`. */
  readonly member: string
  readonly expected: unknown
  /** `null` if missing. */
  readonly actual: unknown
}

/** A parsed WireMock request pattern. */
export interface RequestPattern {
  /** The original JSON. */
  readonly source: Readonly<Record<string, unknown>>
  readonly checks: readonly RequestCheck[]
}

/**
 * Parses a request pattern as WireMock's admin API accepts it. All members must match; `{}` matches every request. Regular
 * expressions must match the whole text, as in WireMock.
 *
 * @throws {Problem} 400 for an unknown member, a value of the wrong type, or a malformed regular expression.
 * @example parsePattern({ method: 'POST', urlPath: '/acme/resource' })
 */
export function parsePattern(json: unknown): RequestPattern {
  const source = parseMembers(json, 'request', [...requestMembers.keys()])
  const addresses = Object.keys(source).filter((name) => addressMembers.includes(name))
  if (addresses.length > 1) {
    throw malformedPattern('request', `${addresses.join(' and ')} are mutually exclusive. Use one of them.`)
  }
  const checks = [...requestMembers].flatMap(([name, parse]) =>
    source[name] === undefined ? [] : parse(source[name], name),
  )
  if (checks.length > MAX_CONDITIONS) {
    throw malformedPattern('request', `it has ${checks.length} conditions. The limit is ${MAX_CONDITIONS}. Use fewer.`)
  }
  return { source, checks }
}

/**
 * Finds the conditions of a pattern that an entry does not meet. Redacted values are matched as redacted: a pattern can
 * require a token or a cookie (`{"matches": "Bearer .*"}`), but cannot distinguish one from another.
 */
export function findDifferences({ checks }: RequestPattern, { request, operation, clientLeft }: RedactedExchange) {
  const { method, url, headers, body } = request
  const target = toTarget(url)
  const input = {
    method,
    operation,
    clientLeft: clientLeft === true,
    target,
    query: parseRawQuery(target.search),
    headers: new Map(Object.entries(headers)),
    cookies: new Map(toCookiePairs(headers.cookie)),
    body,
  }
  const differences: PatternDifference[] = []
  for (const { member, expected, judge } of checks) {
    const { isMatch, actual } = judge(input)
    if (!isMatch) differences.push({ member, expected, actual })
  }
  return differences
}

/** Runs a task, and returns whether it completed: it may be stopped if it takes too long, and run again. */
export type RunInTime = (task: () => void) => boolean

/** Without a time limit: in a browser, a pattern delays only the test that uses it. */
function runAnyTime(task: () => void): true {
  task()
  return true
}

/** The number of entries that are read before they are matched. */
const BATCH = 10

/**
 * Matches entries against a pattern, in their order, and yields to other requests every few milliseconds.
 *
 * @throws {Problem} 400 if the pattern takes too long.
 */
export async function* matchEntries(
  pattern: RequestPattern,
  exchanges: readonly { readonly entry: RedactedExchange }[],
  runInTime: RunInTime = runAnyTime,
) {
  const slice = timeSlices.start()

  /** Matches the first entries, for as long as the time slice lasts. */
  function matchSome(entries: readonly RedactedExchange[]) {
    const matched: { readonly entry: RedactedExchange; readonly differences: readonly PatternDifference[] }[] = []
    const isInTime = runInTime(() => {
      matched.length = 0
      for (const entry of entries) {
        matched.push({ entry, differences: findDifferences(pattern, entry) })
        if (slice.isOver()) break
      }
    })
    if (isInTime) return matched
    throw malformedPattern(
      'request',
      'it takes too long to match a request. Use simpler regular expressions and shorter arrays, or contains.',
    )
  }

  for (let from = 0; from < exchanges.length; from += BATCH) {
    // Read outside the task, because what is stopped halfway may leave a cache incomplete.
    let entries = exchanges.slice(from, from + BATCH).map(({ entry }) => entry)
    while (entries.length > 0) {
      const matched = matchSome(entries)
      entries = entries.slice(matched.length)
      yield* matched
      if (slice.isOver()) await slice.next()
    }
  }
}

/**
 * A pattern for one text of a request, with exactly one of these operators. Regular expressions must match the whole text.
 *
 * @example { contains: 'linen' }
 */
export type ValuePatternSource =
  | { readonly equalTo: string; readonly caseInsensitive?: boolean }
  | { readonly contains: string }
  | { readonly doesNotContain: string }
  | { readonly matches: string }
  | { readonly doesNotMatch: string }
  | { readonly absent: boolean }
  | {
      /** A JSON value, or JSON text. */
      readonly equalToJson: unknown
      readonly ignoreArrayOrder?: boolean
      readonly ignoreExtraElements?: boolean
    }

type NamedPattern = Readonly<Record<string, ValuePatternSource>>

/**
 * A WireMock request pattern. All members must match; `{}` matches every request. `url`, `urlPath`, `urlPattern` and
 * `urlPathPattern` are mutually exclusive, and can be written with or without the session's prefix.
 *
 * @example
 * const pattern: RequestPattern = {
 *   method: 'POST',
 *   urlPath: '/acme/resource',
 *   bodyPatterns: [{ equalToJson: { key: 'linen-shirt' }, ignoreExtraElements: true }],
 * }
 */
export interface PatternSource {
  /** `ANY` matches every method. */
  readonly method?: string
  /** Path and query. */
  readonly url?: string
  readonly urlPath?: string
  /** A regular expression for path and query. */
  readonly urlPattern?: string
  /** A regular expression for the path. */
  readonly urlPathPattern?: string
  readonly operation?: CalledOperation
  /** Whether the client left before it had the whole response. */
  readonly clientLeft?: boolean
  readonly queryParameters?: NamedPattern
  readonly headers?: NamedPattern
  readonly cookies?: NamedPattern
  readonly bodyPatterns?: readonly ValuePatternSource[]
}
