/** One line of the request log: what was asked and how it was answered. */
export interface RequestLog {
  /** ISO 8601, when the request came in. */
  readonly time: string
  readonly method: string
  /** Path and query as the client sent them. */
  readonly target: string
  readonly status: number
  readonly durationMilliseconds: number
  readonly correlationId: string
  /** The trace id of the request's `traceparent`. */
  readonly traceId?: string | undefined
  /** Absent where the request met no operation. */
  readonly operation?: string | undefined
  readonly session: string
  /** Scenarios whose rules acted. */
  readonly scenarios: readonly string[]
  /** `<D-number> <sentence>` each. */
  readonly warnings: readonly string[]
}
