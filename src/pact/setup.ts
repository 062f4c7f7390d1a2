import { Hono } from 'hono'
import type { Context, MiddlewareHandler } from 'hono'
import * as z from 'zod'
import { EVERY_SCOPE } from '../auth/authenticate.ts'
import { problem } from '../errors.ts'
import { toBaseUrlName } from '../http/request-head.ts'
import { toJson } from '../http/envelope.ts'
import { stringifyJson } from '../http/json.ts'
import { addRoutes } from '../http/routes.ts'
import { readJsonBody } from '../http/body.ts'
import { REQUEST_LIMITS } from '../http/json-problems.ts'
import type { EnterSession, Env } from '../pipeline/exchange.ts'
import type { Effect } from '../scenarios/effect-table.ts'
import { findScenarios, parseNames } from '../scenarios/engine.ts'
import type { Catalog } from '../scenarios/engine.ts'
import { parseDefinition } from '../scenarios/load.ts'
import type { Rule, Scenario } from '../scenarios/schema.ts'
import type { Events } from '../sessions/events.ts'
import { toStoredScenario, expectScenariosWithinLimits } from '../sessions/sessions.ts'
import type { Session, Sessions } from '../sessions/sessions.ts'
import { EVERY_PROJECT, toProjectId } from '../state/project-data.ts'
import { STATE_SLICE, checkProject } from '../state/check-state.ts'
import type { Fixtures } from '../state/fixtures.ts'
import type { ProjectData } from '../state/project-data.ts'
import { StateFault, buildProjectData } from '../state/records.ts'
import type { Store } from '../state/store.ts'
import { runInTurns } from '../util/turns.ts'

/** A limit that is reached already. */
const LIMITED: Effect = {
  answer: { status: 429, error: { ...problem.tooManyRequests(1, 1).errors[0] }, headers: { 'Retry-After': '1' } },
}

/** Whether a rule may have caused the status, which is undefined for a broken connection. */
function isOf(status: number | undefined, { effect }: Rule): boolean {
  if (effect.fault !== undefined) return status === undefined
  const answered = effect.rateLimit === undefined ? effect.answer?.status : 429
  return status === undefined || answered === undefined || answered === status
}

/**
 * Returns the scenario without `during`, `flapping`, `times`, `after`, `every` and `probability`, so that an effect on the
 * third request, or by chance, happens again to the verified one.
 *
 * @param status the recorded status; rules that answer with another one are left out
 */
export function toDeterministicScenario(scenario: Scenario, status: number | undefined): Scenario {
  const rules = scenario.rules
    .filter((rule) => isOf(status, rule))
    .map(({ match, effect }): Rule => {
      const effectOf = effect.rateLimit !== undefined && status === 429 ? LIMITED : effect
      return { ...(match === undefined ? {} : { match }), effect: effectOf }
    })
  return { ...scenario, rules }
}

/** The name of the state of an exchange that no scenario acted on; any other name is that of scenarios. */
export const PLAIN_STATE = 'a project with these resources'

/** The parameters of a provider state, so that the ids and versions of its interaction exist whatever came before. */
const stateParameters = z.looseObject({
  projectKey: z.string().optional(),
  /** The full scopes that its token needs, such as `manage_test:acme`; absent without a valid token. */
  scopes: z.array(z.string()).optional(),
  /** Records as fixtures have them: all that the project holds. */
  resources: z.array(z.unknown()).optional(),
  /** Names of what was posted before (D16). */
  posted: z.array(z.string()).optional(),
  /** JSON text of the action payload (D22). */
  action: z.string().optional(),
  /** The status that the scenarios caused. */
  status: z.int().optional(),
  /** Scenarios that no file has, by name. */
  definitions: z.record(z.string(), z.unknown()).optional(),
})
export type StateParameters = z.output<typeof stateParameters>

/** The body that Pact's verifier posts; `action` is present if it also tears states down. */
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
  const place = issue === undefined || issue.path.length === 0 ? 'the body' : issue.path.join('.')
  throw problem.invalidInput(
    `A provider state is given as {"state": "…", "params": {…}}, but ${place} is invalid: ${issue?.message ?? ''}. Send it as Pact's verifier does.`,
  )
}

/**
 * The scenarios that a state names, each certain to act.
 *
 * @throws {Problem} 400 for a name that none has.
 */
