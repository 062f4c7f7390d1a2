import type { App } from '../app.ts'
import { keepWarning } from '../contract/warning.ts'
import { Problem } from '../errors.ts'
import { withBody } from '../http/connection.ts'
import { toResponse } from '../walk/exchange.ts'
import type { Exchange } from '../walk/exchange.ts'
import { copyRequest } from './forward.ts'
import type { Outgoing } from './forward.ts'
import { keepLines, toViolationHeader } from './violation.ts'

/** Why the mock answered in the upstream's place. */
export type Reason = 'unreachable' | 'timeout' | 'no such path'

export const toReason = (fault: unknown): Reason =>
  fault instanceof Problem && fault.status === 504 ? 'timeout' : 'unreachable'

/** Answers from the mock in the upstream's place, and says why in the header `X-Mock-Fallback`. */
export async function serveFallback(
  exchange: Exchange,
  { body, violations }: Outgoing,
  reason: Reason,
  app: App,
): Promise<Response> {
  const { connection, request } = exchange
  const bytes = body.kind === 'whole' ? body.bytes : undefined
  const inner: Exchange = {
    ...exchange,
    request: copyRequest(request, body),
    connection: connection && withBody(connection, bytes),
  }
  const response = toResponse(await app(inner))
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
