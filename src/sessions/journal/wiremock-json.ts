import type { RedactedExchange } from './record.ts'
import type { KeptBody } from './redact.ts'
import { endpoints } from '../../service/contract/endpoints.ts'
import { isUnmatched, toBodyAsBase64 } from './record.ts'
import { parseRawQuery } from '../../service/http/request-head.ts'
import type { NearOperation, NearRequest, RequestLine } from './near-misses.ts'
import { parseObject, parsePatternJson } from './value-patterns.ts'
import type { RequestPattern } from './patterns.ts'
import { toCookiePairs, toTarget } from './target.ts'

// The shapes of WireMock's admin API, version 3, plus our own members.

/**
 * Names are in lower case. Values of the same name are joined with commas, except those of `set-cookie`, which are a list.
 */
export type LoggedHeaders = Readonly<Record<string, string | readonly string[]>>

/** A request in the journal, with its response, as the admin API lists it. Tokens, cookies and other secrets are redacted. */
export interface JournalEntry extends Omit<
  RedactedExchange,
  'time' | 'addedDelayMilliseconds' | 'request' | 'response'
> {
  readonly method: string
  /** Path and query, as the client sent them. */
  readonly url: string
  readonly absoluteUrl: string
  readonly headers: LoggedHeaders
  readonly cookies: Readonly<Record<string, string>>
  readonly queryParams: Readonly<Record<string, { readonly key: string; readonly values: readonly string[] }>>
  /** Text, truncated to 64 KiB; empty if there was no body, or if it is binary. */
  readonly body: string
  readonly bodyAsBase64: string
  /** Size in bytes, if the body was truncated. */
  readonly bodySize?: number
  readonly scheme: string
  readonly host: string
  readonly port: number
  /** Empty for in-process requests. */
  readonly clientIp: string
  /** Epoch milliseconds by the mock's clock. */
  readonly loggedDate: number
  /** ISO 8601. */
  readonly loggedDateString: string
  readonly browserProxyRequest: boolean
  readonly response: LoggedResponse
}

/** A response as the admin API lists it. */
export interface LoggedResponse {
  /** 0 if the connection broke before the response. */
  readonly status: number
  readonly headers: LoggedHeaders
  /** Text, truncated to 64 KiB; empty if there was no body, or if it is binary. */
  readonly body: string
  readonly bodyAsBase64: string
  /** Size in bytes, if the body was truncated. */
  readonly bodySize?: number
  /** What replaced the response: the fault of a scenario, or `CLIENT_DISCONNECTED`. */
  readonly fault?: string
}

/** A header's value, or a list of values if it was sent several times. */
function toLoggedHeaders(headers: Readonly<Record<string, string>>): LoggedHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.includes('\n') ? value.split('\n') : value]),
  )
}

const toLoggedText = (body: KeptBody | undefined): string => (body?.encoding === 'utf-8' ? body.text : '')
const toBodyBase64 = (body: KeptBody | undefined): string => (body === undefined ? '' : toBodyAsBase64(body))

