import { toOAuthProblem } from '../../service/auth/oauth.ts'
import type { Answer } from '../../service/contract/types.ts'
import { toWarningHeader, toWarningList } from '../../service/contract/check.ts'
import { Problem, problem } from '../../errors.ts'
import { isTokenPath, findTraceId, isRead, toCommonHeaders } from '../../service/http/request-head.ts'
import type { Address } from '../../service/http/request-head.ts'
import { encoder, readBytes } from '../../service/http/body.ts'
import { toCorsHeaders, toPreflightHeaders } from '../../service/http/cors.ts'
import { wait, breakWithoutSocket, toDribble } from '../../service/http/connection.ts'
import { wantsPage, toEnvelope, JSON_TYPE } from '../../service/http/envelope.ts'
import { stringifyJson } from '../../service/http/json.ts'
import { KEPT_BYTES, createShareHeaders } from '../../sessions/journal/record.ts'
import type { Metrics } from '../../sessions/journal/counts.ts'
import { memoize, memoizeLast } from '../../util/collections.ts'
import { TOKEN_OPERATION } from '../../service/contract/endpoints.ts'
import { findNearPath } from '../../service/contract/paths.ts'
import type { Redactor } from '../../sessions/journal/redact.ts'
import type { RequestLog } from '../../sessions/journal/record.ts'
import type { ScenarioOutcome } from '../../service/scenarios/effects.ts'
import type { Events } from '../../sessions/events.ts'
import type { Session } from '../../sessions/sessions.ts'
import { createToTime } from './exchange.ts'
import type { Exchange } from './exchange.ts'
import { html } from 'hono/html'

