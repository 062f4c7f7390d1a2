import { toWarningList } from '../contract/warning.ts'
import type { Warnings } from '../contract/warning.ts'
import { findTraceId } from '../http/trace-context.ts'
import type { JournalEntry } from './entry.ts'
import { toKeptBody } from './kept-body.ts'
import type { RecordedBody } from './kept-body.ts'
import type { Redactor } from './redact.ts'

/** Headers as an exchange has them at hand, a list being names and values in turn; none changes once it is over. */
export type RecordedHeaders = Headers | Readonly<Record<string, string>> | readonly string[]

/** What a journal keeps of an exchange: references to what exists anyway, so that recording costs next to nothing. */
export interface RecordedExchange extends Warnings {
  /** Epoch milliseconds by the mock's clock. */
  readonly time: number
  readonly durationMilliseconds: number
  readonly sessionName: string
  readonly correlationId: string
  readonly operation: string | undefined
  readonly projectKey: string | undefined
  readonly isPassedThrough: boolean
  readonly scenarios: readonly string[]
  readonly method: string
  /** Absolute. */
  readonly url: string
  readonly requestHeaders: RecordedHeaders
  readonly keptRequestBody: RecordedBody | undefined
  readonly clientAddress: string | undefined
  /** 0 if a fault broke the connection. */
  readonly status: number
  readonly responseHeaders: RecordedHeaders
  readonly keptResponseBody: RecordedBody | undefined
  readonly fault: string | undefined
}

/** Whether headers are names and values in turn. */
export function isList(headers: RecordedHeaders): headers is readonly string[] {
  return Array.isArray(headers)
}

/** What parts the values of one name (Fetch standard, section 2.2.2; RFC 9113, section 8.2.3; RFC 6265, section 3). */
function toSeparator(name: string): string {
  if (name === 'set-cookie') return '\n'
  return name === 'cookie' ? '; ' : ', '
}

function* listHeaders(recorded: RecordedHeaders): Iterable<readonly [name: string, value: string]> {
  if (recorded instanceof Headers) yield* recorded
  else if (!isList(recorded)) yield* Object.entries(recorded)
  else for (let at = 0; at + 1 < recorded.length; at += 2) yield [recorded[at] ?? '', recorded[at + 1] ?? '']
}

function readHeaders(recorded: RecordedHeaders, redactor: Redactor): Readonly<Record<string, string>> {
  const read = new Map<string, string>()
  for (const [name, value] of listHeaders(recorded)) {
    const key = name.toLowerCase()
    const known = read.get(key)
    read.set(key, known === undefined ? value : known + toSeparator(key) + value)
  }
  return Object.freeze(redactor.headers(Object.fromEntries(read)))
}

/** Makes the entry of an exchange: headers read, secrets redacted. The entry is frozen, because it is shared. */
export type ToEntry = (exchange: RecordedExchange) => JournalEntry

/** Creates what makes entries, each with an id of its own. */
export function createToEntry(redactor: Redactor, newId: () => string): ToEntry {
  return function toEntry(exchange) {
    const { time, durationMilliseconds, correlationId, operation, projectKey, clientAddress, fault, url } = exchange
    const requestHeaders = readHeaders(exchange.requestHeaders, redactor)
    const traceId = findTraceId(requestHeaders['traceparent'])
    const requestBody = redactor.body(url, toKeptBody(exchange.keptRequestBody))
    const responseBody = redactor.body(url, toKeptBody(exchange.keptResponseBody))
    return Object.freeze<JournalEntry>({
      id: newId(),
      time,
      durationMilliseconds,
      session: exchange.sessionName,
      correlationId,
      ...(traceId === undefined ? {} : { traceId }),
      ...(operation === undefined ? {} : { operation }),
      ...(projectKey === undefined ? {} : { projectKey }),
      ...(exchange.isPassedThrough ? { isPassedThrough: true } : {}),
      scenarios: Object.freeze([...exchange.scenarios]),
      warnings: Object.freeze([...toWarningList(exchange)]),
      request: Object.freeze({
        method: exchange.method,
        url: redactor.url(url),
        headers: requestHeaders,
        ...(requestBody === undefined ? {} : { body: Object.freeze(requestBody) }),
        ...(clientAddress === undefined ? {} : { clientAddress }),
      }),
      response: Object.freeze({
        status: exchange.status,
        headers: readHeaders(exchange.responseHeaders, redactor),
        ...(responseBody === undefined ? {} : { body: Object.freeze(responseBody) }),
        ...(fault === undefined ? {} : { fault }),
      }),
    })
  }
}
