import { readBytes, toText } from '../http/body.ts'
import { parseJson } from '../http/json.ts'
import { parseRawQuery } from '../http/query.ts'
import type { Exchange } from './exchange.ts'
import { NO_EFFECTS } from '../scenarios/effects.ts'
import type { Effects } from '../scenarios/effects.ts'
import type { ScenarioEngine } from '../scenarios/engine.ts'
import type { MatchInput } from '../scenarios/match.ts'
import type { Stage } from '../scenarios/rule-runner.ts'
import type { Served } from './served.ts'
import type { Session } from '../sessions/session.ts'

/** Plays a stage of one request: tells what its scenarios do to it there. The body is known once it was decoded. */
export type Cue = (stage: Stage, body?: unknown) => Promise<Effects>

/** Undefined when no scenario is active, so that such a request costs nothing. */
export type Direct = (exchange: Exchange, session: Session, served: Served, projectKey: string) => Cue | undefined

/** The body of a request that nobody has read yet, if it is JSON. */
async function peek(request: Request, limit: number): Promise<unknown> {
  if (request.method === 'GET' || request.method === 'HEAD') return undefined
  try {
    return parseJson(toText(await readBytes(request.clone(), limit)))
  } catch {
    // What is wrong with it the decoder will say.
    return undefined
  }
}

export function createDirect(engine: ScenarioEngine, { maxBody }: { readonly maxBody: number }): Direct {
  return function direct(exchange, session, { id, endpoint }, projectKey) {
    const { method, address, scenarios: applied } = exchange
    const scenarios = engine.choose(exchange.header('x-mock-scenario'), session.scenarios)
    if (scenarios.length === 0) return undefined
    const { request } = exchange
    const input: Omit<MatchInput, 'body'> = {
      operation: id,
      projectKey,
      method,
      path: address.path,
      query: parseRawQuery(address.search),
      headers: request.headers,
    }
    let peeked: Promise<unknown> | undefined
    const early = () => (peeked ??= peek(request, maxBody))
    return async function applyScenarios(stage, body) {
      // An image has no members to match, as little as it has before it is decoded.
      const late = () => Promise.resolve(endpoint.body?.kind === 'json' ? body : undefined)
      const known = { ...input, body: stage === 'gateway' ? early : late }
      const effects = await engine.apply(stage, scenarios, known, session.scenarios)
      for (const name of effects === NO_EFFECTS ? [] : effects.scenarios)
        if (!applied.includes(name)) applied.push(name)
      return effects
    }
  }
}