function chooseScenarios({ state = '', params = {} }: StateChange, catalog: Catalog): readonly Scenario[] {
  if (state === PLAIN_STATE) return []
  const given = new Map<string, Scenario>()
  for (const [name, body] of Object.entries(params.definitions ?? {})) {
    given.set(name, parseDefinition(name, stringifyJson(body)))
  }
  return findScenarios(parseNames(state), catalog, given).map((scenario) =>
    toDeterministicScenario(scenario, params.status),
  )
}

/**
 * The project's data; undefined for a state without data.
 *
 * @throws {Problem} 400 for invalid project data.
 */
async function findData(
  { resources, posted, action }: StateParameters,
  first: string,
): Promise<ProjectData | undefined> {
  if (resources === undefined) return undefined
  const record = { resources, ...(posted === undefined ? {} : { posted }), ...(action === undefined ? {} : { action }) }
  try {
    const contents = await runInTurns(checkProject(record), STATE_SLICE)
    return await runInTurns(buildProjectData(contents, '', first), STATE_SLICE)
  } catch (error) {
    if (error instanceof StateFault) throw problem.invalidInput(`Malformed provider state: params.${error.message}`)
    throw error
  }
}

/**
 * Sets a session to the provider state that Pact's verifier posts, or back to the start when it tears one down. Returns
 * a token for the interactions. The session's journal and snapshots stay.
 *
 * @param baseUrl the name of the base URL whose project the state is about
 * @throws {Problem} 400 for an invalid state, 503 if its scenarios are too many or too long; nothing has changed then.
 */
async function changeState(
  session: Session,
  baseUrl: string,
  body: unknown,
  parts: Pick<Parameters<typeof createPactSetup>[0], 'store' | 'sessions' | 'catalog' | 'fixtures' | 'events'>,
): Promise<{ readonly accessToken: string }> {
  const { store, catalog, events, fixtures } = parts
  const change = parseStateChange(body)
  const { params = {} } = change
  const { projectKey } = params
  const isEnd = change.action === 'teardown'
  const scenarios = isEnd ? [] : chooseScenarios(change, catalog)
  const data = isEnd ? undefined : await findData(params, fixtures().action)
  const project = toProjectId(projectKey === undefined ? EVERY_PROJECT : { baseUrl, projectKey })
  const { name } = session
  const chosen = new Map(scenarios.map((scenario) => [scenario.name, scenario]))
  expectScenariosWithinLimits(session, chosen, parts.sessions)
  const stored = Array.from(chosen, ([one, scenario]) => [one, toStoredScenario(scenario)] as const)
  await store.write(name, () => {
    store.change(name, { kind: 'session' })
    for (const one of store.scenarioSelection(name).defined.keys()) store.change(name, { kind: 'scenario', name: one })
    for (const [one, scenario] of stored) store.change(name, { kind: 'scenario', name: one, scenario })
    store.change(name, { kind: 'active', names: [...chosen.keys()] })
    if (data !== undefined) store.change(name, { kind: 'project', project, data })
  })
  session.scenarios.runner.reset()
  events.publish({ kind: 'state', session: session.name })
  events.publish({ kind: 'scenario', session: session.name, active: session.scenarios.active ?? [] })
  const scopes = params.scopes ?? [projectKey === undefined ? EVERY_SCOPE : `manage_project:${projectKey}`]
  return { accessToken: scopes.join(',') }
}

/** The path to which Pact's verifier posts provider states. */
export const SETUP_PATH = '/_pactSetup'

/**
 * Sets a session to a provider state, by Pact's own protocol: scenarios by their names, as the header
 * `X-Mock-Scenario` has them, and the data that the state's parameters bring. Every state starts from the beginning, so that
 * interactions can be verified in any order.
 *
 * @param parts.gate runs before everything that controls the mock
 * @param parts.maxBody the largest JSON body in bytes
 */
export function createPactSetup(parts: {
  readonly store: Store
  readonly sessions: Sessions
  readonly catalog: Catalog
  readonly fixtures: () => Fixtures
  readonly events: Events
  readonly gate: MiddlewareHandler
  readonly enterSession: EnterSession
  readonly maxBody: number
}): Hono<Env> {
  const { gate, enterSession, maxBody } = parts
  const app = new Hono<Env>()
  app.use(SETUP_PATH, gate)
  const handle = async ({ req, env: { exchange } }: Context<Env>): Promise<Response> => {
    const session = await enterSession(exchange)
    const body = await readJsonBody(req.raw, { limit: maxBody, limits: REQUEST_LIMITS }, ({ value }) => value)
    return toJson(await changeState(session, toBaseUrlName(exchange.address.baseUrl), body, parts))
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