/** Splits an origin such as `http://localhost:4010`. The port defaults to that of the scheme. */
function toOrigin(url: string): { scheme: string; host: string; port: number } {
  const [, scheme = 'http', host = '', port] = /^(\w+):\/\/(\[[^\]]*\]|[^/:?#]*)(?::(\d+))?/.exec(url) ?? []
  return { scheme, host, port: port === undefined ? (scheme === 'https' ? 443 : 80) : Number(port) }
}

/** A request as WireMock's `unmatched` and near misses list it. */
export function toWireMockRequest(entry: RedactedExchange): Omit<JournalEntry, 'durationMilliseconds' | 'response'> {
  const { request, time } = entry
  const { sent, search } = toTarget(request.url)
  return {
    url: sent,
    absoluteUrl: request.url,
    method: request.method,
    clientIp: request.clientAddress ?? '',
    headers: toLoggedHeaders(request.headers),
    cookies: Object.fromEntries(toCookiePairs(request.headers.cookie)),
    browserProxyRequest: false,
    loggedDate: time,
    loggedDateString: new Date(time).toISOString(),
    bodyAsBase64: toBodyBase64(request.body),
    body: toLoggedText(request.body),
    ...toOrigin(request.url),
    queryParams: Object.fromEntries([...parseRawQuery(search)].map(([key, values]) => [key, { key, values }])),
    ...toOwnMembers(entry),
    ...(request.body?.isCut === true ? { bodySize: request.body.size } : {}),
  }
}

/** The members that WireMock does not have. */
function toOwnMembers(entry: RedactedExchange) {
  const { time: _time, durationMilliseconds: _duration, request: _request, response: _response, ...own } = entry
  const { addedDelayMilliseconds: _delay, ...members } = own
  return members
}

function toLoggedResponse({ response: { status, headers, body, fault } }: RedactedExchange): LoggedResponse {
  return {
    status,
    headers: toLoggedHeaders(headers),
    bodyAsBase64: toBodyBase64(body),
    body: toLoggedText(body),
    ...(fault === undefined ? {} : { fault }),
    ...(body?.isCut === true ? { bodySize: body.size } : {}),
  }
}

/** A request as WireMock's `find` lists it, plus its duration and response, which WireMock omits. */
export const toJournalEntry = (entry: RedactedExchange): JournalEntry => ({
  ...toWireMockRequest(entry),
  durationMilliseconds: entry.durationMilliseconds,
  response: toLoggedResponse(entry),
})

/** An exchange as WireMock lists it under `/__admin/requests`: as a `ServeEvent`. */
export function toWireMockEvent(entry: RedactedExchange) {
  const { request, response, durationMilliseconds } = entry
  const totalTime = Math.round(durationMilliseconds)
  const addedDelay = Math.round(entry.addedDelayMilliseconds ?? 0)
  const { status, body, fault } = response
  const headers = toLoggedHeaders(response.headers)
  const faulty = fault === undefined ? {} : { fault }
  const isText = body?.encoding !== 'base64'
  return {
    ...toOwnMembers(entry),
    request: toWireMockRequest(entry),
    responseDefinition: {
      status,
      headers,
      ...(isText ? { body: toLoggedText(body) } : { base64Body: body.text }),
      ...faulty,
      fromConfiguredStub: !isUnmatched(entry),
    },
    response: toLoggedResponse(entry),
    wasMatched: !isUnmatched(entry),
    /** WireMock's timings are whole milliseconds, but most requests take less. */
    durationMilliseconds,
    timing: {
      addedDelay,
      processTime: totalTime - addedDelay,
      responseSendTime: 0,
      serveTime: totalTime - addedDelay,
      totalTime,
    },
    ...(request.clientAddress === undefined ? {} : { clientAddress: request.clientAddress }),
  }
}

/** A near miss as WireMock lists it, for an unmatched request, with an operation instead of a stub. */
export function toOperationNearMiss(entry: RedactedExchange | undefined, miss: NearOperation) {
  const { operation, distance, message, differences } = miss
  const { method, path } = endpoints[operation]
  return {
    ...(entry === undefined ? {} : { request: toWireMockRequest(entry) }),
    stubMapping: { name: operation, request: { method, urlPathTemplate: path } },
    matchResult: { distance },
    message,
    differences,
  }
}

/** A near miss of a pattern as WireMock lists it. */
export function toRequestNearMiss({ source }: RequestPattern, { entry, distance, message, differences }: NearRequest) {
  return {
    request: toWireMockRequest(entry),
    requestPattern: source,
    matchResult: { distance },
    message,
    differences,
  }
}

/**
 * Reads the members of a logged request that near misses need, ignoring the others.
 *
 * @throws {Problem} 400 if `method` or `url` is missing.
 */
export function parseRequestLine(json: unknown): RequestLine {
  const { method, url, absoluteUrl } = parseObject(json, 'request')
  return { method: parsePatternJson(method, 'method').toUpperCase(), url: parsePatternJson(absoluteUrl ?? url, 'url') }
}
