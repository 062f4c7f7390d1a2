import { Problem } from '../errors.ts'
import type { ErrorItem } from '../errors.ts'
import { toText } from '../http/body.ts'
import { parseJson } from '../http/json.ts'
import { check } from './check.ts'
import { checkEnvelope } from './check-envelope.ts'
import { checkIdentity } from './check-identity.ts'
import { checkPage } from './check-page.ts'
import { decision } from './decisions.ts'
import type { Endpoint, ResponseSpec } from './endpoint.ts'
import { errorStatusesOf } from './error-responses.ts'
import { errorHeaders, responseHeaders } from './response-headers.ts'
import type { ResponseHeader, ResponseHeaderName } from './response-headers.ts'
import { errorEnvelope } from './results.ts'
import { toDecided } from './violation.ts'
import type { Violation } from './violation.ts'

/** What an operation answered, its body read. */
export interface Answered {
  readonly status: number
  readonly headers: Headers
  /** Undefined for none, as HEAD has it. */
  readonly body: string | Uint8Array | undefined
}

/** What an endpoint documents of a status; undefined for one that it does not answer. */
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

/** An answer that the request preferred is of no resource that headers could tell of (D66). */
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

/** The path leads the sentence of a fault, and stands alone in `field` where there is one. */
function toViolation({ field, message, detailedErrorMessage = message }: ErrorItem): Violation {
  const path = typeof field === 'string' ? field : (/^\S+(?=: )/.exec(detailedErrorMessage)?.[0] ?? 'body')
  const sentence = detailedErrorMessage.startsWith(`${path}: `)
    ? detailedErrorMessage.slice(path.length + 2)
    : detailedErrorMessage
  return { path, message: sentence }
}

function parseBody(body: string | Uint8Array): unknown {
  return parseJson(typeof body === 'string' ? body : toText(body))
}

function checkContent(
  { schema, headers: names = [] }: ResponseSpec,
  { status, body, headers }: Answered,
): readonly Violation[] {
  if (body === undefined) return []
  if (schema === undefined) return [{ path: 'body', message: 'no body is documented.' }]
  if (!/^application\/json\b/.test(headers.get('Content-Type') ?? '')) {
    return [{ path: 'headers.Content-Type', message: 'application/json expected.' }]
  }
  let value: unknown
  try {
    value = parseBody(body)
  } catch (fault) {
    if (!(fault instanceof Problem)) throw fault
    return [{ path: 'body', message: fault.errors[0].detailedErrorMessage ?? fault.message }]
  }
  const { faults, unknown } = check(schema, value, ['body'])
  const isSound = faults.length === 0 && !isPreferred(headers)
  return [
    ...faults.map(toViolation),
    ...unknown.map((path) => ({ path, message: 'is not documented.' })),
    ...(schema === errorEnvelope ? checkEnvelope(value, status) : []),
    ...(isSound ? [...checkPage(schema, value), ...checkIdentity(names, headers, value)] : []),
  ]
}

/** A refused method comes with those that are allowed (D24; RFC 9110, section 15.5.6). */
export const checkAllow = (status: number, headers: Headers): readonly Violation[] =>
  status === 405 && !headers.has('Allow') ? [toDecided(decision('D24'), 'headers.Allow', 'Missing')] : []

/**
 * Holds an answer of an operation to the endpoint table: its status, headers and body. A body that is missing where one
 * is documented is a violation unless `method` is HEAD.
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
