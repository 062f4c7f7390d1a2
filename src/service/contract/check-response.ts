import type * as z from 'zod'
import { decision } from './decisions.ts'
import type { DecisionId } from './decisions.ts'
import { documentedStatuses, errorCodes, errorStatusesOf } from './error-responses.ts'
import { int64, arrayNames, isIntegral } from './models.ts'
import { errorEnvelope, pagedResult, queryResult, readPage, searchResult } from './results.ts'
import { responseHeaders, headersOf, headersOfError } from './endpoint.ts'
import type { Endpoint, ResponseHeader, ResponseHeaderName, ResponseSpec } from './endpoint.ts'
import { isJsonObject, parseLosslessly, stringifyJson, parseJson, toPath, valueAt } from '../http/json.ts'
import { decodePercent } from '../http/request-head.ts'
import { Problem } from '../../errors.ts'
import { decodeUtf8 } from '../http/body.ts'
import { findIssues, guardOf, MAX_ERRORS, toExpected } from './check.ts'

/** A part of a response that violates the contract. */
export interface Violation {
  /** `status`, `headers.ETag`, `body.results[0].version`. */
  readonly path: string
  /** A noun: `JSON Integer`, `"1", the version of the body`. */
  readonly expected: string
  /** A value as JSON, or a noun such as `nothing`. */
  readonly actual: string
  /** Undefined if the specification itself is violated, or no single decision. */
  readonly decision?: DecisionId
  /** All except the path, as a sentence. */
  readonly message: string
}

export const toViolation = (path: string, expected: string, actual: string, decision?: DecisionId): Violation => ({
  path,
  expected,
  actual,
  ...(decision === undefined ? {} : { decision }),
  message: `expected ${expected}, got ${actual}${decision === undefined ? '' : ` (${decision})`}.`,
})

const LONGEST_ACTUAL = 200

/** Formats a value for a violation: JSON, truncated; `nothing` if undefined. */
export function showBriefly(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = stringifyJson(value)
  return text.length > LONGEST_ACTUAL ? `${text.slice(0, LONGEST_ACTUAL)}…` : text
}

/** A violation unless a condition holds. */
const find = (isRight: boolean, ...about: Parameters<typeof toViolation>): readonly Violation[] =>
  isRight ? [] : [toViolation(...about)]

/** A condition, and the violation if it does not hold. */
type CheckedCondition = readonly [isRight: boolean, path: string, expected: string, actual: unknown]

const findBrokenConditions = (rules: readonly CheckedCondition[], by?: DecisionId): readonly Violation[] =>
  rules.flatMap(([isRight, path, expected, actual]) => find(isRight, path, expected, showBriefly(actual), by))

const isEqualInteger = (value: unknown, expected: number | bigint): boolean =>
  isIntegral(value) && BigInt(value) === BigInt(expected)

/** What a request says about its response. */
export interface ExpectedByRequest {
  readonly page?:
    | {
        readonly limit: number
        readonly offset: number
        readonly withTotal: boolean
        readonly facets?: ReadonlySet<string> | undefined
      }
    | undefined
  /** The project of the resource, and its id as in the path. */
  readonly project?: string
  readonly id?: string | undefined
  /** The version after the request, and the decision that defines it. */
  readonly version?: readonly [decision: DecisionId, version: number | bigint] | undefined
  /** The current version, if it is known. */
  readonly current?: number
  /** The version that a conflict rejects. */
  readonly rejected?: number | bigint | undefined
}

/** The result of checking a body against a schema. */
interface Shape {
  readonly violations: readonly Violation[]
  /** Undocumented members, which may be ignored. */
  readonly unknown: readonly Violation[]
}

const UNDOCUMENTED = 'only documented members'

/** Whether a violation is an undocumented member of a body. */
export const isUndocumentedMember = ({ expected }: Violation): boolean => expected === UNDOCUMENTED

const toBodyPath = (path: readonly PropertyKey[]): string => toPath(['body', ...path])

const FITS: Shape = { violations: [], unknown: [] }

