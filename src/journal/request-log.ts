import type { JournalEntry } from './entry.ts'

/** One line of the request log. */
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
  /** Absent if the request matched no operation. */
  readonly operation?: string | undefined
  readonly session: string
  /** Scenarios whose rules fired. */
  readonly scenarios: readonly string[]
  /** `<D-number> <sentence>` each. */
  readonly warnings: readonly string[]
}

// The shapes of WireMock's admin API, version 3; members that WireMock does not have are ours.

/** By lower-case name, the values of one name joined by a comma; those of `set-cookie` are a list. */
export type LoggedHeaders = Readonly<Record<string, string | readonly string[]>>

/** A request as the admin API lists it. Tokens, cookies and secrets in it are redacted. */
export interface LoggedRequest extends Pick<
  JournalEntry,
  'session' | 'correlationId' | 'traceId' | 'operation' | 'projectKey' | 'isPassedThrough' | 'scenarios' | 'warnings'
> {
  readonly id: string
  readonly method: string
  /** Path and query, as the client sent them. */
  readonly url: string
  readonly absoluteUrl: string
  readonly headers: LoggedHeaders
  readonly cookies: Readonly<Record<string, string>>
  readonly queryParams: Readonly<Record<string, { readonly key: string; readonly values: readonly string[] }>>
  /** As text, truncated at 64 KiB; empty if there was none, or if its bytes are not text. */
  readonly body: string
  readonly bodyAsBase64: string
  /** In bytes, if the body was truncated. */
  readonly bodySize?: number
  readonly scheme: string
  readonly host: string
  readonly port: number
  /** Empty if the request came in-process. */
  readonly clientIp: string
  /** Epoch milliseconds by the mock's clock. */
  readonly loggedDate: number
  /** ISO 8601. */
  readonly loggedDateString: string
  readonly browserProxyRequest: boolean
}

/** A response as the admin API lists it. */
export interface LoggedResponse {
  /** 0 if a fault broke the connection. */
  readonly status: number
  readonly headers: LoggedHeaders
  /** As text, truncated at 64 KiB; empty if there was none, or if its bytes are not text. */
  readonly body: string
  readonly bodyAsBase64: string
  /** In bytes, if the body was truncated. */
  readonly bodySize?: number
  /** The fault that broke the connection. */
  readonly fault?: string
}

/** A request of the journal, with its response. */
export interface JournaledRequest extends LoggedRequest {
  readonly response: LoggedResponse
}
