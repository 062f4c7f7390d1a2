import * as z from 'zod'
import { decision } from './decisions.ts'
import type { DecisionId } from './decisions.ts'
import { errorCodes, errorStatusesOf } from './error-responses.ts'
import { int64, int32, arrayNames, arrayTestType } from './models.ts'
import { errorEnvelope, pagedResult, queryResult, searchResult } from './results.ts'
import { responseHeaders, errorHeaders } from './endpoint.ts'
import type { Endpoint, ResponseHeader, ResponseHeaderName, ResponseSpec } from './endpoint.ts'
import { stringifyJson, parseJson } from '../http/json.ts'
import { decodePercent } from '../http/request-head.ts'
import { Problem } from '../errors.ts'
import type { ErrorItem } from '../errors.ts'
import { toText } from '../http/body.ts'
import { check } from './check.ts'

/** A part of a response that violates the contract. Paths: `status`, `headers.ETag`, `body.results[0].version`. */
export interface Violation {
  readonly path: string
  /** The message, without the path. */
  readonly message: string
  /** Undefined if the specification itself is violated, or no single decision. */
  readonly decision?: DecisionId
}

/** A violation of a decision; the message names it. */
export const toDecided = (decision: DecisionId, path: string, message: string): Violation => ({
  path,
  message: `${message} (${decision}).`,
  decision,
})

type Item = z.output<typeof errorEnvelope>['errors'][number]

/** The additional member of errors with a code (decisions, "Errors"). */
export const memberByCode: Readonly<Partial<Record<string, string>>> = {
  InvalidJsonInput: 'detailedErrorMessage',
  RequiredField: 'field',
  InvalidField: 'field',
}

function checkItem(item: Item, at: number, status: number): readonly Violation[] {
  const path = `body.errors[${at}]`
  const codes = errorCodes[status]
  if (codes !== undefined && !codes.includes(item.code)) {
    const expected = codes.map((code) => JSON.stringify(code)).join(', ')
    return [{ path: `${path}.code`, message: `${expected} expected with status ${status} (decisions, "Errors").` }]
  }
  const member = memberByCode[item.code]
  if (member === undefined || typeof item[member] === 'string') return []
  return [{ path: `${path}.${member}`, message: `JSON String expected with ${item.code} (decisions, "Errors").` }]
}

/** A conflict names the current version (specification 7). */
function checkConflict([first]: readonly Item[]): readonly Violation[] {
  if (int64.safeParse(first?.['currentVersion']).success) return []
  return [
    {
      path: 'body.errors[0].currentVersion',
      message: 'actual version expected, as an integer (decisions, "Errors").',
    },
  ]
}

/** Authorization errors also have the OAuth members. */
const checkOAuth = (envelope: Readonly<Record<string, unknown>>): readonly Violation[] =>
  ['error', 'error_description']
    .filter((name) => typeof envelope[name] !== 'string')
    .map((name) => toDecided(decision('D33'), `body.${name}`, 'JSON String expected'))

/** Repeated values in the envelope are equal, and each code has its status and members (decisions, "Errors"). */
function checkEnvelope(value: unknown, status: number): readonly Violation[] {
  const { success, data } = errorEnvelope.safeParse(value)
  if (!success) return []
  const { statusCode, message, errors } = data
  return [
    ...(statusCode === status
      ? []
      : [{ path: 'body.statusCode', message: `${status} expected, the status of the response.` }]),
    ...(message === errors[0]?.message
      ? []
      : [{ path: 'body.message', message: 'the message of the first error expected.' }]),
    ...errors.flatMap((item, at) => checkItem(item, at, status)),
    ...(status === 409 ? checkConflict(errors) : []),
    ...(status === 401 || status === 403 ? checkOAuth(data) : []),
  ]
}

/** The parts of a resource that other parts of an exchange repeat. */
export const versionedResource = z.looseObject({ version: int64, id: z.string().optional() })

const LOCATION_HEADERS = ['Location', 'Content-Location'] as const

const findLastSegment = (place: string): string | undefined =>
  decodePercent(place.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? '')

/** Checks the headers about a resource against the one in the body (D5), if they are documented and sent. */
function checkIdentity(names: readonly ResponseHeaderName[], headers: Headers, value: unknown): readonly Violation[] {
  const { data } = versionedResource.safeParse(value)
  if (data === undefined) return []
  const { version, id } = data
  const etag = names.includes('ETag') ? headers.get('ETag') : null
  const isStale = responseHeaders.ETag.schema.safeParse(etag).success && etag !== `"${version}"`
  const locations = LOCATION_HEADERS.filter((name) => names.includes(name) && headers.has(name))
  return [
    ...(isStale ? [toDecided(decision('D5'), 'headers.ETag', `"${version}" expected, the version of the body`)] : []),
    ...locations
      .filter((name) => id !== undefined && findLastSegment(headers.get(name) ?? '') !== id)
      .map((name) => toDecided(decision('D5'), `headers.${name}`, 'the id of the body expected as the last segment')),
  ]
}

/** The decision behind each page schema. */
const decisionBySchema = new Map<z.ZodType, DecisionId>([
  [queryResult, decision('D10')],
  [searchResult, decision('D14')],
  [pagedResult, decision('D20')],
])

const page = z.looseObject({
  limit: int32,
  offset: int32,
  count: int32,
  total: int32.optional(),
  results: z.array(z.looseObject({ objectTypeProperty: z.looseObject(arrayTestType.shape).optional() })),
})

