import { isPreflight } from '../../service/http/cors.ts'
import { createRedactor } from '../../sessions/journal/redact.ts'
import { assembleMock } from '../../mock.ts'
import type { Mock, MockService } from '../../mock.ts'
import type { MockOptions } from '../../app/options/options.ts'
import type { Exchange } from '../../app/pipeline/exchange.ts'
import { DEFAULT_SESSION } from '../../sessions/session-names.ts'
import { replyWithError } from '../../app/pipeline/reply.ts'
import { createCheckRequest } from './check-exchange.ts'
import { Problem } from '../../errors.ts'
import { isPathMissing, serveFallback } from './fallback.ts'
import type { Reason } from './fallback.ts'
import { findRequested, forward, isOwnPath, relay, takeRequest } from './forward.ts'
import { MAX_BYTES } from '../../service/http/sizes.ts'
import type { Differences, FoundOperation, Incoming, OutgoingRequest, ProxyViolation } from './proxied-request.ts'
import { endpoints } from '../../service/contract/endpoints.ts'
import type { ProjectRecorder } from './recorder.ts'
import { createUpstream } from './upstream.ts'
import type { HttpClient } from './upstream.ts'
import { createRedactViolation, keepLines, toViolationHeader } from './proxied-request.ts'

/** Options of `createProxy`: all options of a mock, for its admin API and for what it serves itself. */
export interface ProxyOptions extends MockOptions {
  /** The base URL of the service that requests are forwarded to. */
  readonly upstream: string
  /** Response timeout of the upstream in milliseconds. Default 30000. */
  readonly timeout?: number
  /** Falls back to the mock if the upstream lacks an operation or is unreachable. Default false. */
  readonly fallback?: boolean
  /** Records observed data as fixtures. Default: no recording. */
  readonly recorder?: ProjectRecorder
  /** Gets what the specification leaves open, and the service does otherwise than the mock. Default: nothing. */
  readonly differences?: Pick<Differences, 'add'>
  /** Sends to the upstream. */
  readonly client: HttpClient
}

/**
 * Creates a proxy: a mock that forwards everything except its admin API to a service, and checks requests and responses
 * against the contract. It reports violations in the header `Sl-Violations` and in the log, and counts differences.
 *
 * @throws {SetupError} when an option is invalid.
 * @example
 * const proxy = await createProxy({ upstream: 'https://api.example.com', client: createHttpClient() })
 * const response = await proxy.fetch(new Request('http://proxy/acme/resource'))
 * response.headers.get('Sl-Violations') // '[]', or the violations
 */
export async function createProxy(options: ProxyOptions): Promise<Mock> {
  const { upstream: url, timeout = 30_000, fallback = false, recorder, differences, client, ...rest } = options
  const upstream = createUpstream({ url, timeout, client, longer: 'allow more with --timeout' })
  const checkRequest = createCheckRequest(MAX_BYTES.relayed)
  const redactViolation = createRedactViolation(createRedactor([rest.redact ?? []].flat()))

  /** Keeps the violations, without secrets, and counts the differences. */
  function sift(found: FoundOperation, violations: readonly ProxyViolation[]): readonly ProxyViolation[] {
    const all = violations.map(redactViolation)
    const { method, path } = found.kind === 'operation' ? endpoints[found.operation] : { method: 'Any', path: 'path' }
    for (const one of all) if (one.decision !== undefined) differences?.add(one.decision, `${method} ${path}`, one)
    return all.filter((one) => one.decision === undefined)
  }

  /** Forwards a request; if the upstream cannot respond, falls back to the mock if allowed. */
  async function send(
    exchange: Exchange,
    outgoing: OutgoingRequest,
    { serve, reportError }: MockService,
  ): Promise<Response> {
    const { found } = outgoing
    // A streamed body is consumed and cannot be sent again.
    const mayServe = () => fallback && outgoing.body.kind === 'whole' && found.kind !== 'unknown'
    const instead = (reason: Reason): Promise<Response> => serveFallback(exchange, outgoing, reason, serve)
    let incoming: Incoming
    try {
      incoming = await forward(exchange, outgoing, upstream, reportError, MAX_BYTES.relayed)
    } catch (fault) {
      // Do not repeat a cancelled request, which may be a write.
      if (!mayServe() || exchange.request.signal.aborted) throw fault
      return instead(fault instanceof Problem && fault.status === 504 ? 'timeout' : 'unreachable')
    }
    if (mayServe() && found.kind === 'operation' && isPathMissing(found.operation, exchange.request.method, incoming)) {
      // Errors of the cancelled stream no longer matter.
      if (incoming.body instanceof ReadableStream) incoming.body.cancel().catch(() => undefined)
      return instead('no such path')
    }
    try {
      recorder?.see(exchange, outgoing, incoming)
    } catch (fault) {
      reportError(fault, exchange.correlationId)
    }
    const violations = [...outgoing.violations, ...sift(found, incoming.violations)]
    keepLines(exchange, violations)
    return relay(exchange, incoming, upstream, {
      ...(found.kind === 'operation' ? { 'X-Mock-Operation': found.operation } : {}),
      'Sl-Violations': toViolationHeader(violations),
    })
  }

  async function answer(exchange: Exchange, service: MockService): Promise<Response> {
    // A URL that only this proxy cannot parse names no session; the service decides about it.
    const name = exchange.urlProblem === undefined ? exchange.sessionName : DEFAULT_SESSION
    await service.enterSession(exchange, { name, isForwarded: true })
    upstream.expectOther(exchange.header('via'))
    const found = findRequested(exchange)
    const taken = await takeRequest(exchange, found, checkRequest, upstream.decode, service.reportError)
    const outgoing = { ...taken, violations: sift(found, taken.violations) }
    if (found.kind === 'operation') {
      exchange.operation = found.operation
      exchange.parameters = found.parameters
    }
    try {
      return await send(exchange, outgoing, service)
    } catch (fault) {
      const { violations } = outgoing
      keepLines(exchange, violations)
      const response = replyWithError(exchange, fault, service.reportError)
      response.headers.set('Sl-Violations', toViolationHeader(violations))
      return response
    }
  }

  return assembleMock({ ...rest, auth: 'off' }, (service) => async (exchange) => {
    if (isOwnPath(exchange.address.path) || isPreflight(exchange.request)) return service.serve(exchange)
    return answer(exchange, service).catch((fault: unknown) => replyWithError(exchange, fault, service.reportError))
  })
}