/** Checks a body against the schema of a response, with strict types. */
export function checkShape(schema: z.ZodType, body: unknown): Shape {
  if (guardOf(schema)(body)) return FITS
  const { first, count, unknown } = findIssues(schema, body, MAX_ERRORS)
  const violations = first.slice(0, MAX_ERRORS).map((issue) => {
    const value = valueAt(body, issue.path)
    // A container may have secrets.
    const actual = isJsonObject(value) ? 'an object' : Array.isArray(value) ? 'an array' : showBriefly(value)
    return toViolation(toBodyPath(issue.path), toExpected(issue), actual)
  })
  const more = count - MAX_ERRORS
  return {
    violations: [...violations, ...find(more <= 0, 'body', 'valid values', `${more} more invalid ones`)],
    unknown: unknown.map((path) => toViolation(toBodyPath(path), UNDOCUMENTED, showBriefly(path.at(-1)))),
  }
}

/** Finds integers that are written as decimals, such as `12900.0`, which clients with typed integers refuse. */
export function checkIntegers(schema: z.ZodType, text: string): readonly Violation[] {
  if (!/\d(?:\.\d+|[eE][+-]?\d+)\s*[,\]}]/.test(text)) return []
  // With a fraction, it fits only where any number does.
  const written = parseLosslessly(text, (number) => (/[.eE]/.test(number) ? 0.5 : 1))
  return findIssues(schema, written, MAX_ERRORS)
    .first.filter(({ path }) => valueAt(written, path) === 0.5)
    .map(({ path }) => toViolation(toBodyPath(path), 'an integer', 'an integer written as a decimal', decision('D3')))
}

/** The additional member of errors with a code (decisions, "Errors"). */
const memberByCode: Readonly<Partial<Record<string, string>>> = {
  InvalidJsonInput: 'detailedErrorMessage',
  RequiredField: 'field',
  InvalidField: 'field',
}

type Item = z.output<typeof errorEnvelope>['errors'][number]

function checkItem(item: Item, at: number, codes: readonly string[] | undefined): readonly Violation[] {
  const path = `body.errors[${at}]`
  const member = memberByCode[item.code]
  if (codes?.includes(item.code) === false)
    return [toViolation(`${path}.code`, codes.map((code) => showBriefly(code)).join(' or '), showBriefly(item.code))]
  if (member === undefined) return []
  return find(typeof item[member] === 'string', `${path}.${member}`, 'JSON String', showBriefly(item[member]))
}

/** A conflict names the current version, which is not that of the request (specification 7). */
export function checkConflict(body: unknown, { current, rejected }: ExpectedByRequest): readonly Violation[] {
  const path = 'body.errors[0].currentVersion'
  const found = valueAt(body, ['errors', 0, 'currentVersion'])
  const isCurrent = current === undefined ? int64.safeParse(found).success : isEqualInteger(found, current)
  const isOther = rejected === undefined || !isEqualInteger(found, rejected)
  return findBrokenConditions([
    [isCurrent, path, `${current ?? 'the current version'}, as an integer`, found],
    [isOther, path, 'a version other than that of the request', found],
  ])
}

/**
 * Checks the envelope of an error: repeated values are equal, and each code has its status and members (decisions,
 * "Errors"). Authorization errors also have the OAuth members.
 *
 * @param codes the valid codes
 */
export function checkEnvelope(
  body: unknown,
  status: number,
  codes: readonly string[] | undefined = errorCodes[status],
  asked: ExpectedByRequest = {},
): readonly Violation[] {
  const { data } = errorEnvelope.safeParse(body)
  if (data === undefined) return checkShape(errorEnvelope, body).violations
  const { statusCode, message, errors, error, error_description: description } = data
  // OAuth error codes are lower case; all others are not.
  const oauthCode = codes?.find((code) => /^[a-z_]+$/.test(code))
  const isPlain = oauthCode === undefined
  const [first] = errors
  return [
    ...findBrokenConditions([
      [isEqualInteger(statusCode, status), 'body.statusCode', `${status}, the status`, statusCode],
      [message === first?.message, 'body.message', `${showBriefly(first?.message)}, as in the first error`, message],
    ]),
    ...errors.flatMap((item, at) => checkItem(item, at, codes)),
    ...(status === 409 ? checkConflict(body, asked) : []),
    ...findBrokenConditions(
      [
        [isPlain || error === oauthCode, 'body.error', showBriefly(oauthCode), error],
        [isPlain || typeof description === 'string', 'body.error_description', 'JSON String', description],
      ],
      decision('D33'),
    ),
  ]
}

/**
 * Checks a resource against the headers of its response (D5), if they are documented and sent, and against its request.
 */
