import type { RelayedResponse } from '../http/connection.ts'
import { toCorsHeaders } from '../http/cors.ts'
import { fromPairs, mapHeader, toHeaders, withoutHeaders } from '../http/raw-headers.ts'
import type { RawHeaders } from '../http/raw-headers.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import type { Incoming } from './exchange.ts'
import { setHeader } from './headers.ts'
import type { Upstream } from './upstream.ts'

/** Where answers say that resources are, or that clients are to go. */
const PLACES = ['location', 'content-location']

/** A place of the upstream becomes the same place of the proxy, in the session that asked. */
function movePlaces(exchange: Exchange, raw: RawHeaders, upstream: Upstream): RawHeaders {
  const { session } = exchange.address
  const move = (place: string): string => {
    const path = upstream.findPath(place)
    if (path === undefined) return place
    return session === undefined ? path : `/@${session}${path}`
  }
  return PLACES.reduce((headers, name) => mapHeader(headers, name, move), raw)
}

/** Browsers ask the proxy whether a page may read its answers; what the upstream says is about itself. */
function allowOrigin({ header, cors }: Exchange, raw: RawHeaders): RawHeaders {
  const origin = header('origin')
  if (origin === undefined || cors === 'off') return raw
  const others = withoutHeaders(raw, (name) => name.startsWith('access-control-'))
  return [...others, ...fromPairs(Object.entries(toCorsHeaders(cors, origin)))]
}

/** Statuses without a body, whatever the headers say (Fetch standard, "null body status"). */
const BODILESS = new Set([101, 103, 204, 205, 304])

/** The response as `fetch` gives it, which keeps neither the order of headers nor their case. */
const toResponse = ({ status, statusText, headers, body }: RelayedResponse): Response =>
  new Response(BODILESS.has(status) ? null : (body ?? null), { status, statusText, headers: toHeaders(headers) })

/** Answers as the upstream did, with further headers of this proxy. */
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
      movePlaces(exchange, incoming.rawHeaders, upstream),
    ),
  )
  exchange.status = status
  exchange.responseHeaders = toHeaders(headers)
  exchange.responseBody = decoded
  const relayed: RelayedResponse = { status, statusText, headers, body, trailers }
  return exchange.connection?.relay?.(relayed) ?? toResponse(relayed)
}
