import { encoder, toBase64 } from '../../service/http/body.ts'
import { toWarningList } from '../../service/contract/check.ts'
import type { Warnings } from '../../service/contract/check.ts'
import { findTraceId } from '../../service/http/request-head.ts'
import type { Redactor, KeptBody } from './redact.ts'
import { inSlices } from '../../util/time-slices.ts'
import { RECORD_BYTES, SLOT_BYTES, sizeOf, textBytes } from '../../service/state/memory.ts'
import { memoizeLast } from '../../util/collections.ts'

/** An exchange as it leaves the journal: request, response, and how the mock handled it. Secrets are redacted. */
export interface RedactedExchange {
  readonly id: string
  /** Epoch milliseconds by the mock's clock. */
  readonly time: number
  readonly durationMilliseconds: number
  /** How much of the duration is delays of scenarios, `X-Mock-Delay` or `--delay`; absent without one. */
  readonly addedDelayMilliseconds?: number
  readonly session: string
  readonly correlationId: string
  /** The trace id of the request's `traceparent`. */
  readonly traceId?: string
  /** The id of the operation; absent if no operation matched the request. */
  readonly operation?: string
  readonly projectKey?: string
  /** The scopes of the request's token; absent if it had no token, or one that allows everything. */
  readonly scopes?: readonly string[]
  /** The request matched no endpoint and was forwarded to the `--passthrough` URL. */
  readonly isPassedThrough?: boolean
  /** The client disconnected before it had the whole response: the app cancelled the request, or its time limit passed. */
  readonly clientLeft?: true
  /** The client left, and the request changed the data all the same. */
  readonly tookEffect?: true
  /** Names of the scenarios whose rules fired. */
  readonly scenarios: readonly string[]
  /** Formatted as `<D-number> <sentence>`. */
  readonly warnings: readonly string[]
  readonly request: {
    readonly method: string
    /** Absolute, as the client sent it. */
    readonly url: string
    /** Names are in lower case. */
    readonly headers: Readonly<Record<string, string>>
    readonly body?: KeptBody
    readonly clientAddress?: string
  }
  readonly response: {
    /** 0 if the connection broke before the response. */
    readonly status: number
    /** Names are in lower case. Values of `set-cookie` are separated by newlines. */
    readonly headers: Readonly<Record<string, string>>
    readonly body?: KeptBody
    /** What replaced the response: the fault of a scenario, or {@link CLIENT_DISCONNECTED}. */
    readonly fault?: string
  }
}

/** The members that show whether a request was matched. */
interface MatchMembers {
  readonly operation?: string | undefined
  readonly isPassedThrough?: boolean | undefined
}

/** Whether a request was unmatched: 404 for an unknown path, or 405 for an unsupported method. */
export const isUnmatchedStatus = ({ operation, isPassedThrough }: MatchMembers, status: number): boolean =>
  operation === undefined && isPassedThrough !== true && (status === 404 || status === 405)

export const isUnmatched = (entry: RedactedExchange): boolean => isUnmatchedStatus(entry, entry.response.status)

/** A request in the log. */
export interface LogLine {
  /** When the request arrived, in ISO 8601. */
  readonly time: string
  readonly method: string
  /** Path and query as the client sent them. */
  readonly target: string
  /** 0 if the connection broke before the response. */
  readonly status: number
  /** The client disconnected before it had the whole response. */
  readonly clientLeft?: true | undefined
  /** The client left, and the request changed the data all the same. */
  readonly tookEffect?: true | undefined
  readonly durationMilliseconds: number
  readonly correlationId: string
  /** The trace id of the request's `traceparent`. */
  readonly traceId?: string | undefined
  /** Absent if the request matched no operation. */
  readonly operation?: string | undefined
  readonly session: string
  /** Scenarios whose rules fired. */
  readonly scenarios: readonly string[]
  /** Formatted as `<D-number> <sentence>`. */
  readonly warnings: readonly string[]
}

/** Maximum size of a recorded body in bytes; longer bodies are truncated. */
export const KEPT_BYTES = 64 * 1024

/** The start of a body over the limit. */
interface CutBody {
  readonly bytes: Uint8Array
  /** Size of the whole body in bytes. */
  readonly size: number
}

/** A recorded body: a reference to a small one, or the start of a large one. */
export type RecordedBody = string | Uint8Array | CutBody

const exactDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Creates the recorded form of a body. Large texts are copied to bytes, because a slice would keep the whole string in
 * memory, as a view would keep the whole buffer.
 */