export function checkResource(
  body: unknown,
  headers: Headers,
  names: readonly ResponseHeaderName[],
  asked: ExpectedByRequest = {},
): readonly Violation[] {
  const [version, ownId] = [valueAt(body, ['version']), valueAt(body, ['id'])]
  const id = typeof ownId === 'string' ? ownId : asked.id
  const etag = names.includes('ETag') ? headers.get('ETag') : null
  const isTag = responseHeaders.ETag.schema.safeParse(etag).success
  const isStale = isTag && isIntegral(version) && etag !== `"${version}"`
  const end = `${asked.project === undefined ? '' : `/${asked.project}/resource`}/${id}`
  const toLocationRule = (name: ResponseHeaderName): CheckedCondition => {
    const location = names.includes(name) ? headers.get(name) : null
    const path = decodePercent(location?.split(/[?#]/, 1)[0] ?? '')
    const isRight = id === undefined || location === null || path.endsWith(end)
    return [isRight, `headers.${name}`, `a path that ends with ${end}`, location]
  }
  const [by, after] = asked.version ?? []
  const isOpen = after === undefined || version === undefined
  const isSame = asked.id === undefined || ownId === undefined || ownId === asked.id
  return [
    ...findBrokenConditions(
      [
        [!isStale, 'headers.ETag', `"${showBriefly(version)}", the version of the body`, etag],
        toLocationRule('Location'),
        toLocationRule('Content-Location'),
        [isSame, 'body.id', `${showBriefly(asked.id)}, as in the path`, ownId],
      ],
      decision('D5'),
    ),
    ...findBrokenConditions(
      [[isOpen || isEqualInteger(version, after), 'body.version', `${after} after this request`, version]],
      by,
    ),
  ]
}

/** Checks that a page has the requested facets, and no others. */
function checkFacets(requested: ReadonlySet<string>, facets: unknown): readonly Violation[] {
  const found = Object.keys(facets ?? {})
  const isRight = found.length === requested.size && found.every((name) => requested.has(name))
  return find(isRight, 'body.facets', `the facets ${showBriefly([...requested])}`, showBriefly(found), decision('D14'))
}

/** Checks the numbers of a page against its results, each other and the request. */
export function checkPage(
  body: unknown,
  by: DecisionId,
  { page: asked }: ExpectedByRequest = {},
): readonly Violation[] {
  const { limit, offset, count, total, facets, results } = readPage(body) ?? {}
  if (results === undefined) return [toViolation('body', 'a page', 'another body', by)]
  const found = results.length
  const end = Number(asked?.offset ?? offset) + found
  const most = Number(asked?.limit ?? limit)
  const rules: readonly CheckedCondition[] = [
    [asked === undefined || isEqualInteger(limit, asked.limit), 'body.limit', `${asked?.limit}, as requested`, limit],
    [
      asked === undefined || isEqualInteger(offset, asked.offset),
      'body.offset',
      `${asked?.offset}, as requested`,
      offset,
    ],
    [isEqualInteger(count, found), 'body.count', `${found}, the length of results`, count],
    [!(found > most), 'body.results', `at most ${most} results, the value of limit`, found],
    [total !== undefined || asked?.withTotal !== true, 'body.total', 'the total', total],
    [total === undefined || asked?.withTotal !== false, 'body.total', 'nothing with withTotal=false', total],
    [!(found > 0 && Number(total) < end), 'body.total', `at least ${end}, the sum of offset and count`, total],
    [
      !(found < most && Number(total) > end),
      'body.total',
      `at most ${end}, as there are fewer results than limit`,
      total,
    ],
  ]
  return [...findBrokenConditions(rules, by), ...(asked?.facets === undefined ? [] : checkFacets(asked.facets, facets))]
}

/** The decision behind each page schema. */
const decisionBySchema = new Map<z.ZodType, DecisionId>([
  [queryResult, decision('D10')],
  [searchResult, decision('D14')],
  [pagedResult, decision('D20')],
])

/** The arrays of a query's response are those of its first result, or empty without results (D10). */
const checkArrays = (body: unknown): readonly Violation[] =>
  arrayNames.flatMap((name) => {
    const isEmpty = valueAt(body, ['results', 0]) === undefined
    const expected = isEmpty ? [] : valueAt(body, ['results', 0, 'objectTypeProperty', name])
    const actual = valueAt(body, [name])
    const isRight = stringifyJson(expected) === stringifyJson(actual)
    const noun = isEmpty ? 'an empty array' : 'the array of the first result'
    return find(isRight, `body.${name}`, noun, actual === undefined ? 'nothing' : 'another array', decision('D10'))
  })

/** An operation's response, with its body read. */
export interface Answered {
  readonly status: number
  readonly headers: Headers
  /** Undefined if there is none, as with HEAD. */
  readonly body: string | Uint8Array | undefined
}

/** The documented response of an endpoint for a status; undefined if it is not documented. */
export function findDocumented(endpoint: Endpoint, status: number): ResponseSpec | undefined {
  const isError = errorStatusesOf(endpoint).includes(status)
  const own = endpoint.responses[status]
  if (own === undefined && !isError) return undefined
  return {
    description: own?.description ?? 'An error',
    ...own,
    ...(isError ? { schema: errorEnvelope } : {}),
    headers: [...new Set([...(own === undefined ? [] : headersOf(own)), ...(isError ? headersOfError(status) : [])])],
  }
}

/** A response selected by `Prefer` is not about a stored resource, so headers cannot describe one (D66). */
const isPreferred = (headers: Headers): boolean => /code=|dynamic=/.test(headers.get('Preference-Applied') ?? '')

export function checkHeader(name: ResponseHeaderName, headers: Headers): readonly Violation[] {
  const { schema, optional, decision, example }: ResponseHeader = responseHeaders[name]
  const value = headers.get(name)
  const path = `headers.${name}`
  if (value !== null)
    return find(schema.safeParse(value).success, path, `a value such as ${example}`, showBriefly(value))
  return find(optional === true || (decision === 'D5' && isPreferred(headers)), path, 'a value', 'nothing')
}

function checkContent(
  { schema, headers: names = [] }: ResponseSpec,
  { status, body, headers }: Answered,
  asked: ExpectedByRequest,
): readonly Violation[] {
  if (body === undefined) return []
  if (schema === undefined) return [toViolation('body', 'nothing, as no body is documented', 'a body')]
  const type = headers.get('Content-Type')
  const isJson = type?.split(';')[0]?.trim().toLowerCase() === 'application/json'
  const wrongType = find(isJson, 'headers.Content-Type', 'application/json', type ?? 'nothing')
  if (wrongType.length > 0) return wrongType
  let text: string
  let value: unknown
  try {
    text = typeof body === 'string' ? body : decodeUtf8(body)
    value = parseJson(text)
  } catch (fault) {
    if (!(fault instanceof Problem)) throw fault
    const { detailedErrorMessage = fault.message } = fault.errors[0]
    return [toViolation('body', 'JSON', `text that is not JSON (${detailedErrorMessage.replace(/\.$/, '')})`)]
  }
  if (schema === errorEnvelope) return checkEnvelope(value, status, undefined, asked)
  const { violations, unknown } = checkShape(schema, value)
  const by = decisionBySchema.get(schema)
  return [
    ...violations,
    ...unknown,
    ...(violations.length > 0 ? [] : checkIntegers(schema, text)),
    ...(violations.length > 0 || isPreferred(headers)
      ? []
      : [
          ...(by === undefined ? [] : checkPage(value, by, asked)),
          ...(schema === queryResult ? checkArrays(value) : []),
          ...checkResource(value, headers, names, asked),
        ]),
  ]
}

/** A 405 lists the allowed methods (D24; RFC 9110, section 15.5.6). */
export const checkAllow = (status: number, headers: Headers): readonly Violation[] =>
  find(status !== 405 || headers.has('Allow'), 'headers.Allow', 'the allowed methods', 'nothing', decision('D24'))

/**
 * Checks an operation's response against the endpoint table and its request: status, headers and body. A missing body is a
 * violation if one is documented, unless `method` is HEAD.
 *
 * @example findViolations(endpoints.getResourceById, 'GET', { status: 200, headers, body: '{"version":1}' })
 */
export function findViolations(
  endpoint: Endpoint,
  method: string,
  answered: Answered,
  asked: ExpectedByRequest = {},
): readonly Violation[] {
  const { status, headers, body } = answered
  const documented = findDocumented(endpoint, status)
  if (documented === undefined) {
    const known = documentedStatuses(endpoint).join(', ')
    return [toViolation('status', `a documented status (${known})`, String(status)), ...checkAllow(status, headers)]
  }
  const { headers: names = [] } = documented
  const isMissing = method !== 'HEAD' && documented.schema !== undefined && body === undefined
  return [
    ...names.flatMap((name) => checkHeader(name, headers)),
    ...find(!isMissing, 'body', 'a body', 'nothing'),
    ...checkContent(documented, answered, asked),
  ]
}
