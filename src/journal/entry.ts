/** A body as the journal keeps it: text, or base64 of bytes that are no text; cut at 64 KiB. */
export interface KeptBody {
  readonly text: string
  readonly encoding: 'utf-8' | 'base64'
  /** The size before it was cut, in bytes. */
  readonly size: number
  readonly isCut: boolean
}

/** One exchange, as it was: request, answer, and what the mock made of it. Secrets are redacted. */
export interface JournalEntry {
  readonly id: string
  /** Epoch milliseconds by the mock's clock. */
  readonly time: number
  readonly durationMilliseconds: number
  readonly session: string
  readonly correlationId: string
  /** The trace id of the request's `traceparent`. */
  readonly traceId?: string
  /** The id of the operation; absent if no operation matched the request. */
  readonly operation?: string
  readonly projectKey?: string
  /** It met no endpoint and went to the service of `--passthrough`. */
  readonly isPassedThrough?: boolean
  /** Names of the scenarios whose rules fired. */
  readonly scenarios: readonly string[]
  /** `<D-number> <sentence>` each. */
  readonly warnings: readonly string[]
  readonly request: {
    readonly method: string
    /** Absolute, as the client sent it. */
    readonly url: string
    /** By lower-case name. */
    readonly headers: Readonly<Record<string, string>>
    readonly body?: KeptBody
    readonly clientAddress?: string
  }
  readonly response: {
    /** 0 where the connection was broken off by a fault. */
    readonly status: number
    /** By lower-case name; several values of `set-cookie` stand on a line each. */
    readonly headers: Readonly<Record<string, string>>
    readonly body?: KeptBody
    /** The name of the fault that ended it instead of an answer. */
    readonly fault?: string
  }
}

/** What tells whether a request met anything. */
interface Meeting {
  readonly operation?: string | undefined
  readonly isPassedThrough?: boolean | undefined
}

/** Whether a request with this answer met nothing: no path (404), or not with that method (405). */
export const isUnmatchedStatus = ({ operation, isPassedThrough }: Meeting, status: number): boolean =>
  operation === undefined && isPassedThrough !== true && (status === 404 || status === 405)

/** Whether a request met nothing at all. */
export const isUnmatched = (entry: JournalEntry): boolean => isUnmatchedStatus(entry, entry.response.status)
