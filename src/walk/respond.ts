import { after } from '../after.ts'
import { toOAuthProblem } from '../auth/oauth-problem.ts'
import type { Answer } from '../contract/handler.ts'
import { toWarningHeader } from '../contract/warning.ts'
import { toEnvelope } from '../envelope.ts'
import { Problem, problem } from '../errors.ts'
import { Reply } from './exchange.ts'
import type { Exchange, Outcome } from './exchange.ts'
import { isTokenPath } from '../http/address.ts'
import { toCorsHeaders } from '../http/cors.ts'
import type { CorsPolicy } from '../http/cors.ts'
import { breakWithoutSocket, toDribble } from '../http/fault.ts'
import { stringifyJson } from '../http/json.ts'
import type { ScenarioOutcome } from '../scenarios/effects.ts'
import type { Recorder } from './recorder.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

/** The headers that every response has, whatever it answers. */
function toCommonHeaders(exchange: Exchange): Record<string, string> {
  const headers: Record<string, string> = {
    'X-Correlation-ID': exchange.correlationId,
    'X-Content-Type-Options': 'nosniff',
  }
  if (exchange.operation !== undefined) headers['X-Mock-Operation'] = exchange.operation
  if (exchange.scenarios.length > 0) headers['X-Mock-Scenario'] = exchange.scenarios.join(', ')
  if (exchange.warnings.length > 0)
    headers['X-Mock-Warning'] = toWarningHeader(exchange.warnings, exchange.unkeptWarnings)
  return headers
}

const joinVary = (own: string | undefined, more: string): string => (own === undefined ? more : `${own}, ${more}`)

/** All headers of an answer, as a plain object, which the Node server takes over as it is. */
export function toHeaders(exchange: Exchange, answer: Answer, cors: CorsPolicy): Record<string, string> {
  const headers = toCommonHeaders(exchange)
  if (answer.body !== undefined) headers['Content-Type'] = JSON_TYPE
  if (exchange.additions !== undefined) Object.assign(headers, exchange.additions.headers)
  Object.assign(headers, answer.headers)
  const origin = exchange.header('origin')
  if (origin !== undefined) {
    const { Vary: vary, ...allowed } = toCorsHeaders(cors, origin)
    Object.assign(headers, allowed)
    if (vary !== undefined) headers.Vary = joinVary(headers.Vary, vary)
  }
  return headers
}

/** Ends an exchange with an answer and the headers that every response has; in pieces where a scenario wants it so. */
export function toReply(exchange: Exchange, answer: Answer, cors: CorsPolicy): Outcome {
  const { status, body } = answer
  const headers = toHeaders(exchange, answer, cors)
  const reply = new Reply(status, headers, body)
  exchange.sent = reply
  const isHead = exchange.method === 'HEAD'
  const dribble = exchange.additions?.dribble
  if (dribble !== undefined && body !== undefined && !isHead) {
    return new Response(toDribble(body, dribble), { status, headers })
  }
  const measure = exchange.connection?.measure ?? (isHead ? toLength : undefined)
  // To a HEAD it says what a GET would send (RFC 9110, section 8.6); left out, Node would say 0.
  if (body !== undefined && measure !== undefined) headers['Content-Length'] = String(measure(body))
  return isHead ? new Reply(status, headers, undefined) : reply
}

const toLength = (body: string | Uint8Array): number =>
  typeof body === 'string' ? new TextEncoder().encode(body).length : body.length

interface EndParts {
  readonly cors: CorsPolicy
  readonly recorder: Recorder
}

/** Ends an exchange: with its answer, or with a broken connection. */
export function endExchange(
  exchange: Exchange,
  outcome: ScenarioOutcome,
  { cors, recorder }: EndParts,
): Outcome | Promise<Outcome> {
  if (outcome.kind === 'answer') return toReply(exchange, outcome.answer, cors)
  const answer: Answer = outcome.answer ?? { status: 200 }
  exchange.brokenBy = outcome.fault
  const unsent = { status: answer.status, headers: toHeaders(exchange, answer, cors), body: answer.body ?? '' }
  return after(recorder.readRest(exchange), () => {
    // A client that is kept waiting can be seen while it waits.
    recorder.record(exchange)
    const breakOff = exchange.connection?.breakOff
    return breakOff === undefined
      ? breakWithoutSocket(outcome.fault, unsent, exchange.request)
      : breakOff(outcome.fault, unsent)
  })
}

/** Adds the headers that every response has to one that was built elsewhere. */
export function withCommonHeaders(exchange: Exchange, response: Response, cors: CorsPolicy): Response {
  const headers = { ...toCommonHeaders(exchange), ...toCorsHeaders(cors, exchange.header('origin')) }
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}

/** Notes what was answered by a response that was built elsewhere, its body read from a copy. */
export async function noteSent(exchange: Exchange, response: Response): Promise<void> {
  const { status, headers } = response
  exchange.sent ??= { status, headers, body: await response.clone().text() }
}

export interface FaultParts {
  readonly cors: CorsPolicy
  readonly onFault: (fault: unknown, correlationId: string) => void
}

/**
 * The one place that renders what was thrown: a problem as the envelope (decisions, "Errors"), anything else as a bare
 * 500 whose cause goes to the log.
 */
export function toFaultReply(exchange: Exchange, fault: unknown, { cors, onFault }: FaultParts): Outcome {
  // Only whoever called `fetch` can be shown that there is no answer.
  if (exchange.brokenBy !== undefined) throw fault
  if (!(fault instanceof Problem)) onFault(fault, exchange.correlationId)
  const known = fault instanceof Problem ? fault : problem.internal()
  const shown = isTokenPath(exchange.address.path) ? toOAuthProblem(known) : known
  const answer = { status: shown.status, body: stringifyJson(toEnvelope(shown)), headers: shown.headers }
  return toReply(exchange, answer, cors)
}
