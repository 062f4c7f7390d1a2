import { Problem } from '../errors.ts'
import type { ErrorItem } from '../errors.ts'
import { toText } from '../http/body.ts'
import { parseJson } from '../http/json.ts'
import { check } from './check.ts'
import type { Endpoint, ResponseSpec } from './endpoint.ts'
import { errorStatusesOf } from './error-responses.ts'
import { errorHeaders, responseHeaders } from './response-headers.ts'
import type { ResponseHeader, ResponseHeaderName } from './response-headers.ts'
import { errorEnvelope } from './results.ts'

/** What an operation answered, its body read. */
export interface Answered {
  readonly status: number
  readonly headers: Headers
  /** Undefined for none, as HEAD has it. */
  readonly body: string | Uint8Array | undefined
}

/** Where an answer is not what the contract documents: `status`, `headers.ETag`, `body.results[0].version`. */
export interface Violation {
  readonly path: string
  /** A sentence without the path. */
  readonly message: string
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

function checkContent({ schema }: ResponseSpec, { status, body, headers }: Answered): readonly Violation[] {
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
  return [
    ...faults.map(toViolation),
    ...unknown.map((path) => ({ path, message: 'is not documented.' })),
    ...(schema === errorEnvelope ? checkEnvelope(value, status) : []),
  ]
}

/** What the envelope says twice it says alike (decisions, "Errors"). */
function checkEnvelope(value: unknown, status: number): readonly Violation[] {
  const { success, data } = errorEnvelope.safeParse(value)
  if (!success) return []
  const { statusCode, message, errors } = data
  return [
    ...(statusCode === status ? [] : [{ path: 'body.statusCode', message: `${status} expected, as answered.` }]),
    ...(message === errors[0]?.message
      ? []
      : [{ path: 'body.message', message: 'the message of the first error expected.' }]),
  ]
}

/**
 * Holds an answer of an operation to the endpoint table: its status, headers and body. A body that is missing where one
 * is documented is a violation unless `method` is HEAD.
 *
 * @example findViolations(endpoints.getResourceById, 'GET', { status: 200, headers, body: '{"version":1}' })
 */
export function findViolations(endpoint: Endpoint, method: string, answered: Answered): readonly Violation[] {
  const { status, headers, body } = answered
  const documented = findDocumented(endpoint, status)
  if (documented === undefined) return [{ path: 'status', message: `${status} is not documented.` }]
  const { headers: names = [] } = documented
  const isMissing = method !== 'HEAD' && documented.schema !== undefined && body === undefined
  return [
    ...names.flatMap((name) => checkHeader(name, headers)),
    ...(isMissing ? [{ path: 'body', message: 'Missing.' }] : checkContent(documented, answered)),
  ]
}
