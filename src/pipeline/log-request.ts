import { toWarningList } from '../contract/warning.ts'
import { findTraceId } from '../http/trace-context.ts'
import type { Redactor } from '../journal/redact.ts'
import type { RequestLog } from '../journal/request-log.ts'
import { memoizeLast } from '../util/memoize.ts'
import type { RequestContext } from './request-context.ts'

interface RequestLogParts {
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number
  readonly redactor: Redactor
  readonly log: (entry: RequestLog) => void
}

/** Logs a request and the status of its response, 0 for a connection that was broken. */
export type LogRequest = (context: RequestContext, status: number) => void

export function createLogRequest({ elapsed, redactor, log }: RequestLogParts): LogRequest {
  const toTime = memoizeLast((at: number) => new Date(at).toISOString())

  /** `--redact traceparent` hides it. */
  const findShownTraceId = (traceparent: string | undefined): string | undefined =>
    traceparent === undefined ? undefined : findTraceId(redactor.headers({ traceparent })['traceparent'])

  return function logRequest(context, status) {
    const { method, target, receivedAt, startedAt, operation, correlationId, session, scenarios } = context
    log({
      time: toTime(receivedAt),
      method,
      // It may hold a token, or an OAuth form (D31).
      target: redactor.url(target),
      status,
      // Microseconds are precise enough.
      durationMilliseconds: Math.round((elapsed() - startedAt) * 1000) / 1000,
      correlationId,
      traceId: findShownTraceId(context.header('traceparent')),
      operation,
      session,
      scenarios,
      warnings: toWarningList(context),
    })
  }
}
