import { Hono } from 'hono'
import * as z from 'zod'
import { didYouMean } from '../util/did-you-mean.ts'
import { problem } from '../errors.ts'
import { toJson } from '../http/json-response.ts'
import type { Events } from '../sessions/events.ts'
import { findScenarios } from '../scenarios/catalog.ts'
import type { Catalog } from '../scenarios/catalog.ts'
import { expectScenarioName, parseDefinition } from '../scenarios/parse-definition.ts'
import { NO_SCENARIO } from '../scenarios/schema.ts'
import type { Scenario } from '../scenarios/schema.ts'
import type { ScenarioState } from '../scenarios/scenario-state.ts'
import { replaceDefined } from '../sessions/defined-scenarios.ts'
import type { Session, Sessions } from '../sessions/sessions.ts'
import { expectBody, readSwitch } from './request.ts'
import type { AdminEnv } from './request.ts'
import { readWithPlaces } from './text-place.ts'

interface ScenarioParts {
  readonly catalog: Catalog
  /** The command line's names. */
  readonly defaults: readonly string[]
  readonly events: Events
  readonly sessions: Sessions
}

/** The largest definition in bytes. */
const MAX_DEFINITION = 1024 * 1024
/** As many may be active at once. */
const MAX_ACTIVE = 100

const activeBody = z.strictObject({
  active: z.array(z.string()).max(MAX_ACTIVE, { error: `at most ${MAX_ACTIVE} names expected.` }),
})

const toScenarioJson = ({ name, description, source, rules }: Scenario, { runner }: ScenarioState) => ({
  name,
  description,
  source,
  rules: rules.map((rule) => ({ ...rule, counter: runner.counter(rule) })),
})

/**
 * Defines a scenario in a session, or replaces the one of that name. Returns whether it is new.
 *
 * @throws {Problem} 503 if the session's scenarios are too many or too long.
 */
function define(session: Session, scenario: Scenario, sessions: Sessions): boolean {
  const { scenarios } = session
  const previous = scenarios.defined.get(scenario.name)
  replaceDefined(session, new Map(scenarios.defined).set(scenario.name, scenario), sessions)
  if (previous !== undefined) scenarios.runner.forget(previous)
  return previous === undefined
}

/**
 * The active scenarios with one among them, where the query's `before` or `after` says; else behind the others, or where it
 * is.
 *
 * @throws {Problem} 400 for both at once, and for another one that is not active.
 */
function arrange(active: readonly string[], name: string, query: URLSearchParams): readonly string[] {
  const [before, after] = [query.get('before'), query.get('after')]
  if (before !== null && after !== null) {
    throw problem.invalidInput('Malformed parameters: before and after exclude each other. Use one of them.')
  }
  const neighbour = before ?? after
  if (neighbour === null) return active.includes(name) ? active : [...active, name]
  const others = active.filter((one) => one !== name)
  const at = others.indexOf(neighbour)
  if (at !== -1) return others.toSpliced(before === null ? at + 1 : at, 0, name)
  throw problem.invalidField({
    field: before === null ? 'after' : 'before',
    invalidValue: neighbour,
    allowedValues: others,
    message: `${JSON.stringify(neighbour.slice(0, 100))} is not another active scenario: ${JSON.stringify(name)} has no place beside it.${didYouMean(neighbour, others)}`,
  })
}

