import { toCorsHeaders, isPreflight } from '../../service/http/cors.ts'
import { fromPairs, mapHeader, toHeaders, toPairs, withoutHeaders } from '../../service/http/connection.ts'
import type { RelayedResponse, RawHeaders } from '../../service/http/connection.ts'
import { setHeader, forward, takeRequestBody, copyRequest, isJson, toCheckedHead } from './forward.ts'
import { findServicePath } from '../../service/contract/paths.ts'
import { MAX_BYTES } from '../../service/http/sizes.ts'
import { isTokenPath } from '../../service/http/request-head.ts'
import { assembleMock } from '../../mock.ts'
import type { Mock, MockService } from '../../mock.ts'
import { replyWithError } from '../../app/pipeline/reply.ts'
import type { Serve } from '../../app/pipeline/reply.ts'

import { createUpstream } from './upstream.ts'
import type { Upstream, UpstreamClient } from './upstream.ts'
import { check, keepWarning } from '../../service/contract/check.ts'
import { endpoints } from '../../service/contract/endpoints.ts'
import type { OperationId } from '../../service/contract/endpoints.ts'
import { errorStatusesOf } from '../../service/contract/error-responses.ts'
import { errorEnvelope } from '../../service/contract/results.ts'
import { keepLines, toViolationHeader } from './exchange.ts'
import type { Exchange } from '../../app/pipeline/exchange.ts'
import type { Incoming, OutgoingRequest } from './exchange.ts'
import type { MockOptions } from '../../app/options/options.ts'

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

/** Statuses without a body, whatever the headers say (Fetch standard, "null body status"). */
const BODILESS_STATUSES = new Set([101, 103, 204, 205, 304])

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
      statusText,
      headers: toHeaders(headers),
    })
  )
}

/** Options of {@link createPassthrough}. */
export interface PassthroughOptions extends MockOptions {
  /** The base URL of the service that gets requests without a matching endpoint. */
  readonly passthrough: string
  /** HTTP client for the upstream. */
  readonly client: UpstreamClient
}

/** Response timeout in milliseconds. */
const UPSTREAM_TIMEOUT = 30_000

/** Whether a path is of the admin API, or the provider-states endpoint for Pact's verifier. */
export const isOwnPath = (path: string): boolean => /^\/(?:__admin|_pactSetup)(?:\/|$)/.test(path)

/** Whether the mock itself responds to a request, including CORS preflights. */
const isOwnRequest = ({ address: { path }, request, urlProblem }: Exchange): boolean =>
  urlProblem !== undefined ||
  isOwnPath(path) ||
  isTokenPath(path) ||
  findServicePath(path) !== undefined ||
  isPreflight(request)

/**
 * Creates a mock that forwards requests without a matching endpoint to another service, unchanged.
 *
 * @throws {SetupError} when an option is invalid.
 */
export async function createPassthrough({ passthrough, client, ...options }: PassthroughOptions): Promise<Mock> {
  const upstream = createUpstream({ url: passthrough, timeout: UPSTREAM_TIMEOUT, client })

  async function pass(exchange: Exchange, service: MockService): Promise<Response> {
    exchange.isPassedThrough = true
    upstream.expectOther(exchange.header('via'))
    const session = await service.enterSession(exchange, { isForwarded: true })
    const applyScenarios = service.chooseScenarios(exchange, session)
    const gateway = await service.passGateway(exchange, applyScenarios)
    if (gateway?.outcome !== undefined) return service.replyWithOutcome(exchange, gateway.outcome)
    const outcome = (await applyScenarios?.('operation'))?.outcome
    if (outcome?.kind === 'answer') return service.replyWithOutcome(exchange, outcome)
    const head = toCheckedHead({ kind: 'undocumented' })
    const body = await takeRequestBody(exchange, MAX_BYTES.passedThrough, upstream.decode)
    const limit = MAX_BYTES.passedThrough
    const incoming = await forward(exchange, { ...head, body }, upstream, service.reportError, limit)
    if (outcome !== undefined)
      return service.replyWithOutcome(exchange, outcome, { status: incoming.status, body: incoming.decoded })
    const { scenarios } = exchange
    return relay(exchange, incoming, upstream, {
      ...gateway?.headers,
      ...(scenarios.length === 0 ? {} : { 'X-Mock-Scenario': scenarios.join(', ') }),
    })
  }

  const wrap = (service: MockService) => (exchange: Exchange) =>
    isOwnRequest(exchange)
      ? service.serve(exchange)
      : pass(exchange, service).catch((fault: unknown) => replyWithError(exchange, fault, service.reportError))
  return assembleMock(options, wrap, true)
}

/**
 * Whether the upstream does not have an operation, rather than the requested resource (D84). If the contract has no 404 for
 * the operation, any 404 is one of the path. Otherwise, a missing resource has the error envelope, and a missing path, to
 * which a router or a gateway responds, does not. A HEAD only has the type of a GET (RFC 9110, section 9.3.2): a page of
 * HTML is not an envelope.
 */
export function isPathMissing(
  operation: OperationId,
  method: string,
  { status, headers, json }: Pick<Incoming, 'status' | 'headers' | 'json'>,
): boolean {
  if (status === 405 || status === 501) return true
  if (status !== 404) return false
  const endpoint = endpoints[operation]
  const isDocumented = 404 in endpoint.responses || errorStatusesOf(endpoint).includes(404)
  if (!isDocumented) return true
  if (method === 'HEAD') return headers.has('Content-Type') && !isJson(headers)
  return check(errorEnvelope, json).problems.length > 0
}

/** Why the mock responded instead of the upstream. */
export type Reason = 'unreachable' | 'timeout' | 'no such path'

/** Responds from the mock instead of the upstream, with the reason in the header `X-Mock-Fallback`. */
export async function serveFallback(
  exchange: Exchange,
  { body, violations }: OutgoingRequest,
  reason: Reason,
  serve: Serve,
): Promise<Response> {
  exchange.request = copyRequest(exchange.request, body)
  const response = await serve(exchange)
  keepLines(exchange, violations)
  keepWarning(exchange, `Served by the mock: ${reason}`)
  const headers = new Headers(response.headers)
  headers.set('X-Mock-Fallback', reason)
  headers.set('Sl-Violations', toViolationHeader(violations))
  exchange.responseHeaders = headers
  return new Response(response.body, { status: response.status, headers })
}
