import { isRead } from '../../service/http/request-head.ts'
import { toCorsHeaders } from '../../service/http/cors.ts'
import { mapHeader, toPairs, withoutHeaders, fromPairs, toHeaders } from '../../service/http/connection.ts'
import type { RawHeaders, RelayedResponse } from '../../service/http/connection.ts'
import { checkExchange } from './check-exchange.ts'
import { takeBody, findOperation, toUnknownPath } from './proxied-request.ts'
import type { FoundOperation, TakenBody, Incoming, OutgoingRequest, ProxyViolation } from './proxied-request.ts'
import { parseJson } from '../../service/http/json.ts'
import { problem } from '../../errors.ts'
import { decodeUtf8 } from '../../service/http/body.ts'
import { MAX_BYTES } from '../../service/http/sizes.ts'
import type { CheckRequest } from './check-exchange.ts'
import type { Upstream } from './upstream.ts'
import type { Exchange } from '../../app/pipeline/exchange.ts'

/** Hop-by-hop headers (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
])

/** All headers except hop-by-hop ones, including those named in `Connection`. */
function toEndToEnd(raw: RawHeaders): RawHeaders {
  const named = new Set(
    toPairs(raw)
      .filter(([name]) => name.toLowerCase() === 'connection')
      .flatMap(([, value]) => value.split(',').map((one) => one.trim().toLowerCase())),
  )
  return withoutHeaders(raw, (name) => HOP_BY_HOP.has(name) || named.has(name))
}

/** The proxy's own cookies: the session name and the admin API token. */
const OWN_COOKIE = /^\s*mock-(?:session|admin-token)=/

/** Mock-only headers, an expectation, which the mock itself answers, and trailers, which undici does not send. */
const isDropped = (name: string): boolean => name.startsWith('x-mock-') || name === 'expect' || name === 'trailer'

/** The request headers sent to the upstream. */
export function toUpstreamHeaders(
  raw: RawHeaders,
  parts: {
    /** The upstream's own. */
    readonly host: string
    readonly correlationId: string
    /** The HTTP version of the request, such as `1.0`. */
    readonly httpVersion: string
    /** The proxy's name in `Via` (RFC 9110, section 7.6.3). */
    readonly pseudonym: string
  },
): RawHeaders {
  const { host, correlationId, httpVersion, pseudonym } = parts
  const kept = mapHeader(withoutHeaders(toEndToEnd(raw), isDropped), 'cookie', (value: string): string | undefined => {
    const cookies = value.split(';')
    const kept = cookies.filter((cookie) => !OWN_COOKIE.test(cookie))
    if (kept.length === cookies.length) return value
    return kept.length === 0 ? undefined : kept.join(';').trimStart()
  })
  const names = new Set(toPairs(kept).map(([name]) => name.toLowerCase()))
  return [
    ...(names.has('host') ? mapHeader(kept, 'host', () => host) : ['Host', host, ...kept]),
    ...(names.has('x-correlation-id') ? [] : ['X-Correlation-ID', correlationId]),
    'Via',
    `${httpVersion} ${pseudonym}`,
  ]
}

/** Replaces all headers of a name with one. */
const setHeader = (raw: RawHeaders, name: string, value: string): RawHeaders => [
  ...withoutHeaders(raw, (one) => one === name.toLowerCase()),
  name,
  value,
]

/** Whether a message declares a JSON body. */
export const isJson = (headers: Headers): boolean =>
  /^application\/(?:[\w.-]+\+)?json\b/i.test(headers.get('Content-Type') ?? '')

/** Reports what passed without a check. */
const unchecked = (message: string, ...location: ProxyViolation['location']): ProxyViolation => ({
  location,
  severity: 'Warning',
  code: 'Unchecked',
  message,
})

const tooLongBody = (side: 'request' | 'response'): ProxyViolation =>
  unchecked(`The body is longer than ${MAX_BYTES.relayed} bytes, and passed unchecked.`, side, 'body')

/** The parsed body of a response; undefined if it is not JSON. */
function findResponseJson(bytes: Uint8Array): unknown {
  try {
    return parseJson(decodeUtf8(bytes))
  } catch {
    return undefined
  }
}

const failed = (side: 'request' | 'response'): ProxyViolation =>
  unchecked(
    `The check of the ${side} failed, by a fault of the proxy that its log shows. The ${side} passed unchecked.`,
    side,
  )

/** Called if a check fails; the log shows the error. */
export type OnFault = (fault: unknown, correlationId: string) => void

/** Runs a check. If the check itself fails, both sides still get their bytes. */
async function findUnharmed<Found>(
  check: () => Found | Promise<Found>,
  instead: Found,
  onFault: (fault: unknown) => void,
) {
  try {
    return await check()
  } catch (fault) {
    onFault(fault)
    return instead
  }
}

