import { toCorsHeaders } from '../http/cors.ts'
import type { CorsPolicy } from '../http/cors.ts'
import { fromPairs, mapHeader, toHeaders, withoutHeaders } from '../http/raw-headers.ts'
import type { RawHeaders } from '../http/raw-headers.ts'
import type { Exchange } from '../walk/exchange.ts'
import { Relayed } from '../walk/relayed.ts'
import type { Incoming, Outgoing } from './forward.ts'
import { setHeader } from './headers.ts'
import type { Upstream } from './upstream.ts'
import { keepLines, toViolationHeader } from './violation.ts'

interface RelayParts {
  readonly upstream: Upstream
  readonly cors: CorsPolicy
}

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
function allowOrigin({ header }: Exchange, raw: RawHeaders, cors: CorsPolicy): RawHeaders {
  const origin = header('origin')
  if (origin === undefined || cors === 'off') return raw
  const others = withoutHeaders(raw, (name) => name.startsWith('access-control-'))
  return [...others, ...fromPairs(Object.entries(toCorsHeaders(cors, origin)))]
}

/** Answers as the upstream did, and says where request and answer break the contract. */
export function relay(
  exchange: Exchange,
  { found, violations: asked }: Outgoing,
  incoming: Incoming,
  { upstream, cors }: RelayParts,
): Relayed {
  const { status, statusText, body, decoded, trailers } = incoming
  const violations = [...asked, ...incoming.violations]
  keepLines(exchange, violations)
  let headers = movePlaces(exchange, incoming.rawHeaders, upstream)
  if (found.kind === 'operation') headers = setHeader(headers, 'X-Mock-Operation', found.operation)
  if (!incoming.headers.has('X-Correlation-ID')) {
    headers = setHeader(headers, 'X-Correlation-ID', exchange.correlationId)
  }
  headers = setHeader(headers, 'Sl-Violations', toViolationHeader(violations))
  headers = allowOrigin(exchange, headers, cors)
  exchange.sent = { status, headers: toHeaders(headers), body: decoded }
  return new Relayed({ status, statusText, headers, body, trailers })
}
