import { toWarningList } from '../contract/warning.ts'
import type { Events } from '../sessions/events.ts'
import type { Exchange } from './exchange.ts'
import { readBytes } from '../http/body.ts'
import { wait } from '../http/delay.ts'
import { KEPT_BYTES } from '../journal/kept-body.ts'
import type { ExchangeRecord } from '../journal/record.ts'
import type { Metrics } from '../journal/metrics.ts'

interface RecorderParts {
  /** Milliseconds of a clock that never stands still. */
  readonly elapsed: () => number
  readonly metrics: Metrics
  readonly events: Events
  /** Whether journals keep anything. */
  readonly isKept: boolean
}

/** Notes each exchange once: in the metrics, in its session's journal, and for whoever listens. */
export interface Recorder {
  readonly record: (exchange: Exchange) => void
  /**
   * Reads what nobody has read of a request's body, because it was refused before that, so that the journal can show
   * it; undefined where there is nothing to wait for.
   */
  readRest(exchange: Exchange): Promise<void> | undefined
  /** Reads a copy of a body that someone else is going to read; undefined where there is nothing to wait for. */
  readCopy(exchange: Exchange): Promise<void> | undefined
}

/** The longest that an answer waits for a body that only the journal wants, in milliseconds. */
const PATIENCE = 50

/** Over a socket only what is small and declared is read: to stop reading in between would end the connection. */
function isWorthReading(exchange: Exchange): boolean {
  const { method, requestBody, connection } = exchange
  if (requestBody !== undefined || method === 'GET' || method === 'HEAD') return false
  const declared = Number(exchange.header('content-length') ?? 0)
  if (connection !== undefined && (declared === 0 || declared > KEPT_BYTES)) return false
  const { body, bodyUsed } = exchange.request
  return body !== null && !bodyUsed
}

/** Keeps a body for the journal; what is too large, broken off, or not what its Content-Encoding says is not shown. */
async function keepBody(exchange: Exchange, request: Request): Promise<void> {
  exchange.requestBody = await readBytes(request, KEPT_BYTES).catch(() => undefined)
}

/** What is kept of most exchanges is made once: what a journal holds, the garbage collector has to carry. */
const NONE: readonly string[] = []
const NO_HEADERS: Readonly<Record<string, string>> = {}

function toRecord(exchange: Exchange, session: string, durationMilliseconds: number): ExchangeRecord {
  const { method, connection, scenarios, sent, brokenBy } = exchange
  return {
    time: exchange.receivedAt,
    durationMilliseconds,
    session,
    correlationId: exchange.correlationId,
    operation: exchange.operation,
    projectKey: exchange.projectKey,
    scenarios: scenarios.length === 0 ? NONE : scenarios,
    warnings: exchange.warnings.length === 0 ? NONE : toWarningList(exchange),
    method,
    url: exchange.origin + exchange.target,
    // A request that came in-process is its caller's, who may change it.
    requestHeaders: connection?.rawHeaders ?? new Headers(exchange.request.headers),
    requestBody: exchange.requestBody,
    clientAddress: connection?.remoteAddress,
    status: brokenBy === undefined ? (sent?.status ?? 0) : 0,
    responseHeaders: brokenBy === undefined ? (sent?.headers ?? NO_HEADERS) : NO_HEADERS,
    responseBody: brokenBy === undefined && method !== 'HEAD' ? sent?.body : undefined,
    fault: brokenBy,
  }
}

export function createRecorder({ elapsed, metrics, events, isKept }: RecorderParts): Recorder {
  const isWanted = ({ entered }: Exchange): boolean => entered !== undefined && (isKept || events.isHeard(entered.name))

  const isUnread = (exchange: Exchange): boolean =>
    !exchange.isRecorded && isWanted(exchange) && isWorthReading(exchange)

  return {
    record(exchange) {
      if (exchange.isRecorded) return
      exchange.isRecorded = true
      const duration = elapsed() - exchange.startedAt
      metrics.count(exchange.operation, exchange.brokenBy === undefined ? (exchange.sent?.status ?? 0) : 0, duration)
      const { entered } = exchange
      if (entered === undefined || !isWanted(exchange)) return
      const kept = entered.journal.record(toRecord(exchange, entered.name, duration))
      if (events.isHeard(entered.name)) {
        events.publish({ kind: 'request', session: entered.name, entry: kept.entry })
      }
    },

    readRest(exchange) {
      if (!isUnread(exchange)) return undefined
      const { request } = exchange
      return Promise.race([keepBody(exchange, request), wait(PATIENCE, request)])
    },

    readCopy(exchange) {
      return isUnread(exchange) ? keepBody(exchange, exchange.request.clone()) : undefined
    },
  }
}
