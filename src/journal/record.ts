import { findTraceId } from '../http/trace-context.ts'
import type { JournalEntry } from './entry.ts'
import { toKeptBody } from './kept-body.ts'
import type { RecordedBody } from './kept-body.ts'
import type { Redactor } from './redact.ts'

/** Headers as an exchange has them at hand, a list being names and values in turn; none changes once it is over. */
export type RecordedHeaders = Headers | Readonly<Record<string, string>> | readonly string[]

/** What is handed over of an exchange: references to what is there anyway, so that recording costs next to nothing. */
export interface ExchangeRecord {
  /** Epoch milliseconds by the mock's clock. */
  readonly time: number
  readonly durationMilliseconds: number
  readonly session: string
  readonly correlationId: string
  readonly operation?: string | undefined
  readonly projectKey?: string | undefined
  readonly isPassedThrough?: boolean | undefined
  readonly scenarios: readonly string[]
  readonly warnings: readonly string[]
  readonly method: string
  /** Absolute. */
  readonly url: string
  readonly requestHeaders: RecordedHeaders
  readonly requestBody?: string | Uint8Array | undefined
  readonly clientAddress?: string | undefined
  /** 0 where a fault broke the connection off. */
  readonly status: number
  readonly responseHeaders: RecordedHeaders
  readonly responseBody?: string | Uint8Array | undefined
  readonly fault?: string | undefined
}

/** An exchange as it waits to be read: no body in it is larger than what is kept. */
export type WaitingRecord = Omit<ExchangeRecord, 'requestBody' | 'responseBody'> & {
  readonly requestBody?: RecordedBody | undefined
  readonly responseBody?: RecordedBody | undefined
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

/** Makes the entry of a record: headers read, secrets redacted. What it returns is frozen, for it is shared. */
export type ToEntry = (record: WaitingRecord) => JournalEntry

/** Creates what makes entries, each with an id of its own. */
export function createToEntry(redactor: Redactor, newId: () => string): ToEntry {
  return function toEntry(record) {
    const { time, durationMilliseconds, session, correlationId, operation, projectKey, clientAddress, fault } = record
    const requestHeaders = readHeaders(record.requestHeaders, redactor)
    const traceId = findTraceId(requestHeaders['traceparent'])
    const requestBody = redactor.body(record.url, toKeptBody(record.requestBody))
    const responseBody = redactor.body(record.url, toKeptBody(record.responseBody))
    return Object.freeze<JournalEntry>({
      id: newId(),
      time,
      durationMilliseconds,
      session,
      correlationId,
      ...(traceId === undefined ? {} : { traceId }),
      ...(operation === undefined ? {} : { operation }),
      ...(projectKey === undefined ? {} : { projectKey }),
      ...(record.isPassedThrough === true ? { isPassedThrough: true } : {}),
      scenarios: Object.freeze([...record.scenarios]),
      warnings: Object.freeze([...record.warnings]),
      request: Object.freeze({
        method: record.method,
        url: redactor.url(record.url),
        headers: requestHeaders,
        ...(requestBody === undefined ? {} : { body: Object.freeze(requestBody) }),
        ...(clientAddress === undefined ? {} : { clientAddress }),
      }),
      response: Object.freeze({
        status: record.status,
        headers: readHeaders(record.responseHeaders, redactor),
        ...(responseBody === undefined ? {} : { body: Object.freeze(responseBody) }),
        ...(fault === undefined ? {} : { fault }),
      }),
    })
  }
}
