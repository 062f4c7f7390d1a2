import { check } from '../contract/check.ts'
import { endpoints } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { errorStatusesOf } from '../contract/error-responses.ts'
import { errorEnvelope } from '../contract/results.ts'
import { keepWarning } from '../contract/warning.ts'
import { Problem } from '../errors.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import type { Serve } from '../pipeline/reply.ts'
import { copyRequest } from './forward.ts'
import type { Incoming, Outgoing } from './exchange.ts'
import { isJsonType } from './headers.ts'
import { keepLines, toViolationHeader } from './violation.ts'

/**
 * Whether the upstream does not have an operation, rather than the resource that it was asked for (D84). Where the
 * contract knows no 404, one is the path's; where it does, a resource's 404 has the envelope of errors, and a path's, which
 * a router or a gateway answers, has not. Of a HEAD's there is the type alone, which is that of a GET (RFC 9110, section
 * 9.3.2): a page of HTML is not an envelope.
 */
export function isPathMissing(
  operation: OperationId,
  method: string,
  { status, headers, json }: Pick<Incoming, 'status' | 'headers' | 'json'>,
): boolean {
  if (status === 405 || status === 501) return true
  if (status !== 404) return false
  const endpoint = endpoints[operation]
  const isDocumented = 404 in endpoint.responses || errorStatusesOf(endpoint).includes(404)
  if (!isDocumented) return true
  if (method === 'HEAD') return headers.has('Content-Type') && !isJsonType(headers)
  return check(errorEnvelope, json).faults.length > 0
}

/** Why the mock answered in the upstream's place. */
export type Reason = 'unreachable' | 'timeout' | 'no such path'

export const toReason = (fault: unknown): Reason =>
  fault instanceof Problem && fault.status === 504 ? 'timeout' : 'unreachable'

/** Answers from the mock in the upstream's place, and says why in the header `X-Mock-Fallback`. */
export async function serveFallback(
  exchange: Exchange,
  { body, violations }: Outgoing,
  reason: Reason,
  serve: Serve,
): Promise<Response> {
  exchange.request = copyRequest(exchange.request, body)
  const response = await serve(exchange)
  keepLines(exchange, violations)
  keepWarning(exchange, `Served by the mock: ${reason}`)
  const headers = new Headers(response.headers)
  headers.set('X-Mock-Fallback', reason)
  headers.set('Sl-Violations', toViolationHeader(violations))
  exchange.responseHeaders = headers
  return new Response(response.body, { status: response.status, headers })
}
