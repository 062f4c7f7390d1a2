import { keepWarning } from '../contract/warning.ts'
import { Problem } from '../errors.ts'
import type { RequestContext } from '../pipeline/request-context.ts'
import type { Serve } from '../pipeline/serve.ts'
import { copyRequest } from './forward.ts'
import type { Outgoing } from './forward.ts'
import { keepLines, toViolationHeader } from './violation.ts'

/** Why the mock answered in the upstream's place. */
export type Reason = 'unreachable' | 'timeout' | 'no such path'

export const toReason = (fault: unknown): Reason =>
  fault instanceof Problem && fault.status === 504 ? 'timeout' : 'unreachable'

/** Answers from the mock in the upstream's place, and says why in the header `X-Mock-Fallback`. */
export async function serveFallback(
  exchange: RequestContext,
  { body, violations }: Outgoing,
  reason: Reason,
  serve: Serve,
): Promise<Response> {
  const inner: RequestContext = { ...exchange, request: copyRequest(exchange.request, body) }
  const response = await serve(inner)
  // What the mock has found out of the request; its warnings and scenarios are noted in the same lists.
  const { operation, projectKey, requestBody, brokenBy, sent } = inner
  Object.assign(exchange, { operation, projectKey, requestBody, brokenBy })
  keepLines(exchange, violations)
  keepWarning(exchange, `Served by the mock: ${reason}`)
  const headers = new Headers(response.headers)
  headers.set('X-Mock-Fallback', reason)
  headers.set('Sl-Violations', toViolationHeader(violations))
  if (sent !== undefined) exchange.sent = { ...sent, headers }
  return new Response(response.body, { status: response.status, headers })
}