// The end of an exchange: response, journal, counters, log.

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
function toReplyHeaders(exchange: Exchange, answer: Answer): Record<string, string> {
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

function toSentBody(body: Answer['body']): Answer['body'] {
  if (typeof body !== 'string' || body.length <= LONG_BODY) return body
  return body.length > KEPT_BYTES ? encoder.encode(body) : toSharedBytes(body)
}

/** Creates a response with the common headers, sent in chunks if a scenario requires it. */
export function reply(exchange: Exchange, answer: Answer): Response {
  const { status } = answer
  const body = toSentBody(answer.body)
  const headers = toReplyHeaders(exchange, answer)
  const isHead = exchange.method === 'HEAD'
  exchange.status = status
  exchange.responseHeaders = headers
  exchange.responseBody = body
  if (body === undefined) return new Response(null, { status, headers })
  const dribble = exchange.additions?.dribble
  if (dribble !== undefined && !isHead) return new Response(toDribble(body, dribble), { status, headers })
  const count = exchange.connection?.byteLength ?? (isHead ? toLength : undefined)
  // The response to HEAD has the length of the GET response (RFC 9110, section 8.6).
  if (count !== undefined) headers['Content-Length'] = String(count(body))
  return new Response(isHead ? null : (exchange.connection?.toPieces?.(body) ?? body), { status, headers })
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

/** Methods that a preflight allows on a path without endpoints. */
export const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Longer paths are truncated in messages, in characters. */
const LONGEST_PATH = 500

/** Responds to a CORS preflight. It is not recorded because the browser sends it, not the app. */
export function replyToPreflight(exchange: Exchange, methods: readonly string[] = METHODS): Response {
  exchange.isRecorded = true
  return reply(exchange, { status: 204, headers: toPreflightHeaders(exchange.cors, exchange.request, methods) })
}

/**
 * Responds to OPTIONS on a path, listing its methods.
 *
 * @throws {Problem} 405 for any other method.
 */
export function replyToOtherMethod(exchange: Exchange, methods: readonly string[], remedy?: string): Response {
  const { method, address } = exchange
  if (method === 'OPTIONS') return reply(exchange, { status: 204, headers: { Allow: methods.join(', ') } })
  throw problem.methodNotAllowed(method, address.path, methods, remedy)
}

const describePaths = ({ prefix }: Address, hasDashboard: boolean): string =>
  `Paths start with /{projectKey}/resource; tokens come from /oauth/token.${hasDashboard ? ` The dashboard is at ${prefix}/__admin.` : ''}`

function toNoSuchPath(address: Address, hasDashboard: boolean): string {
  const path = address.path.slice(0, LONGEST_PATH)
  const near = findNearPath(path)
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`
  return `No endpoint matches ${path}.${hint} ${describePaths(address, hasDashboard)}`
}

/** A page for anyone who opens the mock's URL in a browser. */
async function toWelcomePage({ origin, prefix }: Address, hasDashboard: boolean): Promise<Answer> {
  const dashboard = hasDashboard
    ? html`<p><a href="${prefix}/__admin">Open the dashboard</a> to see requests, switch scenarios and edit data.</p>`
    : ''
  const page = await html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <meta name="color-scheme" content="light dark" />
      <title>resource-mock</title>
      <style>
        body {
          font:
            1rem/1.5 system-ui,
            sans-serif;
          max-width: 40rem;
          margin: 3rem auto;
          padding: 0 1rem;
        }
      </style>
      <h1>resource-mock is running</h1>
      ${dashboard}
      <p>Paths of the API start with <code>/{projectKey}/resource</code>. Any project key works. Try it:</p>
      <pre><code>curl ${origin}${prefix}/acme/resource -H 'Authorization: Bearer anything'</code></pre>
    </html> `
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Accept',
  }
  return { status: 200, headers, body: page.toString() }
}

/**
 * Responds to a client that opens the mock's URL: a browser gets the welcome page. Tools that wait for a server, such as
 * Playwright's `webServer`, ask for this URL too, and need a 200.
 *
 * @throws {Problem} 404 for any other path without a route.
 */
export async function replyToUnknownPath(exchange: Exchange, hasDashboard: boolean): Promise<Response> {
  const { method, address, request } = exchange
  if (address.path !== '/' || !isRead(method)) throw problem.notFound(toNoSuchPath(address, hasDashboard))
  exchange.isRecorded = true
  if (wantsPage(request.headers)) return reply(exchange, await toWelcomePage(address, hasDashboard))
  const message = `resource-mock is running. ${describePaths(address, hasDashboard)}`
  return reply(exchange, { status: 200, headers: { Vary: 'Accept' }, body: stringifyJson({ message }) })
}

/** The maximum time a response waits for a body that only the journal needs, in milliseconds. */
const LONGEST_WAIT = 50

/**
 * Over a socket, a body is read only if it is small and its length is declared, because stopping halfway would close the
 * connection, and only if the client does not wait for 100 Continue.
 */
function isWorthReading({ method, requestBody, connection, request, header }: Exchange): boolean {
  if (requestBody !== undefined || method === 'GET' || method === 'HEAD') return false
  const declared = Number(header('content-length') ?? 0)
  const isWaiting = header('expect') !== undefined
  if (connection !== undefined && (declared === 0 || declared > KEPT_BYTES || isWaiting)) return false
  return request.body !== null && !request.bodyUsed
}

/** Keeps a body for the journal, unless it is too large, incomplete or does not match its Content-Encoding. */
async function keepBody(exchange: Exchange, request: Request): Promise<void> {
  exchange.requestBody = await readBytes(request, KEPT_BYTES).catch(() => undefined)
}

/** The value of `Retry-After`; undefined if there is none. */
function findRetryAfter({ responseHeaders: headers }: Exchange): string | undefined {
  return headers instanceof Headers ? (headers.get('Retry-After') ?? undefined) : headers['Retry-After']
}

/** Counts a request that matched an operation in the coverage of its session. */
function countCoverage(exchange: Exchange, session: Session): void {
  const { operation, status } = exchange
  if (operation === undefined) return
  session.coverage.count({
    operation,
    path: exchange.address.path,
    authorization: exchange.headers.authorization,
    scenarios: exchange.scenarios,
    status,
    body: exchange.responseBody,
    retryAfter: status < 400 ? undefined : findRetryAfter(exchange),
    time: session.clock.elapsed(),
  })
}

/**
 * Waits until a shared store has the session's writes. A failed write is reported only to the request that made it; others
 * that wait for it still succeed.
 */
const settle = (session: Session | undefined): Promise<void> | undefined => session?.settled()?.catch(() => undefined)

/**
 * Creates a recorder. It records each exchange once: in the metrics, the coverage, the session's journal, the events and
 * the log.
 */
export function createRecorder({
  elapsed,
  metrics,
  events,
  redactor,
  isKept,
  isReportedLater,
  log: writeLog,
}: {
  /** A monotonic clock, in milliseconds. */
  readonly elapsed: () => number
  readonly metrics: Metrics
  readonly events: Events
  readonly redactor: Redactor
  /** Whether journals keep any requests. */
  readonly isKept: boolean
  /** Whether subscribers are notified when the journal is read, by this mock or another one. */
  readonly isReportedLater: boolean
  /** Absent if requests are not logged. */
  readonly log: ((entry: RequestLog) => void) | undefined
}) {
  const toTime = createToTime()
  const toShownUrl = memoize(redactor.url)
  const shareHeaders = createShareHeaders()

  const isWanted = ({ session }: Exchange): boolean =>
    session !== undefined && (isKept || events.hasSubscribers(session.name))

  const isUnread = (exchange: Exchange): boolean =>
    !exchange.isRecorded && isWanted(exchange) && isWorthReading(exchange)

  /** Reads the body of a request that was rejected before its body was read, for the journal. */
  function readRest(exchange: Exchange): Promise<void> | undefined {
    if (!isUnread(exchange)) return undefined
    const { request } = exchange
    return Promise.race([keepBody(exchange, request), wait(LONGEST_WAIT, request)])
  }

  const durationOf = ({ startedAt }: Exchange): number => elapsed() - startedAt

  function record(exchange: Exchange, duration = durationOf(exchange)): void {
    events.endPending(exchange)
    if (exchange.isRecorded) return
    exchange.isRecorded = true
    const { session, status, scenarios } = exchange
    exchange.durationMilliseconds = duration
    exchange.onRecorded?.()
    metrics.count(exchange.operation, status, duration, scenarios)
    if (session === undefined) return
    const { journal, name, hasEnded } = session
    if (!hasEnded) countCoverage(exchange, session)
    if (!isWanted(exchange)) return
    const kept = journal.record(exchange.toRecorded(shareHeaders))
    if (!isReportedLater && !hasEnded && events.hasSubscribers(name))
      events.publish({ kind: 'request', session: name, entry: kept.entry })
  }

  /** The trace id for the log; `--redact traceparent` hides it. */
  const findShownTraceId = (traceparent: string | undefined): string | undefined =>
    traceparent === undefined ? undefined : findTraceId(redactor.header('traceparent', traceparent))

  function log(exchange: Exchange, status: number, duration: number): void {
    if (writeLog === undefined || exchange.isInternal) return
    writeLog({
      time: toTime(exchange.time),
      method: exchange.method,
      // The URL may contain a token or an OAuth form (D31).
      target: toShownUrl(exchange.target),
      status,
      // Rounded to microseconds.
      durationMilliseconds: Math.round(duration * 1000) / 1000,
      correlationId: exchange.correlationId,
      traceId: findShownTraceId(exchange.traceparent),
      operation: exchange.operation,
      session: exchange.sessionName,
      scenarios: exchange.scenarios,
      warnings: toWarningList(exchange).map(redactor.text),
    })
  }

  /** Records and logs an exchange. */
  function finish(exchange: Exchange, response: Response | undefined): void {
    const duration = durationOf(exchange)
    record(exchange, duration)
    const status = exchange.status === 0 && exchange.fault === undefined ? response?.status : exchange.status
    log(exchange, status ?? 0, duration)
  }

  return {
    /** Reports a request as pending if it has no response soon. */
    begin(exchange: Exchange, session: string): void {
      if (!exchange.isRecorded) events.beginPending(exchange, session)
    },

    /** Reads a copy of a body, because the handler consumes the original. */
    async readCopy(exchange: Exchange): Promise<void> {
      if (isUnread(exchange)) await keepBody(exchange, exchange.request.clone())
    },

    /** Breaks the connection of an exchange for a scenario's fault. */
    async breakOff(
      exchange: Exchange,
      { fault, answer = { status: 200 } }: Extract<ScenarioOutcome, { kind: 'fault' }>,
    ): Promise<Response> {
      exchange.fault = fault
      const unsent = { status: answer.status, headers: toReplyHeaders(exchange, answer), body: answer.body ?? '' }
      const { request, connection } = exchange
      await readRest(exchange)
      // Recorded before the fault, so that a client that is kept waiting is listed.
      record(exchange)
      // Settled before the fault, so that a client that sees it can find the request in every mock.
      await settle(exchange.session)
      return connection?.breakOff?.(fault, unsent) ?? breakWithoutSocket(fault, unsent, request)
    },

    /** Like {@link end}, for a response without a promise: its request has no body, and its session no store. */
    endAtOnce(exchange: Exchange, response: Response): Response {
      finish(exchange, response)
      return response
    },

    /** Records and logs an exchange after its response. */
    async end(exchange: Exchange, answering: Promise<Response>): Promise<Response> {
      try {
        const response = await answering
        const rest = readRest(exchange)
        if (rest !== undefined) await rest
        finish(exchange, response)
        const settled = settle(exchange.session)
        if (settled !== undefined) await settled
        return response
      } catch (error) {
        finish(exchange, undefined)
        throw error
      }
    },
  }
}

export type Recorder = ReturnType<typeof createRecorder>
