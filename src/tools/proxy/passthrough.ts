import { isPreflight } from '../../service/http/cors.ts'
import { forward, isOwnPath, relay, takeRequestBody, toCheckedHead } from './forward.ts'
import { findServicePath } from '../../service/contract/paths.ts'
import { MAX_BYTES } from '../../service/http/sizes.ts'
import { isTokenPath } from '../../service/http/request-head.ts'
import { assembleMock } from '../../mock.ts'
import type { Mock, MockService } from '../../mock.ts'
import { replyWithError } from '../../app/pipeline/reply.ts'
import { createUpstream } from './upstream.ts'
import type { HttpClient } from './upstream.ts'
import type { Exchange } from '../../app/pipeline/exchange.ts'
import type { MockOptions } from '../../app/options/options.ts'

/** Options of {@link createPassthrough}. */
export interface PassthroughOptions extends MockOptions {
  /** The base URL of the service that gets requests without a matching endpoint. */
  readonly passthrough: string
  /** Sends to the upstream. */
  readonly client: HttpClient
}

/** Response timeout in milliseconds. */
const UPSTREAM_TIMEOUT = 30_000

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
