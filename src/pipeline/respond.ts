import { toOAuthProblem } from '../auth/oauth-problem.ts'
import type { Answer } from '../contract/handler.ts'
import { toWarningHeader } from '../contract/warning.ts'
import { toEnvelope } from '../http/envelope.ts'
import { Problem, problem } from '../errors.ts'
import { isTokenPath } from '../http/address.ts'
import { toCorsHeaders } from '../http/cors.ts'
import { breakWithoutSocket, toDribble } from '../http/fault.ts'
import { JSON_TYPE } from '../http/json-response.ts'
import { stringifyJson } from '../http/json.ts'
import type { ScenarioOutcome } from '../scenarios/effects.ts'
import type { Recorder } from './record.ts'
import type { RequestContext } from './request-context.ts'

/** The headers that every response has. */
function toCommonHeaders(context: RequestContext): Record<string, string> {
  const headers: Record<string, string> = {
    'X-Correlation-ID': context.correlationId,
    'X-Content-Type-Options': 'nosniff',
  }
  if (context.operation !== undefined) headers['X-Mock-Operation'] = context.operation
  if (context.scenarios.length > 0) headers['X-Mock-Scenario'] = context.scenarios.join(', ')
  if (context.warnings.length > 0) headers['X-Mock-Warning'] = toWarningHeader(context.warnings, context.unkeptWarnings)
  return headers
}

const joinVary = (own: string | undefined, more: string): string => (own === undefined ? more : `${own}, ${more}`)

/** All headers of an answer. `@hono/node-server` sends a plain object fastest: it needs no `Headers`. */
function toHeaders(context: RequestContext, answer: Answer): Record<string, string> {
  const headers = toCommonHeaders(context)
  if (answer.body !== undefined) headers['Content-Type'] = JSON_TYPE
  Object.assign(headers, context.additions?.headers, answer.headers)
  const origin = context.header('origin')
  if (origin !== undefined) {
    const { Vary: vary, ...allowed } = toCorsHeaders(context.cors, origin)
    Object.assign(headers, allowed)
    if (vary !== undefined) headers['Vary'] = joinVary(headers['Vary'], vary)
  }
  return headers
}

const encoder = new TextEncoder()

/** The length of a body in bytes. */
const toLength = (body: string | Uint8Array): number =>
  typeof body === 'string' ? encoder.encode(body).length : body.length

/** A text of more characters is sent and recorded as bytes: those are not on the heap, where they would be collected. */
const LONG_TEXT = 4096

const toSentBody = (body: Answer['body']): Answer['body'] =>
  typeof body === 'string' && body.length > LONG_TEXT ? encoder.encode(body) : body

/** Sends an answer with the headers that every response has; in pieces where a scenario says so. */
export function respond(context: RequestContext, answer: Answer): Response {
  const { status } = answer
  const body = toSentBody(answer.body)
  const headers = toHeaders(context, answer)
  context.sent = { status, headers, body }
  if (body === undefined) return new Response(null, { status, headers })
  const isHead = context.method === 'HEAD'
  const dribble = context.additions?.dribble
  if (dribble !== undefined && !isHead) return new Response(toDribble(body, dribble), { status, headers })
  const count = context.connection?.byteLength ?? (isHead ? toLength : undefined)
  // In the response to HEAD it is the length that a GET would have (RFC 9110, section 8.6).
  if (count !== undefined) headers['Content-Length'] = String(count(body))
  return new Response(isHead ? null : (context.connection?.toPieces?.(body) ?? body), { status, headers })
}

/**
 * Renders what was thrown: a problem as the envelope (decisions, "Errors"), anything else as a bare 500 whose cause is
 * reported.
 */
export function respondWithFault(
  context: RequestContext,
  fault: unknown,
  onFault: (fault: unknown, correlationId: string) => void,
): Response {
  // Where the connection was broken there is nobody to respond to but the caller of `fetch`.
  if (context.brokenBy !== undefined) throw fault
  if (!(fault instanceof Problem)) onFault(fault, context.correlationId)
  const known = fault instanceof Problem ? fault : problem.internal()
  const shown = isTokenPath(context.address.path) ? toOAuthProblem(known) : known
  return respond(context, {
    status: shown.status,
    body: stringifyJson(toEnvelope(shown)),
    headers: shown.headers,
  })
}

/** Responds as a scenario says: with an answer, or by breaking the connection. */
export async function respondWithOutcome(
  context: RequestContext,
  outcome: ScenarioOutcome,
  recorder: Recorder,
): Promise<Response> {
  if (outcome.kind === 'answer') return respond(context, outcome.answer)
  const { fault, answer = { status: 200 } } = outcome
  context.brokenBy = fault
  const unsent = { status: answer.status, headers: toHeaders(context, answer), body: answer.body ?? '' }
  await recorder.readRest(context)
  // A client that is kept waiting is listed while it waits.
  recorder.record(context)
  // Who sees the connection break finds the request at every mock.
  await context.entered?.settled()
  const breaking = context.connection?.breakOff?.(fault, unsent)
  return breaking ?? breakWithoutSocket(fault, unsent, context.request)
}

/** Adds the headers that every response has to one that was built elsewhere. */
export function addCommonHeaders(context: RequestContext, response: Response): void {
  const headers = { ...toCommonHeaders(context), ...toCorsHeaders(context.cors, context.header('origin')) }
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
}

/** Notes the response that a sub-app built, for the journal. */
export async function noteSent(context: RequestContext, response: Response): Promise<void> {
  const { status, headers } = response
  context.sent ??= { status, headers, body: await response.clone().text() }
}
