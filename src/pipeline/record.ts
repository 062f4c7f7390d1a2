import type { Hono } from 'hono'
import { toWarningList } from '../contract/warning.ts'
import { readBytes } from '../http/body.ts'
import { wait } from '../http/delay.ts'
import { KEPT_BYTES } from '../journal/kept-body.ts'
import type { Metrics } from '../journal/metrics.ts'
import type { ExchangeRecord } from '../journal/record.ts'
import type { Redactor } from '../journal/redact.ts'
import type { Events } from '../sessions/events.ts'
import type { Session } from '../sessions/session.ts'
import type { LogRequest } from './log-request.ts'
import type { Env, RequestContext } from './request-context.ts'

interface RecorderParts {
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number
  readonly metrics: Metrics
  readonly events: Events
  readonly redactor: Redactor
  /** Whether journals keep anything. */
  readonly isKept: boolean
  /** Whether who listens is told once the journal is read, by this mock or another one. */
  readonly isToldLater: boolean
}

/** Records each request once: in the metrics, in the coverage, in its session's journal, and as an event. */
export interface Recorder {
  /** Tells those who listen of a request that has no response soon. */
  begin(context: RequestContext, session: string): void
  record(context: RequestContext): void
  /** Whether the journal is to show a body that was not read. */
  isUnread(context: RequestContext): boolean
  /** Reads the body of a request that was refused unread, so that the journal can show it; undefined where there is none. */
  readRest(context: RequestContext): Promise<void> | undefined
  /** Reads a copy of a body that a handler is going to read; undefined where there is none. */
  readCopy(context: RequestContext): Promise<void> | undefined
}

/** The longest that a response waits for a body that only the journal needs, in milliseconds. */
const PATIENCE = 50

/** Over a socket, a body is read only if it is small and its length declared: to stop halfway would end the connection. */
function isWorthReading(context: RequestContext): boolean {
  const { method, requestBody, connection } = context
  if (requestBody !== undefined || method === 'GET' || method === 'HEAD') return false
  const declared = Number(context.header('content-length') ?? 0)
  if (connection !== undefined && (declared === 0 || declared > KEPT_BYTES)) return false
  const { body, bodyUsed } = context.request
  return body !== null && !bodyUsed
}

/** Keeps a body for the journal; what is too large, broken off, or not what its Content-Encoding says is not shown. */
async function keepBody(context: RequestContext, request: Request): Promise<void> {
  context.requestBody = await readBytes(request, KEPT_BYTES).catch(() => undefined)
}

/** The value of a header of the response; undefined if none was sent. */
function findSentHeader({ sent }: RequestContext, name: string): string | undefined {
  if (sent === undefined) return undefined
  return sent.headers instanceof Headers ? (sent.headers.get(name) ?? undefined) : sent.headers[name]
}

/** Counts a request that met an operation towards the coverage of its session. */
function countCoverage(context: RequestContext, session: Session): void {
  const { operation, address, scenarios, sent, brokenBy } = context
  if (operation === undefined) return
  session.coverage.count({
    operation,
    path: address.path,
    authorization: context.header('authorization'),
    scenarios,
    status: brokenBy === undefined ? (sent?.status ?? 0) : 0,
    body: sent?.body,
    retryAfter: findSentHeader(context, 'Retry-After'),
    time: session.clock.elapsed(),
  })
}

const NO_HEADERS: Readonly<Record<string, string>> = {}

function toRecord(context: RequestContext, session: string, durationMilliseconds: number): ExchangeRecord {
  const { method, connection, scenarios, warnings, sent, brokenBy } = context
  return {
    time: context.receivedAt,
    durationMilliseconds,
    session,
    correlationId: context.correlationId,
    operation: context.operation,
    projectKey: context.projectKey,
    isPassedThrough: context.isPassedThrough,
    scenarios,
    warnings: warnings.length === 0 ? warnings : toWarningList(context),
    method,
    url: context.origin + context.target,
    // A request that came in-process is its caller's, who may change it.
    requestHeaders: connection?.rawHeaders ?? new Headers(context.request.headers),
    requestBody: context.requestBody,
    clientAddress: connection?.remoteAddress,
    status: brokenBy === undefined ? (sent?.status ?? 0) : 0,
    responseHeaders: brokenBy === undefined ? (sent?.headers ?? NO_HEADERS) : NO_HEADERS,
    responseBody: brokenBy === undefined && method !== 'HEAD' ? sent?.body : undefined,
    fault: brokenBy,
  }
}

