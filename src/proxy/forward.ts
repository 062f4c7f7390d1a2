import { checkResponse } from './check-response.ts'
import type { CheckRequest } from './check-request.ts'
import { takeBody } from './body.ts'
import type { TakenBody } from './body.ts'
import { findOperation } from './find-operation.ts'
import type { Found } from './find-operation.ts'
import { isJsonType, toClientHeaders, toUpstreamHeaders } from './headers.ts'
import type { Upstream } from './upstream.ts'
import type { Violation } from './violation.ts'
import { parseJson } from '../http/json.ts'
import type { Exchange } from '../walk/exchange.ts'

/** A request on its way to the upstream. */
export interface Outgoing {
  readonly found: Found
  readonly body: TakenBody
  /** Parsed, where it is what the contract asks for. */
  readonly json: unknown
  readonly violations: readonly Violation[]
}

/** An answer on its way to the client. */
export interface Incoming {
  readonly status: number
  readonly headers: Headers
  /** Whole where it was read to be checked, else as it comes. */
  readonly body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | undefined
  /** Parsed, where it is JSON. */
  readonly json: unknown
  readonly violations: readonly Violation[]
}

/** The way that requests go on. */
export interface Route {
  readonly upstream: Upstream
  /** What this proxy calls itself in `Via` (RFC 9110, section 7.6.3). */
  readonly pseudonym: string
}

/** A body longer than this passes unread, in bytes. */
export const MOST_READ = 16 * 1024 * 1024

/** Answers that have no body, whatever their headers say (Fetch standard, "null body status"). */
const BODILESS = new Set([101, 103, 204, 205, 304])

function findJson(bytes: Uint8Array): unknown {
  try {
    return parseJson(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}

const tooLong = (side: 'request' | 'response'): Violation => ({
  location: [side, 'body'],
  severity: 'Warning',
  code: 'Unchecked',
  message: `The body is longer than ${MOST_READ} bytes, and passed unchecked.`,
})

/** Takes a request's body, as it was sent, and holds the request to the contract. */
export async function takeRequest(exchange: Exchange, checkRequest: CheckRequest): Promise<Outgoing> {
  const { request, address, connection } = exchange
  const found = findOperation(request.method, address.path)
  const given = connection?.body
  const body: TakenBody =
    given === undefined ? await takeBody(request.body, MOST_READ) : { kind: 'whole', bytes: given }
  if (body.kind === 'whole') exchange.requestBody = body.bytes
  if (found.kind === 'unknown') return { found, body, json: undefined, violations: [found.violation] }
  if (found.kind === 'undocumented') return { found, body, json: undefined, violations: [] }
  if (body.kind === 'stream') return { found, body, json: undefined, violations: [tooLong('request')] }
  const checked = await checkRequest(found.operation, copyRequest(request, body), address.search)
  // Decompressed, where it could be.
  if (checked.body !== undefined) exchange.requestBody = checked.body
  return { found, body, json: checked.json, violations: checked.violations }
}

/** The request anew, with the body that was read. */
export function copyRequest({ url, method, headers, signal }: Request, body: TakenBody): Request {
  const isBodiless = method === 'GET' || method === 'HEAD' || body.kind === 'stream'
  return new Request(url, { method, headers, signal, body: isBodiless ? null : (body.bytes ?? null) })
}

function toInit({ request, correlationId }: Exchange, body: TakenBody, pseudonym: string): RequestInit {
  const { method, headers, signal } = request
  const content = body.kind === 'stream' ? body.stream : body.bytes
  return {
    method,
    headers: toUpstreamHeaders(headers, correlationId, pseudonym),
    signal,
    // `fetch` gives GET and HEAD no body, and nobody gives it a meaning (RFC 9110, section 9.3.1).
    body: method === 'GET' || method === 'HEAD' ? null : (content ?? null),
    // What the Fetch standard asks for with a stream, and TypeScript does not know of.
    ...(body.kind === 'stream' ? { duplex: 'half' } : {}),
  }
}

/**
 * Sends a request on, and holds the answer to the contract.
 *
 * @throws {Problem} 502 or 504 where there is no answer.
 */
export async function forward(exchange: Exchange, outgoing: Outgoing, route: Route): Promise<Incoming> {
  const { request, address } = exchange
  const { found, body } = outgoing
  // The session is the proxy's own; whatever stands before the service's path besides is the upstream's.
  const prefix = address.session === undefined ? address.prefix : address.prefix.replace(/^\/@[^/]*/, '')
  const target = prefix + address.path + address.search
  const answer = await route.upstream.send(target, toInit(exchange, body, route.pseudonym))
  const { status, headers: own, body: stream } = answer.response
  const headers = toClientHeaders(own)
  if (stream === null || request.method === 'HEAD' || BODILESS.has(status)) {
    answer.release()
    return check({ status, headers, body: undefined, json: undefined }, found, request.method)
  }
  if (!isJsonType(headers)) {
    answer.release()
    return check({ status, headers, body: stream, json: undefined }, found, request.method)
  }
  const taken = await answer.read(takeBody(stream, MOST_READ))
  answer.release()
  if (taken.kind === 'stream') {
    return { status, headers, body: taken.stream, json: undefined, violations: [tooLong('response')] }
  }
  const json = taken.bytes === undefined ? undefined : findJson(taken.bytes)
  return check({ status, headers, body: taken.bytes, json }, found, request.method)
}

function check(incoming: Omit<Incoming, 'violations'>, found: Found, method: string): Incoming {
  if (found.kind !== 'operation') return { ...incoming, violations: [] }
  const { status, headers, body } = incoming
  // What is no JSON is told by its type alone.
  const read = body instanceof ReadableStream ? new Uint8Array() : body
  return { ...incoming, violations: checkResponse(found.operation, method, { status, headers, body: read }) }
}
