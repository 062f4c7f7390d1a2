import { Hono } from 'hono'
import type { Context, MiddlewareHandler } from 'hono'
import * as z from 'zod'
import { EVERY_SCOPE } from '../../service/auth/authenticate.ts'
import { problem } from '../../errors.ts'
import { SETUP_PATH, toBaseUrlName } from '../../service/http/request-head.ts'
import { toJson } from '../../service/http/envelope.ts'
import { stringifyJson } from '../../service/http/json.ts'
import { addRoutes } from '../../service/http/routes.ts'
import { readJsonBody } from '../../service/http/body.ts'
import type { Env } from '../../app/pipeline/exchange.ts'
import type { EnterSession } from '../../app/pipeline/enter-session.ts'
import type { Effect } from '../../service/scenarios/effect-table.ts'
import { parseNames } from '../../service/http/control-headers.ts'
import { findScenarios } from '../../service/scenarios/engine.ts'
import type { Catalog } from '../../service/scenarios/engine.ts'
import { parseDefinition } from '../../service/scenarios/load.ts'
import type { Rule, Scenario } from '../../service/scenarios/schema.ts'
import type { Events } from '../../sessions/events.ts'
import { PLAIN_STATE, stateParameters } from '../../sessions/pact/provider-state.ts'
import type { StateParameters } from '../../sessions/pact/provider-state.ts'
import { toStoredScenario } from '../../sessions/sessions.ts'
import { EVERY_PROJECT, toProjectId } from '../../service/state/project-data.ts'
import type { Sources } from '../../sessions/sources.ts'
import type { ProjectData } from '../../service/state/project-data.ts'
import { StateFault, expectProject, toProjectData } from '../../service/state/records.ts'
import { expectScenarioCount } from '../../service/state/store.ts'
import type { Store } from '../../service/state/store.ts'

/** A limit that has already been reached. */
const LIMITED: Effect = {
  answer: { status: 429, error: { ...problem.tooManyRequests(1, 1).errors[0] }, headers: { 'Retry-After': '1' } },
}

/**
 * Returns the scenario without `during`, `flapping`, `times`, `after`, `every` and `probability`, so that an effect
 * recorded on the third request, or by chance, is reproduced during verification.
 *
 * @param status the recorded status; rules that respond with a different one are omitted
 */
export function toDeterministicScenario(scenario: Scenario, status: number | undefined): Scenario {
  const rules = scenario.rules
    .filter((rule) => {
      if (rule.effect.fault !== undefined) return status === undefined
      const answered = rule.effect.rateLimit === undefined ? rule.effect.answer?.status : 429
      return status === undefined || answered === undefined || answered === status
    })
    .map(({ match, effect }): Rule => {
      const effectOf = effect.rateLimit !== undefined && status === 429 ? LIMITED : effect
      return { ...(match === undefined ? {} : { match }), effect: effectOf }
    })
  return { ...scenario, rules }
}

/** The body posted by Pact's verifier. `action` is present if the verifier also tears states down. */
const stateChange = z.looseObject({
  state: z.string().optional(),
  action: z.string().optional(),
  params: stateParameters.optional(),
})
type StateChange = z.output<typeof stateChange>

/** @throws {Problem} 400 for an invalid state change. */
function parseStateChange(body: unknown): StateChange {
  const result = stateChange.safeParse(body)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const position = issue === undefined || issue.path.length === 0 ? 'the body' : issue.path.join('.')
  throw problem.invalidInput(
    `Invalid provider state: ${position} is not of the expected type. Send {"state": "…", "params": {…}}, as Pact's verifier does.`,
  )
}

/**
 * The scenarios named by a state, changed so that they always apply.
 *
 * @throws {Problem} 400 for an unknown scenario.
 */
function chooseScenarios({ state = '', params = {} }: StateChange, catalog: Catalog): readonly Scenario[] {
  if (state === PLAIN_STATE) return []
  const definitions = new Map<string, Scenario>()
  for (const [name, body] of Object.entries(params.definitions ?? {})) {
    definitions.set(name, parseDefinition(name, stringifyJson(body)))
  }
  return findScenarios(parseNames(state), catalog, definitions).map((scenario) =>
    toDeterministicScenario(scenario, params.status),
  )
}

/**
 * The project's data, or undefined for a state without data.
 *
 * @throws {Problem} 400 for invalid project data.
 */
function findData({ resources, posted, action }: StateParameters, first: string): ProjectData | undefined {
  if (resources === undefined) return undefined
  const record = { resources, ...(posted === undefined ? {} : { posted }), ...(action === undefined ? {} : { action }) }
  try {
    return toProjectData(expectProject(record), 'resources', first)
  } catch (error) {
    if (error instanceof StateFault) throw problem.invalidInput(`Malformed provider state: params.${error.message}`)
    throw error
  }
}

/**
 * Puts a session into a provider state, using Pact's protocol. A state names scenarios like the header `X-Mock-Scenario`,
 * and its parameters contain the data. Every state starts from a reset session, so that interactions can be verified in any
 * order.
 *
 * @param parts.gate runs before every request that controls the mock
 * @param parts.maxBody maximum size of a JSON body in bytes
 */
export function createPactSetup(parts: {
  readonly store: Store
  readonly sources: Pick<Sources, 'catalog' | 'fixtures'>
  readonly events: Events
  readonly gate: MiddlewareHandler
  readonly enterSession: EnterSession
  readonly maxBody: number
}): Hono<Env> {
  const { store, sources, events, gate, enterSession, maxBody } = parts
  const app = new Hono<Env>()
  app.use(SETUP_PATH, gate)
  const handle = async ({ req, env: { exchange } }: Context<Env>): Promise<Response> => {
    const session = await enterSession(exchange)
    const { value: body } = await readJsonBody(req.raw, maxBody)
    // Nothing changes if the state is invalid (400) or has too many scenarios (503). The journal and snapshots are kept.
    const change = parseStateChange(body)
    const { params = {} } = change
    const { projectKey, scopes = [projectKey === undefined ? EVERY_SCOPE : `manage_project:${projectKey}`] } = params
    const isEnd = change.action === 'teardown'
    const scenarios = isEnd ? [] : chooseScenarios(change, sources.catalog)
    const data = isEnd ? undefined : findData(params, sources.fixtures.action)
    const project = toProjectId(
      projectKey === undefined ? EVERY_PROJECT : { baseUrl: toBaseUrlName(exchange.address.baseUrl), projectKey },
    )
    const { name } = session
    const chosen = new Map(scenarios.map((scenario) => [scenario.name, scenario]))
    expectScenarioCount(chosen.size)
    const stored = Array.from(chosen, ([one, scenario]) => [one, toStoredScenario(scenario)] as const)
    await store.write(name, () => {
      store.change(name, { kind: 'session' })
      for (const one of store.scenarioSelection(name).defined.keys())
        store.change(name, { kind: 'scenario', name: one })
      for (const [one, scenario] of stored) store.change(name, { kind: 'scenario', name: one, scenario })
      store.change(name, { kind: 'active', names: [...chosen.keys()] })
      if (data !== undefined) store.change(name, { kind: 'project', project, data })
    })
    session.scenarios.runner.reset()
    events.publish({ kind: 'state', session: name })
    events.publish({ kind: 'scenario', session: name, active: session.scenarios.active ?? [] })

    return toJson({ accessToken: scopes.join(',') })
  }
  addRoutes(
    app,
    { [`POST ${SETUP_PATH}` as const]: handle },
    (run, c) => run(c),
    ({ req }, allowed) => {
      throw problem.methodNotAllowed(req.method, SETUP_PATH, allowed)
    },
  )
  return app
}