/** How long a request takes before it is told that it has no response yet, in milliseconds. */
const SOON = 100

export function createRecorder(parts: RecorderParts): Recorder {
  const { elapsed, metrics, events, redactor, isKept, isToldLater } = parts

  const isWanted = ({ entered }: RequestContext): boolean =>
    entered !== undefined && (isKept || events.isHeard(entered.name))

  const isUnread = (context: RequestContext): boolean =>
    !context.isRecorded && isWanted(context) && isWorthReading(context)

  return {
    begin(context, session) {
      if (context.isRecorded || !events.isHeard(session)) return
      setTimeout(() => {
        if (context.isRecorded) return
        const { correlationId, receivedAt: time, method, target } = context
        events.publish({ kind: 'pending', session, correlationId, time, method, url: redactor.url(target) })
      }, SOON)
    },

    record(context) {
      if (context.isRecorded) return
      context.isRecorded = true
      const duration = elapsed() - context.startedAt
      metrics.count(
        context.operation,
        context.brokenBy === undefined ? (context.sent?.status ?? 0) : 0,
        duration,
        context.scenarios,
      )
      const { entered } = context
      if (entered !== undefined) countCoverage(context, entered)
      if (entered === undefined || !isWanted(context)) return
      const kept = entered.journal.record(toRecord(context, entered.name, duration))
      if (!isToldLater && events.isHeard(entered.name)) {
        events.publish({ kind: 'request', session: entered.name, entry: kept.entry })
      }
    },

    isUnread,

    readRest(context) {
      if (!isUnread(context)) return undefined
      const { request } = context
      return Promise.race([keepBody(context, request), wait(PATIENCE, request)])
    },

    readCopy(context) {
      return isUnread(context) ? keepBody(context, context.request.clone()) : undefined
    },
  }
}

/** Responds to a request. It rejects where a scenario breaks the connection of a request that has no socket. */
export type Serve = (context: RequestContext) => Response | Promise<Response>

/** Serves requests by an app. */
export const serveBy =
  (app: Hono<Env>): Serve =>
  (context) =>
    app.fetch(context.request, { context })

interface ServeParts {
  readonly serve: Serve
  readonly recorder: Recorder
  readonly log?: LogRequest | undefined
}

/**
 * Waits until a store has what the session has handed to it. What could not be kept is told to the request that asked for
 * it, by the admin API; another one that waits for it, too, was answered rightly.
 */
const settle = ({ entered }: RequestContext): Promise<void> | undefined => entered?.settled()?.catch(() => undefined)

/** Serves requests, and records and logs each once it is answered. */
export function serveAndRecord({ serve, recorder, log }: ServeParts): Serve {
  function record(context: RequestContext, status: number): void {
    recorder.record(context)
    if (!context.isInternal) log?.(context, context.brokenBy === undefined ? status : 0)
  }

  async function recordAnswered(context: RequestContext, answering: Response | Promise<Response>): Promise<Response> {
    try {
      const response = await answering
      const reading = recorder.readRest(context)
      if (reading !== undefined) await reading
      record(context, context.sent?.status ?? response.status)
      await settle(context)
      return response
    } catch (fault) {
      record(context, 0)
      throw fault
    }
  }

  return function serveRecorded(context) {
    const response = serve(context)
    if (response instanceof Promise || recorder.isUnread(context)) return recordAnswered(context, response)
    record(context, context.sent?.status ?? response.status)
    const settled = settle(context)
    return settled === undefined ? response : settled.then(() => response)
  }
}
