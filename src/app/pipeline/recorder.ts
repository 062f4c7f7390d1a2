import { toWarningList } from '../../service/contract/check.ts'
import { findTraceId } from '../../service/http/request-head.ts'
import { readBytes } from '../../service/http/body.ts'
import { wait, breakWithoutSocket, isAborted } from '../../service/http/connection.ts'
import { KEPT_BYTES, createShareHeaders } from '../../sessions/journal/record.ts'
import type { Metrics } from '../../sessions/journal/counts.ts'
import { memoize } from '../../util/collections.ts'
import type { Redactor } from '../../sessions/journal/redact.ts'
import type { LogLine } from '../../sessions/journal/record.ts'
import type { ScenarioOutcome } from '../../service/scenarios/effects.ts'
import type { Events } from '../../sessions/events.ts'
import type { Session } from '../../sessions/sessions.ts'
import type { Sharing } from '../../sessions/sharing.ts'
import { createToTime } from './exchange.ts'
import type { Exchange } from './exchange.ts'
import { toReplyHeaders } from './reply.ts'

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
    clientLeft: exchange.clientLeft,
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
  refresh,
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
  /** Reads what other mocks have recorded in a session; undefined if there are none. */
  readonly refresh: ((session: string) => Promise<void>) | undefined
  /** Absent if requests are not logged. */
  readonly log: ((line: LogLine) => void) | undefined
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
    if (session === undefined || exchange.isStored) return
    const { journal, name, hasEnded } = session
    if (!hasEnded) countCoverage(exchange, session)
    if (!isWanted(exchange)) return
    const kept = journal.record(exchange.toKept(shareHeaders))
    exchange.kept = kept
    exchange.onLeave = leave
    if (!isReportedLater && !hasEnded && events.hasSubscribers(name))
      events.publish({ kind: 'request', session: name, entry: kept.entry })
  }

  /** Notes that the client has left since the exchange was recorded: while it waited, or got the response. */
  function leave(exchange: Exchange): void {
    const { kept, session } = exchange
    if (kept === undefined || session === undefined) return
    exchange.clientLeft = true
    kept.leave(durationOf(exchange))
    // A journal error must not change the response.
    refresh?.(session.name)
      .then(() => session.journal.amend(kept))
      .catch(() => undefined)
    if (!isReportedLater && !session.hasEnded && events.hasSubscribers(session.name))
      events.publish({ kind: 'request', session: session.name, entry: kept.entry })
  }

  /** Notes that the client has left, unless the mock itself has closed the connection. */
  function noteLeft(exchange: Exchange): void {
    if (exchange.isStored || !(exchange.connection?.hasLeft ?? isAborted(exchange.request))) return
    if (!exchange.isRecorded) exchange.leave()
    else if (exchange.fault === 'TIMEOUT') leave(exchange)
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
      clientLeft: exchange.clientLeft || undefined,
      tookEffect: exchange.tookEffect || undefined,
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

  async function endLater(exchange: Exchange, answering: Response | Promise<Response>): Promise<Response> {
    try {
      const response = await answering
      const rest = readRest(exchange)
      if (rest !== undefined) await rest
      noteLeft(exchange)
      finish(exchange, response)
      const settled = settle(exchange.session)
      if (settled !== undefined) await settled
      return response
    } catch (error) {
      noteLeft(exchange)
      finish(exchange, undefined)
      throw error
    }
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

    /** Records a read before its response, unless the store has something that it missed. Returns whether it did. */
    async recordRead(exchange: Exchange, session: Session, recordRead: Sharing['recordRead']): Promise<boolean> {
      exchange.durationMilliseconds = durationOf(exchange)
      countCoverage(exchange, session)
      exchange.isStored = await recordRead(session, exchange.toKept(shareHeaders), exchange.readAt)
      // It begins again.
      if (!exchange.isStored) events.endPending(exchange)
      return exchange.isStored
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
      noteLeft(exchange)
      // Recorded before the fault, so that a client that is kept waiting is listed.
      record(exchange)
      // Settled before the fault, so that a client that sees it can find the request in every mock.
      await settle(exchange.session)
      return connection?.breakOff?.(fault, unsent) ?? breakWithoutSocket(fault, unsent, request)
    },

    /** Records and logs an exchange after its response, without a promise if there is nothing to wait for. */
    end(exchange: Exchange, answering: Response | Promise<Response>): Response | Promise<Response> {
      if (answering instanceof Promise || isUnread(exchange)) return endLater(exchange, answering)
      finish(exchange, answering)
      return answering
    },
  }
}

export type Recorder = ReturnType<typeof createRecorder>