/** The arrays of a query's response are those of its first result, or empty without results (D10). */
function checkArrays(value: z.output<typeof page>): readonly Violation[] {
  const [first] = value.results
  return arrayNames
    .filter((name) => {
      const expected = first === undefined ? [] : first.objectTypeProperty?.[name]
      return stringifyJson(value[name]) !== stringifyJson(expected)
    })
    .map((name) => {
      const expected = first === undefined ? 'an empty array' : 'the array of the first result'
      return toDecided(decision('D10'), `body.${name}`, `${expected} expected`)
    })
}

/** Checks the numbers of a page against its results and each other; ignores values that are not pages. */
function checkPage(schema: z.ZodType, value: unknown): readonly Violation[] {
  const id = decisionBySchema.get(schema)
  const { data } = page.safeParse(value)
  if (id === undefined || data === undefined) return []
  const [limit, offset, count] = [Number(data.limit), Number(data.offset), Number(data.count)]
  const { results, total } = data
  const end = offset + count
  return [
    ...(count === results.length
      ? []
      : [toDecided(id, 'body.count', `${results.length} expected, the length of results`)]),
    ...(results.length <= limit
      ? []
      : [toDecided(id, 'body.results', `at most ${limit} expected, the value of limit`)]),
    ...(total !== undefined && count > 0 && total < end
      ? [toDecided(id, 'body.total', `at least ${end} expected, the sum of offset and count`)]
      : []),
    ...(total !== undefined && count < limit && total > end
      ? [toDecided(id, 'body.total', `at most ${end} expected, because the page has fewer results than limit`)]
      : []),
    ...(schema === queryResult ? checkArrays(data) : []),
  ]
}

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
    headers: ['X-Correlation-ID', ...(own?.headers ?? []), ...(isError ? (errorHeaders[status] ?? []) : [])],
  }
}

/** A response selected by `Prefer` is not about a stored resource, so headers cannot describe one (D66). */
const isPreferred = (headers: Headers): boolean => /code=|dynamic=/.test(headers.get('Preference-Applied') ?? '')

function checkHeader(name: ResponseHeaderName, headers: Headers): readonly Violation[] {
  const { schema, optional, decision }: ResponseHeader = responseHeaders[name]
  const value = headers.get(name)
  const path = `headers.${name}`
  if (value === null) {
    const isMissing = optional !== true && !(decision === 'D5' && isPreferred(headers))
    return isMissing ? [{ path, message: 'Missing required header.' }] : []
  }
  return schema.safeParse(value).success ? [] : [{ path, message: `unexpected value ${JSON.stringify(value)}.` }]
}

/** Moves the path at the start of an error's message to `path`; `field` takes precedence. */
function toViolation({ field, message, detailedErrorMessage = message }: ErrorItem): Violation {
  const path = typeof field === 'string' ? field : (/^\S+(?=: )/.exec(detailedErrorMessage)?.[0] ?? 'body')
  const sentence = detailedErrorMessage.startsWith(`${path}: `)
    ? detailedErrorMessage.slice(path.length + 2)
    : detailedErrorMessage
  return { path, message: sentence }
}

/** Whether the `Content-Type` is `application/json`; its parameters mean nothing (RFC 8259, section 11). */
export const isJsonResponse = (headers: Headers): boolean =>
  headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase() === 'application/json'

function checkContent(
  { schema, headers: names = [] }: ResponseSpec,
  { status, body, headers }: Answered,
): readonly Violation[] {
  if (body === undefined) return []
  if (schema === undefined) return [{ path: 'body', message: 'a body is not documented.' }]
  if (!isJsonResponse(headers)) {
    return [{ path: 'headers.Content-Type', message: 'application/json expected.' }]
  }
  let value: unknown
  try {
    value = parseJson(typeof body === 'string' ? body : toText(body))
  } catch (fault) {
    if (!(fault instanceof Problem)) throw fault
    return [{ path: 'body', message: fault.errors[0].detailedErrorMessage ?? fault.message }]
  }
  const { problems, unknown } = check(schema, value, ['body'])
  const isSound = problems.length === 0 && !isPreferred(headers)
  return [
    ...problems.map(toViolation),
    ...unknown.map((path) => ({ path, message: 'is not documented.' })),
    ...(schema === errorEnvelope ? checkEnvelope(value, status) : []),
    ...(isSound ? [...checkPage(schema, value), ...checkIdentity(names, headers, value)] : []),
  ]
}

/** A 405 lists the allowed methods (D24; RFC 9110, section 15.5.6). */
export const checkAllow = (status: number, headers: Headers): readonly Violation[] =>
  status === 405 && !headers.has('Allow') ? [toDecided(decision('D24'), 'headers.Allow', 'Missing')] : []

/**
 * Checks an operation's response against the endpoint table: status, headers and body. A missing body is a violation if one
 * is documented, unless `method` is HEAD.
 *
 * @example findViolations(endpoints.getResourceById, 'GET', { status: 200, headers, body: '{"version":1}' })
 */
export function findViolations(endpoint: Endpoint, method: string, answered: Answered): readonly Violation[] {
  const { status, headers, body } = answered
  const documented = findDocumented(endpoint, status)
  if (documented === undefined) {
    return [{ path: 'status', message: `${status} is not documented.` }, ...checkAllow(status, headers)]
  }
  const { headers: names = [] } = documented
  const isMissing = method !== 'HEAD' && documented.schema !== undefined && body === undefined
  return [
    ...names.flatMap((name) => checkHeader(name, headers)),
    ...(isMissing ? [{ path: 'body', message: 'Missing.' }] : checkContent(documented, answered)),
  ]
}
