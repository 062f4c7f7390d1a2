import { operationIds } from '../contract/endpoints.ts'
import { parseRawQuery } from '../http/query.ts'
import type { RawQuery } from '../http/query.ts'
import type { JournalEntry, KeptBody } from './entry.ts'
import type { Effort } from '../query/effort.ts'
import { compileExpression } from './expressions.ts'
import { toCutNote } from './kept-body.ts'
import { expectKnown, malformed, parseObject, parseText, show } from './pattern-json.ts'
import { toCookiePairs, toTarget } from './target.ts'
import type { Target } from './target.ts'
import { measureText, parseValuePattern } from './value-patterns.ts'
import type { ValuePattern } from './value-patterns.ts'

/** What patterns look at in an entry. */
export interface CheckInput {
  readonly method: string
  readonly operation: string | undefined
  readonly target: Target
  readonly query: RawQuery
  readonly headers: ReadonlyMap<string, string>
  readonly cookies: ReadonlyMap<string, string>
  readonly body: KeptBody | undefined
}

/** One thing that a pattern says of a request. */
export interface RequestCheck {
  readonly member: string
  readonly expected: unknown
  /** How much it counts in the distance of the whole. */
  readonly weight: number
  readonly judge: (input: CheckInput) => { readonly distance: number; readonly actual: unknown }
}

/** The address tells requests apart best, then the method. */
const ADDRESS_WEIGHT = 10
const METHOD_WEIGHT = 3

/** Long texts are shown by their beginning. */
const SHOWN_CHARACTERS = 500

const shorten = (text: string): string =>
  text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)]

/** The path as sent, and the service's own: a pattern may name either. */
const toPaths = ({ sentPath, path }: Target): readonly string[] => unique([sentPath, path])
const toUrls = ({ sent, path, search }: Target): readonly string[] => unique([sent, path + search])

type Measure = (text: string) => number

const toAddressCheck =
  (
    parse: (text: string, member: string, effort: Effort) => Measure,
    candidates: (target: Target) => readonly string[],
  ) =>
  (json: unknown, member: string, effort: Effort): readonly RequestCheck[] => {
    const expected = parseText(json, member)
    const measure = parse(expected, member, effort)
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

function matching(expression: string, member: string, effort: Effort): Measure {
  const matches = compileExpression(expression, member, effort)
  return (text) => (matches(text) ? 0 : 1)
}

/** How WireMock says where a request goes. */
const addressChecks = new Map([
  ['url', toAddressCheck(equal, toUrls)],
  ['urlPath', toAddressCheck(equal, toPaths)],
  ['urlPattern', toAddressCheck(matching, toUrls)],
  ['urlPathPattern', toAddressCheck(matching, toPaths)],
])

function parseMethod(json: unknown, member: string): readonly RequestCheck[] {
  const expected = parseText(json, member).toUpperCase()
  if (expected === 'ANY') return []
  const judge = ({ method }: CheckInput) => ({
    distance: method.toUpperCase() === expected ? 0 : 1,
    actual: method,
  })
  return [{ member, expected, weight: METHOD_WEIGHT, judge }]
}

function parseOperation(json: unknown, member: string): readonly RequestCheck[] {
  const expected = parseText(json, member)
  expectKnown(expected, operationIds, member, 'operation')
  const judge = ({ operation }: CheckInput) => ({
    distance: operation === expected ? 0 : 1,
    actual: operation ?? null,
  })
  return [{ member, expected, weight: METHOD_WEIGHT, judge }]
}

/** One pattern a name; of several values one must match. */
const toNamedChecks =
  (toValues: (input: CheckInput, name: string) => readonly string[] | undefined) =>
  (json: unknown, member: string, effort: Effort): readonly RequestCheck[] =>
    Object.entries(parseObject(json, member)).map(([name, value]) => {
      const path = `${member}.${name}`
      const pattern = parseValuePattern(value, path, effort)
      return {
        member: path,
        expected: pattern.source,
        weight: 1,
        judge: (input) => {
          const values = toValues(input, name)
          if (values === undefined) return { distance: pattern.missing, actual: null }
          const actual = values.map(shorten)
          return {
            distance: Math.min(...values.map(pattern.measure)),
            actual: actual.length === 1 ? actual[0] : actual,
          }
        },
      }
    })

const toList = (value: string | undefined): readonly string[] | undefined => (value === undefined ? undefined : [value])

/** The operator `absent` asks whether there is a body; to all others no body is an empty one. */
function measureBody(pattern: ValuePattern, body: KeptBody | undefined): number {
  if (body !== undefined) return pattern.measure(body.text)
  return pattern.operator === 'absent' ? pattern.missing : pattern.measure('')
}

function showBody(body: KeptBody | undefined): string | null {
  if (body === undefined) return null
  return body.isCut ? `${shorten(body.text)} (${toCutNote(body)})` : shorten(body.text)
}

function parseBodyPatterns(json: unknown, member: string, effort: Effort): readonly RequestCheck[] {
  if (!Array.isArray(json)) throw malformed(member, `expected an array of patterns, got ${show(json)}.`)
  return json.map((one: unknown, index): RequestCheck => {
    const path = `${member}[${index}]`
    const pattern = parseValuePattern(one, path, effort)
    const judge = ({ body }: CheckInput) => ({ distance: measureBody(pattern, body), actual: showBody(body) })
    return { member: path, expected: pattern.source, weight: 1, judge }
  })
}

/** At most one of these is in a pattern. */
export const addressMembers: readonly string[] = [...addressChecks.keys()]

/** What each member of a request pattern says. */
export const requestMembers = new Map<
  string,
  (json: unknown, member: string, effort: Effort) => readonly RequestCheck[]
>([
  ['method', parseMethod],
  ...addressChecks,
  ['operation', parseOperation],
  ['queryParameters', toNamedChecks(({ query }, name) => query.get(name))],
  ['headers', toNamedChecks(({ headers }, name) => toList(headers.get(name.toLowerCase())))],
  ['cookies', toNamedChecks(({ cookies }, name) => toList(cookies.get(name)))],
  ['bodyPatterns', parseBodyPatterns],
])

/** Reads from an entry what patterns look at, once for all checks. */
export function toCheckInput({ operation, request }: JournalEntry): CheckInput {
  const target = toTarget(request.url)
  return {
    method: request.method,
    operation,
    target,
    query: parseRawQuery(target.search),
    headers: new Map(Object.entries(request.headers)),
    cookies: new Map(toCookiePairs(request.headers.cookie)),
    body: request.body,
  }
}