export function toRecordedBody(body: string | Uint8Array | undefined): RecordedBody | undefined {
  if (body === undefined) return undefined
  if (typeof body === 'string') {
    if (body.length <= KEPT_BYTES) return body
    const bytes = new Uint8Array(KEPT_BYTES)
    const { written } = encoder.encodeInto(body, bytes)
    return { bytes: bytes.subarray(0, written), size: encoder.encode(body).byteLength }
  }
  if (body.byteLength <= KEPT_BYTES && body.buffer.byteLength === body.byteLength) return body
  const bytes = new Uint8Array(body.subarray(0, KEPT_BYTES))
  return bytes.byteLength === body.byteLength ? bytes : { bytes, size: body.byteLength }
}

/** Decodes UTF-8. Truncation may have split the last character, leaving up to three of its bytes. */
function findKeptText(bytes: Uint8Array, isCut: boolean): string | undefined {
  for (let spare = 0; spare <= (isCut ? 3 : 0); spare += 1) {
    try {
      return exactDecoder.decode(bytes.subarray(0, bytes.byteLength - spare))
    } catch {
      // Not UTF-8 as far as this: tried again with less, else kept as base64.
    }
  }
  return undefined
}

/** Only to measure texts: `encode` takes ten times as long, because it creates an array each time. */
const encoded = new Uint8Array(KEPT_BYTES)

/** Converts a body for an entry; undefined if it is empty. */
export function toKeptBody(body: RecordedBody | undefined): KeptBody | undefined {
  if (body === undefined) return undefined
  if (typeof body === 'string') {
    if (body === '') return undefined
    const { read, written: size } = encoder.encodeInto(body, encoded)
    if (read === body.length) return { text: body, encoding: 'utf-8', size, isCut: false }
    return toKeptBody({ bytes: encoded.slice(0, size), size: encoder.encode(body).byteLength })
  }
  const { bytes, size } = ArrayBuffer.isView(body) ? { bytes: body, size: body.byteLength } : body
  if (size === 0) return undefined
  const isCut = size > bytes.byteLength
  const text = findKeptText(bytes, isCut)
  return text === undefined
    ? { text: toBase64(bytes), encoding: 'base64', size, isCut }
    : { text, encoding: 'utf-8', size, isCut }
}

/** The kept part of a body in base64. */
export const toBodyAsBase64 = (body: KeptBody): string =>
  body.encoding === 'base64' ? body.text : toBase64(encoder.encode(body.text))

export const toCutNote = (body: KeptBody): string => `truncated: the first ${KEPT_BYTES} of ${body.size} bytes`

/** Headers in their original form. Lists alternate names and values. Never modified after the exchange. */
export type RecordedHeaders = Headers | Readonly<Record<string, string>> | readonly string[]

/** What a kept exchange consists of until it is read. It references existing objects, so recording is almost free. */
export interface KeptMembers extends Warnings {
  /** Epoch milliseconds by the mock's clock. */
  readonly time: number
  readonly durationMilliseconds: number
  readonly addedDelay: number
  readonly sessionName: string
  readonly correlationId: string
  readonly operation: string | undefined
  readonly projectKey: string | undefined
  readonly scopes: ReadonlySet<string> | undefined
  readonly isPassedThrough: boolean
  readonly clientLeft: boolean
  readonly tookEffect: boolean
  readonly scenarios: readonly string[]
  readonly method: string
  /** Absolute. */
  readonly url: string
  readonly requestHeaders: RecordedHeaders
  readonly keptRequestBody: RecordedBody | undefined
  readonly clientAddress: string | undefined
  /** 0 if the connection broke before the response. */
  readonly status: number
  readonly responseHeaders: RecordedHeaders
  readonly keptResponseBody: RecordedBody | undefined
  readonly fault: string | undefined
}

/** Whether headers are a list of alternating names and values. */
export function isHeaderList(headers: RecordedHeaders): headers is readonly string[] {
  return Array.isArray(headers)
}

/**
 * Creates a function that returns the previous header list if the new one is equal. Most clients send the same headers
 * every time, so a journal of thousands of exchanges keeps them only once.
 */
export function createShareHeaders(): (headers: readonly string[]) => readonly string[] {
  let last: readonly string[] = []
  return function shareHeaders(headers) {
    const isEqual = headers.length === last.length && headers.every((text, at) => text === last[at])
    if (!isEqual) last = headers
    return last
  }
}

/**
 * Separator for values with the same name (Fetch standard, section 2.2.2; RFC 9113, section 8.2.3; RFC 6265, section 3).
 */
function toSeparator(name: string): string {
  if (name === 'set-cookie') return '\n'
  return name === 'cookie' ? '; ' : ', '
}

