import { toCorsHeaders } from '../http/cors.ts'
import type { CorsPolicy } from '../http/cors.ts'
import type { Exchange } from '../walk/exchange.ts'
import type { Incoming, Outgoing } from './forward.ts'
import type { Upstream } from './upstream.ts'
import { toLine, toViolationHeader } from './violation.ts'

interface PassParts {
  readonly upstream: Upstream
  readonly cors: CorsPolicy
}

/** Where answers say that resources are, or that clients are to go. */
const PLACES = ['Location', 'Content-Location']

/** A place of the upstream becomes the same place of the proxy, in the session that asked. */
function movePlaces({ address }: Exchange, headers: Headers, upstream: Upstream): void {
  const session = address.session === undefined ? '' : `/@${address.session}`
  for (const name of PLACES) {
    const place = headers.get(name)
    const path = place === null ? undefined : upstream.findPath(place)
    if (path !== undefined) headers.set(name, session + path)
  }
}

/** Browsers ask the proxy whether a page may read its answers; what the upstream says is about itself. */
function allowOrigin({ header }: Exchange, headers: Headers, cors: CorsPolicy): void {
  const origin = header('origin')
  if (origin === undefined || cors === 'off') return
  const own = [...headers.keys()].filter((name) => name.startsWith('access-control-'))
  for (const name of own) headers.delete(name)
  const { Vary: vary, ...allowed } = toCorsHeaders(cors, origin)
  for (const [name, value] of Object.entries(allowed)) headers.set(name, value)
  if (vary !== undefined) headers.append('Vary', vary)
}

/** Answers as the upstream did, and says where request and answer break the contract. */
export function pass(
  exchange: Exchange,
  { found, violations: asked }: Outgoing,
  incoming: Incoming,
  { upstream, cors }: PassParts,
): Response {
  const { status, headers, body } = incoming
  const violations = [...asked, ...incoming.violations]
  exchange.warnings.push(...violations.map(toLine))
  movePlaces(exchange, headers, upstream)
  if (found.kind === 'operation') headers.set('X-Mock-Operation', found.operation)
  if (!headers.has('X-Correlation-ID')) headers.set('X-Correlation-ID', exchange.correlationId)
  headers.set('Sl-Violations', toViolationHeader(violations))
  allowOrigin(exchange, headers, cors)
  exchange.sent = { status, headers, body: body instanceof ReadableStream ? undefined : body }
  return new Response(body ?? null, { status, headers })
}
