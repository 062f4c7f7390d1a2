import { calledOperations } from '../../service/contract/endpoints.ts'
import type { CalledOperation } from '../../service/contract/endpoints.ts'
import { parseRawQuery } from '../../service/http/request-head.ts'
import type { RawQuery } from '../../service/http/request-head.ts'
import { compileExpression } from './expressions.ts'
import { toCutNote } from './record.ts'
import {
  expectKnown,
  malformedPattern,
  parseObject,
  parsePatternJson,
  show,
  parseMembers,
  measureText,
  parseValuePattern,
} from './value-patterns.ts'
import { toCookiePairs, toTarget } from './target.ts'
import type { Target } from './target.ts'
import type { ValuePattern } from './value-patterns.ts'
import type { JournalEntry } from './record.ts'
import type { KeptBody } from './redact.ts'
import { MAX_CONDITIONS } from '../../service/http/sizes.ts'
import { timeSlices } from '../../util/time-slices.ts'

/** The parts of an entry that patterns can match. */
export interface CheckInput {
  readonly method: string
  readonly operation: string | undefined
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
  /** Weight in the overall distance. */
  readonly weight: number
  readonly judge: (input: CheckInput) => { readonly distance: number; readonly actual: unknown }
}

/** The address identifies a request best, followed by the method. */
const ADDRESS_WEIGHT = 10
const METHOD_WEIGHT = 3

/** Longer texts are truncated in messages. */
const SHOWN_CHARACTERS = 500

const shortenPattern = (text: string): string =>
  text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)]

/** The path as sent, and the service's path without a prefix: a pattern may use either. */
const toMatchedPaths = ({ sentPath, path }: Target): readonly string[] => unique([sentPath, path])
const toUrls = ({ sent, path, search }: Target): readonly string[] => unique([sent, path + search])

type Measure = (text: string) => number

const toAddressCheck =
  (parse: (text: string, member: string) => Measure, candidates: (target: Target) => readonly string[]) =>
  (json: unknown, member: string): readonly RequestCheck[] => {
    const expected = parsePatternJson(json, member)
    const measure = parse(expected, member)
    const judge = ({ target }: CheckInput) => ({
      distance: Math.min(...candidates(target).map(measure)),
      actual: candidates(target).at(-1),
    })
    return [{ member, expected, weight: ADDRESS_WEIGHT, judge }]
  }

const equal =
  (expected: string): Measure =>
  (text) =>
    measureText(expected, text)

function matching(expression: string, member: string): Measure {
  const matches = compileExpression(expression, member)
  return (text) => (matches(text) ? 0 : 1)
}

/** WireMock's pattern members for addresses. */
const addressChecks = new Map([
  ['url', toAddressCheck(equal, toUrls)],
  ['urlPath', toAddressCheck(equal, toMatchedPaths)],
  ['urlPattern', toAddressCheck(matching, toUrls)],
  ['urlPathPattern', toAddressCheck(matching, toMatchedPaths)],
])

function parseMethod(json: unknown, member: string): readonly RequestCheck[] {
  const expected = parsePatternJson(json, member).toUpperCase()
  if (expected === 'ANY') return []
  const judge = ({ method }: CheckInput) => ({
    distance: method.toUpperCase() === expected ? 0 : 1,
    actual: method,
  })
  return [{ member, expected, weight: METHOD_WEIGHT, judge }]
}

function parseOperation(json: unknown, member: string): readonly RequestCheck[] {
  const expected = parsePatternJson(json, member)
  expectKnown(expected, calledOperations, member, 'operation')
  const judge = ({ operation }: CheckInput) => ({
    distance: operation === expected ? 0 : 1,
    actual: operation ?? null,
  })
  return [{ member, expected, weight: METHOD_WEIGHT, judge }]
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
        weight: 1,
        judge: (input) => {
          const values = toValues(input, name)
          if (values === undefined) return { distance: pattern.missing, actual: null }
          const actual = values.map(shortenPattern)
          return {
            distance: Math.min(...values.map(pattern.measure)),
            actual: actual.length === 1 ? actual[0] : actual,
          }
        },
      }
    })

const toSingleList = (value: string | undefined): readonly string[] | undefined =>
  value === undefined ? undefined : [value]

/** `absent` tests whether there is a body; other operators treat a missing body as empty. */
function measureBody(pattern: ValuePattern, body: KeptBody | undefined): number {
  if (body !== undefined) return pattern.measure(body.text)
  return pattern.operator === 'absent' ? pattern.missing : pattern.measure('')
}

function showBody(body: KeptBody | undefined): string | null {
  if (body === undefined) return null
  return body.isCut ? `${shortenPattern(body.text)} (${toCutNote(body)})` : shortenPattern(body.text)
}

function parseBodyPatterns(json: unknown, member: string): readonly RequestCheck[] {
  if (!Array.isArray(json)) throw malformedPattern(member, `expected an array of patterns, got ${show(json)}.`)
  return json.map((one: unknown, index): RequestCheck => {
    const path = `${member}[${index}]`
    const pattern = parseValuePattern(one, path)
    const judge = ({ body }: CheckInput) => ({ distance: measureBody(pattern, body), actual: showBody(body) })
    return { member: path, expected: pattern.source, weight: 1, judge }
  })
}

/** Mutually exclusive members. */
export const addressMembers: readonly string[] = [...addressChecks.keys()]

/** Parsers for the members of a request pattern. */
export const requestMembers = new Map<string, (json: unknown, member: string) => readonly RequestCheck[]>([
  ['method', parseMethod],
  ...addressChecks,
  ['operation', parseOperation],
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
 * Matches an entry against a pattern. Redacted values are matched as redacted: a pattern can require a token or a cookie
 * (`{"matches": "Bearer .*"}`), but cannot distinguish one from another.
 *
 * @returns a distance from 0 for a match to 1, the weighted share of the pattern that does not match
 * @throws {Problem} 400 if an expression or an array in any order takes too many steps.
 */
export async function matches(pattern: RequestPattern, entry: JournalEntry) {
  const slice = timeSlices.start()
  const target = toTarget(entry.request.url)
  const input = {
    method: entry.request.method,
    operation: entry.operation,
    target,
    query: parseRawQuery(target.search),
    headers: new Map(Object.entries(entry.request.headers)),
    cookies: new Map(toCookiePairs(entry.request.headers.cookie)),
    body: entry.request.body,
  }
  let missed = 0
  let whole = 0
  const differences: PatternDifference[] = []
  for (const { member, expected, weight, judge } of pattern.checks) {
    const { distance, actual } = judge(input)
    whole += weight
    missed += weight * distance
    if (distance > 0) differences.push({ member, expected, actual })
    if (slice.isOver()) await slice.next()
  }
  return { isMatch: differences.length === 0, distance: whole === 0 ? 0 : missed / whole, differences }
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
  readonly queryParameters?: NamedPattern
  readonly headers?: NamedPattern
  readonly cookies?: NamedPattern
  readonly bodyPatterns?: readonly ValuePatternSource[]
}
