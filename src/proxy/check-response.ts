import { findDocumented, findViolations } from '../contract/check-response.ts'
import type { Answered } from '../contract/check-response.ts'
import { decision } from '../contract/decisions.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { endpoints } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { toDecided } from '../contract/violation.ts'
import type { Violation } from '../contract/violation.ts'
import type { ReadHeader } from '../http/request-headers.ts'
import { toSteps } from './violation.ts'
import type { ProxyViolation } from './violation.ts'

const toCode = ({ path, decision }: Violation): string => {
  if (path === 'status') return decision === undefined ? 'UndocumentedStatus' : 'UnexpectedStatus'
  return path.startsWith('headers.') ? 'UnexpectedHeader' : 'UnexpectedBody'
}

/** The specification shows no headers of answers and no bodies of errors: those rest on decisions alone. */
function toSeverity({ path, message, decision }: Violation, status: number): ProxyViolation['severity'] {
  if (decision !== undefined) return 'Warning'
  const isDecided = path.startsWith('headers.') && path !== 'headers.Content-Type'
  const isUnknownMember = message === 'is not documented.'
  return path !== 'status' && (isDecided || isUnknownMember || status >= 400) ? 'Warning' : 'Error'
}

/** Where an answer breaks the contract, as the proxy tells it. */
export const toViolations = (broken: readonly Violation[], status: number): readonly ProxyViolation[] =>
  broken.map((one) => {
    const { path, message } = one
    const [part = '', ...rest] = path.startsWith('headers.') ? ['headers', path.slice(8)] : toSteps(path)
    return { location: ['response', part, ...rest], severity: toSeverity(one, status), code: toCode(one), message }
  })

/** The request that the upstream answers. */
export interface SentRequest {
  readonly method: string
  /** What the proxy calls the exchange where the client does not say. */
  readonly correlationId: string
  /** Reads a header of the client's. */
  readonly header: ReadHeader
}

const rateLimitHeaders = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const

/** A client that is stopped by a rate limit learns the limit (decisions, "Errors"). */
const checkRateLimit = ({ status, headers }: Answered): readonly Violation[] =>
  rateLimitHeaders
    .filter((name) => status === 429 && !headers.has(name))
    .map((name) => ({ path: `headers.${name}`, message: 'Missing with status 429 (decisions, "Errors").' }))

/** A service echoes the correlation id that it was sent (decisions, "Errors"). */
function checkCorrelationId({ headers }: Answered, { correlationId, header }: SentRequest): readonly Violation[] {
  const echoed = headers.get('X-Correlation-ID')
  const asked = header('x-correlation-id')
  // One that the proxy made is added to an answer that has none.
  if (echoed === (asked ?? correlationId) || (echoed === null && asked === undefined)) return []
  const message = `${JSON.stringify(asked ?? correlationId)} expected, as the request has it (decisions, "Errors").`
  return [{ path: 'headers.X-Correlation-ID', message }]
}

/** What makes a request conditional (RFC 9110, section 13.1). */
const CONDITIONS = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since']

/** What the contract has against an answer; statuses that depend on the kind of request aside. */
function findBroken(operation: OperationId, answered: Answered, { method, header }: SentRequest): readonly Violation[] {
  const endpoint: Endpoint = endpoints[operation]
  const { status } = answered
  if (findDocumented(endpoint, status) === undefined) {
    // Nothing is there: a HEAD tells no more, whatever its GET documents (D9, D12).
    if (status === 404 && method === 'HEAD') return []
    const isConditional = CONDITIONS.some((name) => header(name) !== undefined)
    if (isConditional && (status === 304 || status === 412)) {
      return [
        toDecided(decision('D5'), 'status', `${status} not expected, since conditions of requests change nothing`),
      ]
    }
  }
  return findViolations(endpoint, method, answered)
}

/** Checks an answer of the upstream against the contract. */
export function checkResponse(
  operation: OperationId,
  answered: Answered,
  sent: SentRequest,
): readonly ProxyViolation[] {
  const broken = findBroken(operation, answered, sent)
  const others = broken.filter(({ path }) => path !== 'headers.X-Correlation-ID')
  return toViolations([...others, ...checkRateLimit(answered), ...checkCorrelationId(answered, sent)], answered.status)
}