/**
 * Takes the request body as sent; one over the limit in bytes is a stream. The journal keeps it decoded, or not at all,
 * because secrets are not found in a compressed body.
 */
export async function takeRequestBody(
  exchange: Exchange,
  limit: number,
  decode: Upstream['decode'],
): Promise<TakenBody> {
  const stream = exchange.request.body ?? exchange.connection?.openBody?.() ?? null
  const body = await takeBody(stream, limit)
  if (body.kind === 'whole' && body.bytes !== undefined)
    exchange.requestBody = await decode(body.bytes, exchange.header('content-encoding') ?? 'identity', limit)
  return body
}

/** A request without its body. */
export const toCheckedHead = (found: FoundOperation): OutgoingRequest => ({
  found,
  body: { kind: 'whole', bytes: undefined },
  decoded: undefined,
  violations: found.kind === 'unknown' ? [found.violation] : [],
})

/** Finds what the contract documents for a request. */
export const findRequested = ({ request, address, target, urlProblem }: Exchange): FoundOperation =>
  urlProblem === undefined ? findOperation(request.method, address.path) : toUnknownPath(target)

/** Takes the request body as sent, and checks the request against the contract. */
export async function takeRequest(
  exchange: Exchange,
  found: FoundOperation,
  checkRequest: CheckRequest,
  decode: Upstream['decode'],
  onFault: OnFault,
): Promise<OutgoingRequest> {
  const { request, address } = exchange
  const body = await takeRequestBody(exchange, MAX_BYTES.relayed, decode)
  if (found.kind !== 'operation') return { ...toCheckedHead(found), body }
  if (body.kind === 'stream') return { found, body, decoded: undefined, violations: [tooLongBody('request')] }
  const { operation } = found
  const checked = await findUnharmed(
    () => checkRequest(operation, copyRequest(request, body), address.search),
    { violations: [failed('request')], body: undefined, decoded: undefined },
    (fault) => onFault(fault, exchange.correlationId),
  )
  // Decompressed, if possible.
  if (checked.body !== undefined) exchange.requestBody = checked.body
  return { found, body, decoded: checked.decoded, violations: checked.violations }
}

/** The same request, with the body already read. */
export function copyRequest({ url, method, headers, signal }: Request, body: TakenBody): Request {
  const isBodiless = isRead(method) || body.kind === 'stream'
  return new Request(url, { method, headers, signal, body: isBodiless ? null : (body.bytes ?? null) })
}

/** Whether a path is of the admin API, or the provider-states endpoint for Pact's verifier. */
export const isOwnPath = (path: string): boolean => /^\/(?:__admin|_pactSetup)(?:\/|$)/.test(path)