/** Which scenarios there are, and which are active in a session. */
export function createScenarioRoutes({ catalog, defaults, events, sessions }: ScenarioParts): Hono<AdminEnv> {
  const activeOf = ({ active }: ScenarioState): readonly string[] => active ?? defaults

  /** The session's own come in the place of those of the same name. */
  function allOf({ defined }: ScenarioState): readonly Scenario[] {
    return [...catalog.all().filter(({ name }) => !defined.has(name)), ...defined.values()]
  }

  function answer({ name, scenarios }: Session, status = 200): Response {
    const active = activeOf(scenarios)
    events.publish({ kind: 'scenario', session: name, active })
    return toJson({ active }, status)
  }

  /** What was active stays so where a file has a scenario of that name too. */
  function remove({ scenarios }: Session, name: string): void {
    const defined = new Map(scenarios.defined)
    const scenario = defined.get(name)
    if (scenario === undefined) throw toMissing(name, defined)
    scenarios.runner.forget(scenario)
    defined.delete(name)
    scenarios.defined = defined
    if (catalog.find(name) === undefined) scenarios.active = scenarios.active?.filter((one) => one !== name)
  }

  function toMissing(name: string, defined: ReadonlyMap<string, Scenario>): Error {
    const shown = JSON.stringify(name.slice(0, 100))
    return problem.notFound(
      catalog.find(name) === undefined
        ? `The session has defined no scenario ${shown}.${didYouMean(name, [...defined.keys()])}`
        : `The scenario ${shown} comes from a file, and only those defined in the session can be deleted. Switch it off with PUT /__admin/scenarios/active.`,
    )
  }

  const routes = new Hono<AdminEnv>()
  routes.get('/scenarios', ({ env: { admin } }) => {
    const { scenarios } = admin.session
    return toJson({
      active: activeOf(scenarios),
      default: defaults,
      scenarios: allOf(scenarios).map((scenario) => toScenarioJson(scenario, scenarios)),
    })
  })
  routes.get('/scenarios/active', ({ env: { admin } }) => toJson({ active: activeOf(admin.session.scenarios) }))
  routes.put('/scenarios/active', async ({ env: { admin } }) => {
    const { scenarios } = admin.session
    const keepsCounters = readSwitch(admin.query, 'keepCounters')
    const { active } = expectBody(activeBody, await admin.readJson())
    const names = active.length === 1 && active[0] === NO_SCENARIO ? [] : [...new Set(active)]
    // A scenario that is activated again starts again: `conflict-once` happens once more.
    for (const scenario of findScenarios(names, catalog, scenarios.defined)) {
      if (!keepsCounters) scenarios.runner.forget(scenario)
    }
    scenarios.active = names
    return answer(admin.session)
  })
  routes.delete('/scenarios/active', ({ env: { admin } }) => {
    admin.session.scenarios.active = undefined
    return answer(admin.session)
  })
  // The others stay, in their order, and their counters go on.
  routes.put('/scenarios/active/:name', ({ req, env: { admin } }) => {
    const { scenarios } = admin.session
    const active = activeOf(scenarios)
    const [scenario] = findScenarios([req.param('name')], catalog, scenarios.defined)
    if (scenario === undefined) return answer(admin.session)
    const arranged = arrange(active, scenario.name, admin.query)
    if (arranged.length > Math.max(MAX_ACTIVE, active.length)) {
      throw problem.overCapacity(`The limit of ${MAX_ACTIVE} active scenarios is reached. Deactivate one.`)
    }
    if (!active.includes(scenario.name)) scenarios.runner.forget(scenario)
    scenarios.active = arranged
    return answer(admin.session)
  })
  routes.delete('/scenarios/active/:name', ({ req, env: { admin } }) => {
    const { scenarios } = admin.session
    const name = req.param('name')
    const active = activeOf(scenarios)
    // Its file may be gone.
    if (!active.includes(name)) findScenarios([name], catalog, scenarios.defined)
    scenarios.active = active.filter((one) => one !== name)
    return answer(admin.session)
  })
  routes.post('/scenarios/reset', ({ env: { admin } }) => {
    admin.session.scenarios.runner.reset()
    return answer(admin.session)
  })
  routes.put('/scenarios/:name', async ({ req, env: { admin } }) => {
    const name = req.param('name')
    expectScenarioName(name)
    const text = await admin.readText(MAX_DEFINITION)
    const scenario = await readWithPlaces(text, () => parseDefinition(name, text))
    const isNew = define(admin.session, scenario, sessions)
    return answer(admin.session, isNew ? 201 : 200)
  })
  routes.delete('/scenarios/:name', ({ req, env: { admin } }) => {
    remove(admin.session, req.param('name'))
    return answer(admin.session)
  })
  return routes
}
