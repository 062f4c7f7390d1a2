import { findPath } from '../contract/paths.ts'
import { isTokenPath } from '../http/address.ts'
import { isPreflight } from '../http/cors.ts'
import { assembleMock } from '../mock.ts'
import type { Mock } from '../mock.ts'
import type { MockOptions } from '../options/options.ts'
import type { RequestContext } from '../pipeline/request-context.ts'
import type { Wrapped } from '../pipeline/wrapped.ts'
import { respondWithFault, respondWithOutcome } from '../pipeline/respond.ts'
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
const isOwn = ({ address: { path }, request, fault }: RequestContext): boolean =>
  fault !== undefined || OWN.test(path) || isTokenPath(path) || findPath(path) !== undefined || isPreflight(request)

/** What scenarios do to a request, after the delay that they ask for. */
async function applyScenarios(
  context: RequestContext,
  { enterSession, chooseScenarios, delay }: Wrapped,
): Promise<Effects> {
  const session = await enterSession(context, { isForwarded: true })
  const apply = chooseScenarios(context, session)
  const early = (await apply?.('gateway')) ?? NO_EFFECTS
  context.additions = early
  await delay(context, early.delay)
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

  async function pass(context: RequestContext, wrapped: Wrapped): Promise<Response> {
    context.isPassedThrough = true
    expectOther(context.header('via'), route)
    const { outcome, headers } = await applyScenarios(context, wrapped)
    const isCut = outcome?.kind === 'fault' && outcome.fault === 'TRUNCATED_BODY'
    if (outcome !== undefined && !isCut) return respondWithOutcome(context, outcome, wrapped.recorder)
    const body = await takeRequestBody(context)
    const outgoing = { found: { kind: 'undocumented' }, body, decoded: undefined, violations: [] } as const
    const incoming = await forward(context, outgoing, route, wrapped.onFault)
    if (isCut) {
      const answer = { status: incoming.status, body: incoming.decoded }
      return respondWithOutcome(context, { ...outcome, answer }, wrapped.recorder)
    }
    const { scenarios } = context
    return relay(context, incoming, upstream, {
      ...headers,
      ...(scenarios.length === 0 ? {} : { 'X-Mock-Scenario': scenarios.join(', ') }),
    })
  }

  const wrap = (wrapped: Wrapped) => (context: RequestContext) =>
    isOwn(context)
      ? wrapped.serve(context)
      : pass(context, wrapped).catch((fault: unknown) => respondWithFault(context, fault, wrapped.onFault))
  return assembleMock(options, wrap, true)
}
