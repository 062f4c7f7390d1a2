import { findPath } from '../contract/paths.ts'
import { isTokenPath } from '../http/address.ts'
import { isPreflight } from '../http/cors.ts'
import { assembleMock } from '../mock.ts'
import type { Mock, MockService } from '../mock.ts'
import type { MockOptions } from '../options/options.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import { reply, replyWithError } from '../pipeline/reply.ts'
import { NO_EFFECTS } from '../scenarios/effects.ts'
import type { Effects } from '../scenarios/effects.ts'
import { forward, takeRequestBody } from './forward.ts'
import { relay } from './relay.ts'
import { createUpstream, expectOther, toPseudonym } from './upstream.ts'
import type { UpstreamClient } from './upstream.ts'

/** What {@link createPassthrough} takes. */
export interface PassthroughOptions extends MockOptions {
  /** The base URL of the service that gets the requests that meet no endpoint. */
  readonly passthrough: string
  /** What speaks HTTP with it. */
  readonly client: UpstreamClient
}

/** The longest that the service may take to answer, in milliseconds. */
const TIMEOUT = 30_000

/** The admin API, and where Pact's verifier sets up provider states. */
const OWN = /^\/(?:__admin|_pactSetup)(?:\/|$)/

/** Whether the mock answers a request itself. A page on another origin asks the mock what it may send. */
const isOwn = ({ address: { path }, request, urlProblem }: Exchange): boolean =>
  urlProblem !== undefined ||
  OWN.test(path) ||
  isTokenPath(path) ||
  findPath(path) !== undefined ||
  isPreflight(request)

/** What scenarios do to a request, after the delay that they ask for. */
async function applyScenarios(
  exchange: Exchange,
  { enterSession, chooseScenarios, delay }: MockService,
): Promise<Effects> {
  const session = await enterSession(exchange, { isForwarded: true })
  const apply = chooseScenarios(exchange, session)
  const early = (await apply?.('gateway')) ?? NO_EFFECTS
  exchange.additions = early
  await delay(exchange, early.delay)
  const late = early.outcome === undefined ? await apply?.('operation') : undefined
  return { ...early, outcome: early.outcome ?? late?.outcome }
}

/**
 * Creates a mock that sends the requests that meet none of its endpoints to another service, as they are.
 *
 * @throws {SetupError} when an option is not what it must be.
 */
export async function createPassthrough({ passthrough, client, ...options }: PassthroughOptions): Promise<Mock> {
  const upstream = createUpstream({ url: passthrough, timeout: TIMEOUT, client })
  const route = { upstream, pseudonym: toPseudonym() }

  async function pass(exchange: Exchange, service: MockService): Promise<Response> {
    exchange.isPassedThrough = true
    expectOther(exchange.header('via'), route)
    const { outcome, headers } = await applyScenarios(exchange, service)
    const isCut = outcome?.kind === 'fault' && outcome.fault === 'TRUNCATED_BODY'
    if (outcome?.kind === 'answer') return reply(exchange, outcome.answer)
    if (outcome !== undefined && !isCut) return service.recorder.breakOff(exchange, outcome)
    const body = await takeRequestBody(exchange)
    const outgoing = { found: { kind: 'undocumented' }, body, decoded: undefined, violations: [] } as const
    const incoming = await forward(exchange, outgoing, route, service.reportError)
    if (isCut) {
      const answer = { status: incoming.status, body: incoming.decoded }
      return service.recorder.breakOff(exchange, { ...outcome, answer })
    }
    const { scenarios } = exchange
    return relay(exchange, incoming, upstream, {
      ...headers,
      ...(scenarios.length === 0 ? {} : { 'X-Mock-Scenario': scenarios.join(', ') }),
    })
  }

  const wrap = (service: MockService) => (exchange: Exchange) =>
    isOwn(exchange)
      ? service.serve(exchange)
      : pass(exchange, service).catch((fault: unknown) => replyWithError(exchange, fault, service.reportError))
  return assembleMock(options, wrap, true)
}
