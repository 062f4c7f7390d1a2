import { findViolations } from '../contract/check-response.ts'
import type { Answered } from '../contract/check-response.ts'
import { endpoints } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import type { Violation } from '../contract/violation.ts'
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

/** The correlation id that the upstream was sent. */
export interface SentCorrelationId {
  readonly id: string
  /** Otherwise the proxy made it up, and adds it to an answer that has none. */
  readonly isOfClient: boolean
}

const rateLimitHeaders = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const

/** A client that is stopped by a rate limit learns the limit (decisions, "Errors"). */
const checkRateLimit = ({ status, headers }: Answered): readonly Violation[] =>
  rateLimitHeaders
    .filter((name) => status === 429 && !headers.has(name))
    .map((name) => ({ path: `headers.${name}`, message: 'Missing with status 429 (decisions, "Errors").' }))

/** A service echoes the correlation id that it was sent (decisions, "Errors"). */
function checkCorrelationId({ headers }: Answered, { id, isOfClient }: SentCorrelationId): readonly Violation[] {
  const echoed = headers.get('X-Correlation-ID')
  if (echoed === id || (echoed === null && !isOfClient)) return []
  const message = `${JSON.stringify(id)} expected, as the request has it (decisions, "Errors").`
  return [{ path: 'headers.X-Correlation-ID', message }]
}

/** Checks an answer of the upstream against the contract. */
export function checkResponse(
  operation: OperationId,
  method: string,
  answered: Answered,
  sent: SentCorrelationId,
): readonly ProxyViolation[] {
  const broken = findViolations(endpoints[operation], method, answered)
  const others = broken.filter(({ path }) => path !== 'headers.X-Correlation-ID')
  return toViolations([...others, ...checkRateLimit(answered), ...checkCorrelationId(answered, sent)], answered.status)
}
