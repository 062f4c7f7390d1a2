import type { Endpoint } from '../contract/endpoint.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { parseDelayHeader, wait } from '../http/delay.ts'
import type { Delay } from '../http/delay.ts'
import { readJsonBody } from '../http/json-body.ts'
import { REQUEST_LIMITS } from '../http/json-limits.ts'
import { parseRawQuery } from '../http/query.ts'
import type { Effects } from '../scenarios/effects.ts'
import type { ScenarioEngine } from '../scenarios/engine.ts'
import type { MatchInput } from '../scenarios/match.ts'
import type { Stage } from '../scenarios/effect-table.ts'
import type { Session } from '../sessions/session.ts'
import type { Chance } from '../util/chance.ts'
import type { RequestContext } from './request-context.ts'

/** Applies the scenarios of one request at a stage. The body is known once it has been decoded. */
export type ApplyScenarios = (stage: Stage, body?: unknown) => Promise<Effects>

/** Chooses the scenarios of a request, and returns what applies them; undefined if there are none. */
export type ChooseScenarios = (
  context: RequestContext,
  session: Session,
  /** Undefined for a request that meets no endpoint. */
  id?: OperationId,
  endpoint?: Endpoint,
) => ApplyScenarios | undefined

/** The JSON body of a request that has not been read yet; undefined where there is none. */
async function peek(request: Request, limit: number): Promise<unknown> {
  if (request.method === 'GET' || request.method === 'HEAD') return undefined
  try {
    return await readJsonBody(request.clone(), { limit, limits: REQUEST_LIMITS }, ({ value }) => value)
  } catch {
    // The decoder reports what is wrong with it.
    return undefined
  }
}

export function createChooseScenarios(
  engine: ScenarioEngine,
  { maxBody }: { readonly maxBody: number },
): ChooseScenarios {
  return function chooseScenarios(context, session, id, endpoint) {
    const { request, method, address, projectKey = '', scenarios: applied } = context
    const scenarios = engine.choose(context.header('x-mock-scenario'), session.scenarios)
    if (scenarios.length === 0) return undefined
    const input: Omit<MatchInput, 'body'> = {
      operation: id,
      projectKey,
      method,
      path: address.path,
      query: parseRawQuery(address.search),
      headers: request.headers,
    }
    let peeked: Promise<unknown> | undefined
    const readEarly = () => (peeked ??= peek(request, maxBody))
    return async function applyScenarios(stage, body) {
      // An image has no members to match, neither before nor after it is decoded.
      const readLate = () => Promise.resolve(endpoint?.body?.kind === 'json' ? body : undefined)
      const matchInput = { ...input, body: stage === 'gateway' || id === undefined ? readEarly : readLate }
      const effects = await engine.apply(stage, scenarios, matchInput, session.scenarios)
      for (const name of effects.scenarios) if (!applied.includes(name)) applied.push(name)
      if (effects.outcome?.kind === 'answer') context.isFaked = true
      if (effects.isTwisted) context.isTwisted = true
      return effects
    }
  }
}

/** Waits as long as the request's header says, or else the command line, plus what scenarios add in milliseconds. */
export type DelayRequest = (context: RequestContext, milliseconds: number) => Promise<void> | undefined

export function createDelay(always: Delay | undefined, chance: Chance): DelayRequest {
  return function delay(context, milliseconds) {
    const asked = context.header('x-mock-delay')
    const span = asked === undefined ? always : parseDelayHeader(asked)
    const own = span === undefined || span.to === 0 ? 0 : span.from + (span.to - span.from) * chance.next()
    return own + milliseconds > 0 ? wait(own + milliseconds, context.request) : undefined
  }
}
