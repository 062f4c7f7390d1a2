import { toOAuthProblem } from '../../service/auth/oauth.ts'
import type { Answer } from '../../service/contract/types.ts'
import { toWarningHeader } from '../../service/contract/check.ts'
import { Problem, problem } from '../../errors.ts'
import { isTokenPath, toCommonHeaders } from '../../service/http/request-head.ts'
import { encoder } from '../../service/http/body.ts'
import { toCorsHeaders } from '../../service/http/cors.ts'
import { toDribble } from '../../service/http/connection.ts'
import { toEnvelope, JSON_TYPE } from '../../service/http/envelope.ts'
import { stringifyJson } from '../../service/http/json.ts'
import { KEPT_BYTES } from '../../sessions/journal/record.ts'
import { memoizeLast } from '../../util/collections.ts'
import { TOKEN_OPERATION } from '../../service/contract/endpoints.ts'
import type { Exchange } from './exchange.ts'

/** Responds to a request. Rejects if a scenario breaks the connection of an in-process request. */
export type Serve = (exchange: Exchange) => Response | Promise<Response>

/** The common headers of the response to an exchange. */
const toOwnHeaders = ({ correlationId, operation, scenarios, warnings, unkeptWarnings }: Exchange) =>
  toCommonHeaders({
    correlationId,
    operation: operation === TOKEN_OPERATION ? undefined : operation,
    scenarios,
    warning: warnings.length === 0 ? undefined : toWarningHeader(warnings, unkeptWarnings),
  })

const joinVary = (own: string | undefined, more: string): string => (own === undefined ? more : `${own}, ${more}`)

/** Returns all headers of a response. `@hono/node-server` sends a plain object fastest. */
export function toReplyHeaders(exchange: Exchange, answer: Answer): Record<string, string> {
  const headers = toOwnHeaders(exchange)
  if (answer.body !== undefined) headers['Content-Type'] = JSON_TYPE
  if (exchange.additions !== undefined) Object.assign(headers, exchange.additions.headers)
  Object.assign(headers, answer.headers)
  const { origin } = exchange.headers
  if (origin !== undefined) {
    const { Vary: vary, ...allowed } = toCorsHeaders(exchange.cors, origin, Object.entries(headers))
    Object.assign(headers, allowed)
    if (vary !== undefined) headers['Vary'] = joinVary(headers['Vary'], vary)
  }
  return headers
}

/** The length of a body in bytes. */
const toLength = (body: string | Uint8Array): number =>
  typeof body === 'string' ? encoder.encode(body).length : body.length

/** Texts longer than this many characters are sent and recorded as bytes, which are stored outside the heap. */
const LONG_BODY = 4096

/** Clients often read the same list again: then nothing is encoded, and the journal keeps its bytes once. */
const toSharedBytes = memoizeLast((text: string) => encoder.encode(text))

function toBodyInit(body: Answer['body']): Answer['body'] {
  if (typeof body !== 'string' || body.length <= LONG_BODY) return body
  return body.length > KEPT_BYTES ? encoder.encode(body) : toSharedBytes(body)
}

/** Creates a response with the common headers, sent in chunks if a scenario requires it. */
export function reply(exchange: Exchange, answer: Answer): Response {
  const { status } = answer
  const body = toBodyInit(answer.body)
  const headers = toReplyHeaders(exchange, answer)
  const isHead = exchange.method === 'HEAD'
  exchange.status = status
  exchange.responseHeaders = headers
  exchange.responseBody = body
  if (body === undefined) return new Response(null, { status, headers })
  const leave = (): void => exchange.onLeave?.(exchange)
  const dribble = exchange.additions?.dribble
  if (dribble !== undefined && !isHead) return new Response(toDribble(body, dribble, leave), { status, headers })
  const count = exchange.connection?.byteLength ?? (isHead ? toLength : undefined)
  // The response to HEAD has the length of the GET response (RFC 9110, section 8.6).
  if (count !== undefined) headers['Content-Length'] = String(count(body))
  return new Response(isHead ? null : (exchange.connection?.toPieces?.(body, leave) ?? body), { status, headers })
}

/** Reports an internal error of the mock. */
export type ReportError = (error: unknown, correlationId: string) => void

/**
 * Renders an error: a problem as the envelope (decisions, "Errors"), anything else as a plain 500 whose cause is reported.
 */
export function replyWithError(exchange: Exchange, error: unknown, report: ReportError): Response {
  // The connection is broken, so the error can reach only the caller of `fetch`.
  if (exchange.fault !== undefined) throw error
  if (!(error instanceof Problem)) report(error, exchange.correlationId)
  const known = error instanceof Problem ? error : problem.internal()
  const shown = isTokenPath(exchange.address.path) ? toOAuthProblem(known) : known
  return reply(exchange, { status: shown.status, body: stringifyJson(toEnvelope(shown)), headers: shown.headers })
}

/** Adds the common headers to a response created elsewhere. */
export function addCommonHeaders(exchange: Exchange, response: Response): void {
  const headers = {
    ...toOwnHeaders(exchange),
    ...exchange.additions?.headers,
    ...toCorsHeaders(exchange.cors, exchange.header('origin'), response.headers),
  }
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
}

/** Stores a sub-app's response for the journal. */
export async function noteResponse(exchange: Exchange, response: Response): Promise<void> {
  if (exchange.status !== 0) return
  exchange.status = response.status
  exchange.responseHeaders = response.headers
  exchange.responseBody = await response.clone().text()
}
