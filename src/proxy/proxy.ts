import { isPreflight } from '../http/cors.ts'
import { createRedactor } from '../journal/redact.ts'
import { assembleMock } from '../mock.ts'
import type { Mock, MockService } from '../mock.ts'
import type { MockOptions } from '../options/options.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import { DEFAULT_SESSION } from '../sessions/sessions.ts'
import { replyWithError } from '../pipeline/reply.ts'
import { createCheckRequest } from './check-exchange.ts'
import { isPathMissing, serveFallback, serveOwn, toReason, relay } from './passthrough.ts'
import type { Reason } from './passthrough.ts'
import { MOST_READ, findRequested, forward, sendContinue, startSending, takeRequest, toHead } from './forward.ts'
import type { Incoming, ProxyViolation } from './exchange.ts'
import type { Sending } from './forward.ts'
import type { ProjectRecorder } from './recorder.ts'
import { createUpstream, expectOther, toPseudonym } from './upstream.ts'
import type { UpstreamClient } from './upstream.ts'
import { createRedactViolation, keepLines, toViolationHeader } from './exchange.ts'

/** What `createProxy` takes: all that a mock takes, for its admin API and for what it serves itself. */
export interface ProxyOptions extends MockOptions {
  /** The base URL of the service that requests are forwarded to. */
  readonly upstream: string
  /** Milliseconds that the upstream has for an answer. Default 30000. */
  readonly timeout?: number
  /** Serves from the mock what the upstream does not have, or is not there to serve. Default false. */
  readonly fallback?: boolean
  /** Keeps what is seen as fixtures. Default: nothing is kept. */
  readonly recorder?: ProjectRecorder
  /** What speaks HTTP with it. */
  readonly client: UpstreamClient
}

/** What the proxy answers itself. */
const OWN = /^\/(?:__admin|_pactSetup)(?:\/|$)/

/**
 * Creates a proxy: a mock that forwards everything but its admin API to a service, holds what is asked and what is answered
 * to the contract, and says in the header `Sl-Violations` and in the log where either breaks it.
 *
 * @throws {SetupError} when an option is not what it must be.
 * @example
 * const proxy = await createProxy({ upstream: 'https://api.example.com', client: createUpstreamClient() })
 * const response = await proxy.fetch(new Request('http://proxy/acme/resource'))
 * response.headers.get('Sl-Violations') // '[]', or what is wrong
 */
export async function createProxy(options: ProxyOptions): Promise<Mock> {
  const { upstream: url, timeout = 30_000, fallback = false, recorder, client, ...rest } = options
  const upstream = createUpstream({ url, timeout, client, longer: 'give it longer with --timeout' })
  const checkRequest = createCheckRequest(MOST_READ)
  const redactViolation = createRedactViolation(createRedactor([rest.redact ?? []].flat()))

  function redact<Checked extends { readonly violations: readonly ProxyViolation[] }>(checked: Checked): Checked {
    return { ...checked, violations: checked.violations.map(redactViolation) }
  }
  const pseudonym = toPseudonym()

  /** Sends a request on; what the upstream cannot answer, the mock does where it may. */
  async function send(exchange: Exchange, sending: Sending, { serve, reportError }: MockService): Promise<Response> {
    const { found } = sending.current
    // What was streamed is gone, and cannot be served again.
    const mayServe = () => fallback && sending.current.body.kind === 'whole' && found.kind !== 'unknown'
    async function instead(reason: Reason): Promise<Response> {
      sendContinue(exchange)
      return serveFallback(exchange, await sending.whole, reason, serve)
    }
    let incoming: Incoming
    try {
      incoming = redact(await forward(exchange, sending, { upstream, pseudonym }, reportError))
    } catch (fault) {
      // Nobody waits for what a client has given up, which may be a write.
      if (mayServe() && !exchange.request.signal.aborted) return instead(toReason(fault))
      throw fault
    }
    if (mayServe() && found.kind === 'operation' && isPathMissing(found.operation, exchange.request.method, incoming)) {
      // Errors of the cancelled stream no longer matter.
      if (incoming.body instanceof ReadableStream) incoming.body.cancel().catch(() => undefined)
      return instead('no such path')
    }
    const outgoing = sending.current
    try {
      recorder?.see(exchange, outgoing, incoming)
    } catch (fault) {
      reportError(fault, exchange.correlationId)
    }
    const violations = [...outgoing.violations, ...incoming.violations]
    keepLines(exchange, violations)
    return relay(exchange, incoming, upstream, {
      ...(found.kind === 'operation' ? { 'X-Mock-Operation': found.operation } : {}),
      'Sl-Violations': toViolationHeader(violations),
    })
  }

  async function answer(exchange: Exchange, service: MockService): Promise<Response> {
    // A URL that only this proxy cannot read names no session, and is the service's to judge.
    const name = exchange.urlProblem === undefined ? exchange.sessionName : DEFAULT_SESSION
    await service.enterSession(exchange, { name, isForwarded: true })
    expectOther(exchange.header('via'), { upstream, pseudonym })
    const found = findRequested(exchange)
    const taking = takeRequest(exchange, found, checkRequest, service.reportError).then(redact)
    const sending = await startSending(exchange, redact(toHead(found)), taking)
    if (found.kind === 'operation') {
      exchange.operation = found.operation
      exchange.parameters = found.parameters
    }
    try {
      return await send(exchange, sending, service)
    } catch (fault) {
      const { violations } = sending.current
      keepLines(exchange, violations)
      const response = replyWithError(exchange, fault, service.reportError)
      response.headers.set('Sl-Violations', toViolationHeader(violations))
      return response
    }
  }

  return assembleMock({ ...rest, auth: 'off' }, (service) => async (exchange) => {
    if (OWN.test(exchange.address.path) || isPreflight(exchange.request)) return serveOwn(exchange, service.serve)
    return answer(exchange, service).catch((fault: unknown) => replyWithError(exchange, fault, service.reportError))
  })
}