/** Session prefixes, however their at signs and slashes are written. */
const SESSION_PREFIXES = /^(?:[/\\]*(?:\/|\\|%2f|%5c)(?:@|%40)[^/\\?#]*)+/i

/** A path with a segment of the admin API of a mock, once it is decoded. */
const ADMIN_SEGMENT = /(?:^|[/\\])(?:__admin|_pactSetup)(?:[/\\]|$)/

/** The path of a target, with each character decoded, even if it is encoded more than once. */
const toDecodedPath = (target: string): string =>
  (target.split(/[?#]/, 1)[0] ?? '')
    .replaceAll(/%(?:25)+/g, '%')
    .replaceAll(/%([\da-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/**
 * The part after the upstream's base URL: the target as received, without any session. A mock behind this one trusts the
 * requests of this machine, so no path may reach its admin API, whatever it takes for a prefix.
 *
 * @throws {Problem} 403 for a path of an admin API, or with a session that cannot be removed.
 */
function toUpstreamTarget({ target, connection }: Exchange): string {
  const sent = (connection?.target ?? target).replace(/^https?:\/\/[^/?#]*/i, '')
  if (ADMIN_SEGMENT.test(toDecodedPath(sent)))
    throw problem.forbidden('Paths of an admin API are not forwarded. Use the one of this mock, below /__admin.')
  const bare = sent.replace(SESSION_PREFIXES, '')
  const own = bare.startsWith('/') ? bare : `/${bare}`
  // Dot segments may hide one.
  const { pathname } = new URL(`http://upstream${toDecodedPath(own)}`)
  if (/^\/+@/.test(pathname))
    throw problem.forbidden('The path names a session behind dot segments. Put /@{session} at its start.')
  return own
}

/** Statuses without a body, whatever the headers say (Fetch standard, "null body status"). */
const BODILESS_STATUSES = new Set([101, 103, 204, 205, 304])

/**
 * Forwards a request and checks the response against the contract.
 *
 * @param limit a response body with more bytes passes unchecked, as a stream
 * @throws {Problem} 502 or 504 if there is no response.
 */
export async function forward(
  exchange: Exchange,
  outgoing: OutgoingRequest,
  upstream: Upstream,
  onFault: OnFault,
  limit: number,
): Promise<Incoming> {
  const { request, correlationId, connection } = exchange
  const { host, pseudonym } = upstream
  const { method } = request
  const httpVersion = connection?.httpVersion ?? '1.1'
  // As received, if the client connection knows them.
  const rawRequest = connection?.rawHeaders ?? fromPairs(request.headers)
  const { answer, read, release } = await upstream.send({
    target: toUpstreamTarget(exchange),
    method,
    headers: toUpstreamHeaders(rawRequest, { host, correlationId, httpVersion, pseudonym }),
    body: outgoing.body.kind === 'stream' ? outgoing.body.stream : outgoing.body.bytes,
    signal: request.signal,
    onInformation: (information) => connection?.inform?.({ ...information, headers: toEndToEnd(information.headers) }),
  })
  const rawHeaders = toEndToEnd(answer.headers)
  const headers = toHeaders(rawHeaders)
  const { status, statusText, trailers } = answer
  const head = { status, statusText, headers, rawHeaders, trailers, decoded: undefined, json: undefined }
  const check = async (incoming: Omit<Incoming, 'violations'>): Promise<Incoming> => {
    const sent = { method, correlationId, header: exchange.header, findPath: upstream.findPath }
    const violations = await findUnharmed(
      () => checkExchange(incoming, outgoing, sent),
      [failed('response')],
      (fault) => onFault(fault, correlationId),
    )
    return { ...incoming, violations }
  }
  if (method === 'HEAD' || BODILESS_STATUSES.has(status) || !isJson(headers)) {
    release()
    return check({ ...head, body: BODILESS_STATUSES.has(status) ? undefined : answer.body })
  }
  const taken = await read(takeBody(answer.body ?? null, limit))
  release()
  if (taken.kind === 'stream') return { ...head, body: taken.stream, violations: [tooLongBody('response')] }
  const { bytes } = taken
  const encoding = headers.get('Content-Encoding') ?? 'identity'
  const decoded = bytes === undefined ? undefined : await upstream.decode(bytes, encoding, limit)
  if (bytes !== undefined && decoded === undefined) {
    const message = `The body passed unchecked: it could not be decoded as ${encoding}.`
    return { ...head, body: bytes, violations: [unchecked(message, 'response', 'headers', 'Content-Encoding')] }
  }
  const json = decoded && findResponseJson(decoded)
  return check({ ...head, body: bytes, decoded, json })
}

/** Headers that contain the URL of a resource or a redirect. */
const LOCATIONS = ['location', 'content-location']

/** Maps an upstream URL to the same path on the proxy, in the requesting session. */
function moveLocations(exchange: Exchange, raw: RawHeaders, upstream: Upstream): RawHeaders {
  const { session } = exchange.address
  const move = (location: string): string => {
    const path = upstream.findPath(location)
    if (path === undefined) return location
    return session === undefined ? path : `/@${session}${path}`
  }
  return LOCATIONS.reduce((headers, name) => mapHeader(headers, name, move), raw)
}

/** Browsers ask the proxy whether a page may read its responses; the upstream's CORS headers are about the upstream. */
function allowOrigin({ header, cors }: Exchange, raw: RawHeaders): RawHeaders {
  const origin = header('origin')
  if (origin === undefined || cors === 'off') return raw
  const others = withoutHeaders(raw, (name) => name.startsWith('access-control-'))
  return [...others, ...fromPairs(Object.entries(toCorsHeaders(cors, origin, toPairs(raw))))]
}

/** Returns the upstream's response with additional proxy headers. */
export function relay(
  exchange: Exchange,
  incoming: Incoming,
  upstream: Upstream,
  own: Readonly<Record<string, string>>,
): Response {
  const { status, statusText, body, decoded, trailers } = incoming
  const added = incoming.headers.has('X-Correlation-ID') ? own : { 'X-Correlation-ID': exchange.correlationId, ...own }
  const headers = allowOrigin(
    exchange,
    Object.entries(added).reduce(
      (raw, [name, value]) => setHeader(raw, name, value),
      moveLocations(exchange, incoming.rawHeaders, upstream),
    ),
  )
  exchange.status = status
  exchange.responseHeaders = toHeaders(headers)
  exchange.responseBody = decoded
  const relayed: RelayedResponse = { status, statusText, headers, body, trailers }
  // A `Response` keeps neither the order nor the case of headers.
  return (
    exchange.connection?.relay?.(relayed) ??
    new Response(BODILESS_STATUSES.has(status) ? null : (body ?? null), {
      status,
      statusText: statusText ?? '',
      headers: toHeaders(headers),
    })
  )
}