function* listHeaders(recorded: RecordedHeaders): Iterable<readonly [name: string, value: string]> {
  if (recorded instanceof Headers) yield* recorded
  else if (!isHeaderList(recorded)) yield* Object.entries(recorded)
  else for (let at = 0; at + 1 < recorded.length; at += 2) yield [recorded[at] ?? '', recorded[at + 1] ?? '']
}

function readRecordedHeaders(recorded: RecordedHeaders, redactor: Redactor): Readonly<Record<string, string>> {
  const read = new Map<string, string>()
  for (const [name, value] of listHeaders(recorded)) {
    const key = name.toLowerCase()
    const known = read.get(key)
    read.set(key, known === undefined ? value : known + toSeparator(key) + value)
  }
  return Object.freeze(Object.fromEntries(Array.from(read, ([name, value]) => [name, redactor.header(name, value)])))
}

/** Creates an entry with parsed headers and redacted secrets. Entries are frozen because they are shared. */
export type ToEntry = (exchange: KeptMembers) => RedactedExchange

/** Creates a {@link ToEntry} that gives every entry an id. */
export function createToEntry(redactor: Redactor, newId: () => string): ToEntry {
  // Most exchanges share the list of the previous one.
  const readRequestHeaders = memoizeLast((headers: RecordedHeaders) => readRecordedHeaders(headers, redactor))
  return function toEntry(exchange) {
    const { time, durationMilliseconds, correlationId, operation, projectKey, clientAddress, fault, url } = exchange
    const { scopes, addedDelay } = exchange
    const requestHeaders = readRequestHeaders(exchange.requestHeaders)
    const traceId = findTraceId(requestHeaders['traceparent'])
    const requestBody = redactor.body(url, toKeptBody(exchange.keptRequestBody))
    const responseBody = redactor.body(url, toKeptBody(exchange.keptResponseBody))
    return Object.freeze<RedactedExchange>({
      id: newId(),
      time,
      durationMilliseconds,
      ...(addedDelay === 0 ? {} : { addedDelayMilliseconds: addedDelay }),
      session: exchange.sessionName,
      correlationId,
      ...(traceId === undefined ? {} : { traceId }),
      ...(operation === undefined ? {} : { operation }),
      ...(projectKey === undefined ? {} : { projectKey }),
      ...(scopes === undefined ? {} : { scopes: Object.freeze([...scopes]) }),
      ...(exchange.isPassedThrough ? { isPassedThrough: true } : {}),
      ...(exchange.clientLeft ? { clientLeft: true } : {}),
      ...(exchange.tookEffect ? { tookEffect: true } : {}),
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
        headers: readRecordedHeaders(exchange.responseHeaders, redactor),
        ...(responseBody === undefined ? {} : { body: Object.freeze(responseBody) }),
        ...(fault === undefined ? {} : { fault }),
      }),
    })
  }
}

/** Most exchanges share the list, and the token, of the previous one. */
const requestHeadersBytes = memoizeLast(sizeOf)
const scopesBytes = memoizeLast(sizeOf)

function responseHeadersBytes(headers: RecordedHeaders): number {
  if (headers instanceof Headers || isHeaderList(headers)) return sizeOf(headers)
  let bytes = 0
  for (const name in headers) bytes += SLOT_BYTES + textBytes(headers[name])
  return bytes
}

const bodyBytes = (body: RecordedBody | undefined): number =>
  typeof body === 'string' ? textBytes(body) : sizeOf(body)

/** What an exchange takes besides what may be long: its objects, numbers, ids and names. */
const EXCHANGE_BYTES = 2 * RECORD_BYTES

/** Counts the memory of an exchange, in bytes. A walk over all of its members would take 3 % of a request. */
export const exchangeBytes = (exchange: KeptMembers): number =>
  EXCHANGE_BYTES +
  textBytes(exchange.url) +
  requestHeadersBytes(exchange.requestHeaders) +
  responseHeadersBytes(exchange.responseHeaders) +
  bodyBytes(exchange.keptRequestBody) +
  bodyBytes(exchange.keptResponseBody) +
  scopesBytes(exchange.scopes) +
  (exchange.scenarios.length === 0 ? 0 : sizeOf(exchange.scenarios)) +
  (exchange.warnings.length === 0 ? 0 : sizeOf(exchange.warnings))

/** The memory of an entry whose JSON text has this many characters, in bytes. */
export const entryBytes = (characters: number): number => RECORD_BYTES + 2 * characters

/**
 * Reads entries one at a time, yielding to other requests every few milliseconds. Use it for more than one entry: reading a
 * whole journal synchronously would delay all requests.
 */
export async function* readEntries(
  exchanges: Iterable<{ readonly entry: RedactedExchange }>,
): AsyncGenerator<RedactedExchange, void> {
  for await (const { entry } of inSlices(exchanges)) yield entry
}
