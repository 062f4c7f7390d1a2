import type { RelayedResponse } from '../http/connection.ts'
import { toCorsHeaders } from '../http/cors.ts'
import { fromPairs, mapHeader, toHeaders, withoutHeaders } from '../http/raw-headers.ts'
import type { RawHeaders } from '../http/raw-headers.ts'
import type { RequestContext } from '../pipeline/request-context.ts'
import type { Incoming, Outgoing } from './forward.ts'
import { setHeader } from './headers.ts'
import type { Upstream } from './upstream.ts'
import { keepLines, toViolationHeader } from './violation.ts'

/** Where answers say that resources are, or that clients are to go. */
const PLACES = ['location', 'content-location']

/** A place of the upstream becomes the same place of the proxy, in the session that asked. */
function movePlaces(context: RequestContext, raw: RawHeaders, upstream: Upstream): RawHeaders {
  const { session } = context.address
  const move = (place: string): string => {
    const path = upstream.findPath(place)
    if (path === undefined) return place
    return session === undefined ? path : `/@${session}${path}`
  }
  return PLACES.reduce((headers, name) => mapHeader(headers, name, move), raw)
}

/** Browsers ask the proxy whether a page may read its answers; what the upstream says is about itself. */
function allowOrigin({ header, cors }: RequestContext, raw: RawHeaders): RawHeaders {
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

/** Answers as the upstream did, and says where request and answer break the contract. */
export function relay(
  context: RequestContext,
  { found, violations: asked }: Outgoing,
  incoming: Incoming,
  upstream: Upstream,
): Response {
  const { status, statusText, body, decoded, trailers } = incoming
  const violations = [...asked, ...incoming.violations]
  keepLines(context, violations)
  let headers = movePlaces(context, incoming.rawHeaders, upstream)
  if (found.kind === 'operation') headers = setHeader(headers, 'X-Mock-Operation', found.operation)
  if (!incoming.headers.has('X-Correlation-ID')) {
    headers = setHeader(headers, 'X-Correlation-ID', context.correlationId)
  }
  headers = setHeader(headers, 'Sl-Violations', toViolationHeader(violations))
  headers = allowOrigin(context, headers)
  context.sent = { status, headers: toHeaders(headers), body: decoded }
  const relayed: RelayedResponse = { status, statusText, headers, body, trailers }
  return context.connection?.relay?.(relayed) ?? toResponse(relayed)
}
