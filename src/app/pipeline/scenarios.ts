import { wait } from '../../service/http/connection.ts'
import type { Delay } from '../../service/http/connection.ts'
import { readJsonBody } from '../../service/http/body.ts'
import { parseRawQuery, isRead } from '../../service/http/request-head.ts'
import type { Endpoint } from '../../service/contract/endpoint.ts'
import type { Answer } from '../../service/contract/types.ts'
import { NO_EFFECTS } from '../../service/scenarios/effects.ts'
import type { Effects, ScenarioOutcome } from '../../service/scenarios/effects.ts'
import type { ScenarioEngine } from '../../service/scenarios/engine.ts'
import type { MatchInput } from '../../service/scenarios/match.ts'
import type { Stage } from '../../service/scenarios/effect-table.ts'
import type { Scenario } from '../../service/scenarios/schema.ts'
import type { Session } from '../../sessions/sessions.ts'
import type { Chance } from '../../util/chance.ts'
import type { Exchange } from './exchange.ts'
import { reply } from './reply.ts'
import type { Recorder } from './recorder.ts'

/** Applies a request's scenarios at a stage. The body is available after it has been decoded. */
export type ApplyScenarios = (stage: Stage, body?: unknown) => Promise<Effects>

/** Reads the JSON body of a request without consuming it; undefined if there is none. */
async function peek(request: Request, limit: number): Promise<unknown> {
  if (isRead(request.method)) return undefined
  try {
    return (await readJsonBody(request.clone(), limit)).value
  } catch {
    // The decoder reports the error.
    return undefined
  }
}

/** Waits until a request goes on, unless its client disconnects. */
async function holdResponse(exchange: Exchange, milliseconds: number): Promise<void> {
  const { request, session } = exchange
  await wait(milliseconds, request, session && ((wake) => session.onInterrupt(exchange, wake)))
  exchange.expectCurrent()
}

const NO_DELAY: Delay = { from: 0, to: 0 }

/** Creates the steps of a request that depend on its scenarios. */
export function createScenarioSteps({
  engine,
  chance,
  delay: always = NO_DELAY,
  maxBody,
  recorder,
}: {
  readonly engine: ScenarioEngine
  readonly chance: Chance
  /** The delay of requests that ask for none. */
  readonly delay: Delay | undefined
  readonly maxBody: number
  readonly recorder: Pick<Recorder, 'breakOff'>
}) {
  function createApply(
    exchange: Exchange,
    session: Session,
    endpoint: Endpoint | undefined,
    scenarios: readonly Scenario[],
  ): ApplyScenarios {
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
    return async function applyScenarios(stage, body) {
      // An image has no members to match.
      const readLate = () => Promise.resolve(endpoint?.body?.kind === 'json' ? body : undefined)
      const matchInput = { ...input, body: stage === 'gateway' || endpoint === undefined ? readEarly : readLate }
      const effects = await engine.apply(stage, scenarios, matchInput, session.scenarios)
      exchange.scenarios = [...new Set([...exchange.scenarios, ...effects.scenarios])]
      if (effects.outcome?.kind === 'answer') exchange.isSimulated = true
      if (effects.changesOperation) exchange.isChangedByScenario = true
      return effects
    }
  }

  async function applyAtGateway(exchange: Exchange, applyScenarios: ApplyScenarios | undefined, span: Delay) {
    const effects = (await applyScenarios?.('gateway')) ?? NO_EFFECTS
    exchange.additions = effects
    const own = span.to === 0 ? 0 : span.from + (span.to - span.from) * chance.next()
    exchange.addedDelay = own + effects.delay
    if (exchange.addedDelay > 0) await holdResponse(exchange, exchange.addedDelay)
    return effects
  }

  return {
    /**
     * Selects a request's scenarios and returns a function that applies them; undefined if there are none.
     *
     * @param endpoint undefined for a request that matches none
     * @throws {Problem} 400 for an unknown scenario.
     */
    chooseScenarios(exchange: Exchange, session: Session, endpoint?: Endpoint): ApplyScenarios | undefined {
      const scenarios = engine.choose(exchange.controls.scenario, session.scenarios)
      return scenarios.length === 0 ? undefined : createApply(exchange, session, endpoint, scenarios)
    },

    /**
     * The gateway stage, before any check: outages, rate limits, delays. Waits for the delay in the request's header, or
     * else from the command line, plus that of scenarios. Undefined if there is nothing to wait for.
     *
     * @throws {Problem} 503 if the session is reset or ends meanwhile.
     */
    passGateway(exchange: Exchange, applyScenarios: ApplyScenarios | undefined): Promise<Effects> | undefined {
      const { delay: span = always } = exchange.controls
      return applyScenarios === undefined && span.to === 0 ? undefined : applyAtGateway(exchange, applyScenarios, span)
    },

    /** Responds with a scenario's outcome, which replaces the answer, or cuts it off. */
    async replyWithOutcome(exchange: Exchange, outcome: ScenarioOutcome, answer?: Answer): Promise<Response> {
      if (outcome.kind === 'answer') return reply(exchange, outcome.answer)
      return recorder.breakOff(exchange, answer === undefined ? outcome : { ...outcome, answer })
    },
  }
}

export type ScenarioSteps = ReturnType<typeof createScenarioSteps>
