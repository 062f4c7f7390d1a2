import type { Endpoint } from '../contract/endpoint.ts'
import { parseDelayHeader, wait } from '../http/connection.ts'
import type { Delay } from '../http/connection.ts'
import { readJsonBody } from '../http/body.ts'
import { REQUEST_LIMITS } from '../http/json-problems.ts'
import { parseRawQuery } from '../http/address.ts'
import { isRead } from '../http/headers.ts'
import type { Effects } from '../scenarios/effects.ts'
import type { ScenarioEngine } from '../scenarios/engine.ts'
import type { MatchInput } from '../scenarios/match.ts'
import type { Stage } from '../scenarios/effect-table.ts'
import type { Scenario } from '../scenarios/schema.ts'
import type { Session } from '../sessions/session.ts'
import type { Chance } from '../util/chance.ts'
import type { Exchange } from './exchange.ts'

/** Applies the scenarios of one request at a stage. The body is known once it has been decoded. */
export type ApplyScenarios = (stage: Stage, body?: unknown) => Promise<Effects>

/**
 * Chooses the scenarios of a request, and returns what applies them; undefined if there are none.
 *
 * @param endpoint undefined for a request that meets none
 */
export type ChooseScenarios = (exchange: Exchange, session: Session, endpoint?: Endpoint) => ApplyScenarios | undefined

/** The JSON body of a request that has not been read yet; undefined if it has none. */
async function peek(request: Request, limit: number): Promise<unknown> {
  if (isRead(request.method)) return undefined
  try {
    return await readJsonBody(request.clone(), { limit, limits: REQUEST_LIMITS }, ({ value }) => value)
  } catch {
    // The decoder reports what is wrong with it.
    return undefined
  }
}

export function createChooseScenarios(engine: ScenarioEngine, maxBody: number): ChooseScenarios {
  function createApply(
    exchange: Exchange,
    session: Session,
    endpoint: Endpoint | undefined,
    scenarios: readonly Scenario[],
  ) {
    const { request, operation } = exchange
    const input: Omit<MatchInput, 'body'> = {
      operation,
      projectKey: exchange.projectKey ?? '',
      method: exchange.method,
      path: exchange.address.path,
      query: parseRawQuery(exchange.address.search),
      headers: request.headers,
    }
    let peeked: Promise<unknown> | undefined
    const readEarly = () => (peeked ??= peek(request, maxBody))
    return async function applyScenarios(stage: Stage, body?: unknown): Promise<Effects> {
      // An image has no members to match, neither before nor after it is decoded.
      const readLate = () => Promise.resolve(endpoint?.body?.kind === 'json' ? body : undefined)
      const matchInput = { ...input, body: stage === 'gateway' || operation === undefined ? readEarly : readLate }
      const effects = await engine.apply(stage, scenarios, matchInput, session.scenarios)
      exchange.scenarios = [...new Set([...exchange.scenarios, ...effects.scenarios])]
      if (effects.outcome?.kind === 'answer') exchange.isSimulated = true
      if (effects.isTwisted) exchange.isTwisted = true
      return effects
    }
  }

  return function chooseScenarios(exchange, session, endpoint) {
    const scenarios = engine.choose(exchange.header('x-mock-scenario'), session.scenarios)
    return scenarios.length === 0 ? undefined : createApply(exchange, session, endpoint, scenarios)
  }
}

/** Waits as long as the request's header or else the command line says, plus the milliseconds that scenarios add. */
export type DelayRequest = (exchange: Exchange, milliseconds: number) => Promise<void> | undefined

export function createDelay(always: Delay | undefined, chance: Chance): DelayRequest {
  return function delay(exchange, milliseconds) {
    const asked = exchange.header('x-mock-delay')
    const span = asked === undefined ? always : parseDelayHeader(asked)
    const own = span === undefined || span.to === 0 ? 0 : span.from + (span.to - span.from) * chance.next()
    return own + milliseconds > 0 ? wait(own + milliseconds, exchange.request) : undefined
  }
}
