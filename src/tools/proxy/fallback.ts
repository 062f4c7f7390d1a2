import type { Serve } from '../../app/pipeline/reply.ts'
import { check, keepWarning } from '../../service/contract/check.ts'
import { endpoints } from '../../service/contract/endpoints.ts'
import type { OperationId } from '../../service/contract/endpoints.ts'
import { errorStatusesOf } from '../../service/contract/error-responses.ts'
import { errorEnvelope } from '../../service/contract/results.ts'
import type { Exchange } from '../../app/pipeline/exchange.ts'
import { keepLines, toViolationHeader } from './proxied-request.ts'
import type { Incoming, OutgoingRequest } from './proxied-request.ts'
import { copyRequest, isJson } from './forward.ts'

/**
 * Whether the upstream does not have an operation, rather than the requested resource (D84). If the contract has no 404 for
 * the operation, any 404 is one of the path. Otherwise, a missing resource has the error envelope, and a missing path, to
 * which a router or a gateway responds, does not. A HEAD only has the type of a GET (RFC 9110, section 9.3.2): a page of
 * HTML is not an envelope.
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
  if (method === 'HEAD') return headers.has('Content-Type') && !isJson(headers)
  return check(errorEnvelope, json).problems.length > 0
}

/** Why the mock responded instead of the upstream. */
export type Reason = 'unreachable' | 'timeout' | 'no such path'

/** Responds from the mock instead of the upstream, with the reason in the header `X-Mock-Fallback`. */
export async function serveFallback(
  exchange: Exchange,
  { body, violations }: OutgoingRequest,
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
