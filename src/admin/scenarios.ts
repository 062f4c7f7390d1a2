import * as z from 'zod'
import { didYouMean } from '../util/did-you-mean.ts'
import { problem } from '../errors.ts'
import { parseJson, toPath } from '../http/json.ts'
import type { Events } from '../sessions/events.ts'
import { findScenarios } from '../scenarios/catalog.ts'
import type { Catalog } from '../scenarios/catalog.ts'
import { parseScenario } from '../scenarios/parse.ts'
import { ScenarioFault } from '../scenarios/scenario-fault.ts'
import { DEFINITION_LIMITS, NO_SCENARIO, SCENARIO_NAME } from '../scenarios/schema.ts'
import type { Scenario, ScenarioFile } from '../scenarios/schema.ts'
import type { ScenarioState } from '../scenarios/scenario-state.ts'
import { replaceDefined } from '../sessions/defined-scenarios.ts'
import type { Session } from '../sessions/session.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { expectBody, parameterOf, readSwitch, toJson } from './route.ts'
import type { Routes } from './route.ts'
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

/** @throws {Problem} 400 for a name that no scenario may have. */
function expectScenarioName(name: string): void {
  if (SCENARIO_NAME.test(name) && name !== NO_SCENARIO) return
  throw problem.invalidInput(
    `${JSON.stringify(name.slice(0, 100))} cannot be a scenario's name. Use 1 to 64 letters, digits, ".", "_" and "-", not "${NO_SCENARIO}".`,
  )
}

/** @throws {Problem} 400 for an invalid scenario, or one with a body file. */
function parseFile(body: unknown): ScenarioFile {
  let file: ScenarioFile
  try {
    file = parseScenario(body)
  } catch (fault) {
    if (fault instanceof ScenarioFault) {
      throw problem.invalidInput(`Malformed scenario: ${fault.message}`, { field: toPath(fault.path) })
    }
    throw fault
  }
  const at = file.rules.findIndex(({ effect }) => effect.answer?.bodyFile !== undefined)
  if (at === -1) return file
  const field = `rules[${at}].effect.answer.bodyFile`
  throw problem.invalidInput(
    `Malformed scenario: ${field}: scenarios defined at run time have no folder. Put the body itself into "body".`,
    { field },
  )
}

/**
 * Reads a scenario that is defined at run time.
 *
 * @throws {Problem} 400 for an invalid name or scenario, or one with a body file.
 */
export function parseDefinition(name: string, text: string): Scenario {
  expectScenarioName(name)
  const { description, rules } = parseFile(parseJson(text, DEFINITION_LIMITS))
  return { name, description, rules, length: text.length, source: 'session', bodyFiles: new Map() }
}

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
export function createScenarioRoutes({ catalog, defaults, events, sessions }: ScenarioParts): Routes {
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

  return {
    '/scenarios': {
      GET: ({ session: { scenarios } }) =>
        toJson({
          active: activeOf(scenarios),
          default: defaults,
          scenarios: allOf(scenarios).map((scenario) => toScenarioJson(scenario, scenarios)),
        }),
    },
    '/scenarios/active': {
      GET: ({ session: { scenarios } }) => toJson({ active: activeOf(scenarios) }),
      async PUT({ session, query, readJson }) {
        const { scenarios } = session
        const keepsCounters = readSwitch(query, 'keepCounters')
        const { active } = expectBody(activeBody, await readJson())
        const names = active.length === 1 && active[0] === NO_SCENARIO ? [] : [...new Set(active)]
        // What is chosen anew begins anew: `conflict-once` happens once more.
        for (const scenario of findScenarios(names, catalog, scenarios.defined)) {
          if (!keepsCounters) scenarios.runner.forget(scenario)
        }
        scenarios.active = names
        return answer(session)
      },
      DELETE({ session }) {
        session.scenarios.active = undefined
        return answer(session)
      },
    },
    '/scenarios/active/:name': {
      // The others stay, in their order, and go on counting.
      PUT(request) {
        const { session } = request
        const active = activeOf(session.scenarios)
        const [scenario] = findScenarios([parameterOf(request, 'name')], catalog, session.scenarios.defined)
        if (scenario === undefined) return answer(session)
        const arranged = arrange(active, scenario.name, request.query)
        if (arranged.length > Math.max(MAX_ACTIVE, active.length)) {
          throw problem.overCapacity(`The limit of ${MAX_ACTIVE} active scenarios is reached. Deactivate one.`)
        }
        if (!active.includes(scenario.name)) session.scenarios.runner.forget(scenario)
        session.scenarios.active = arranged
        return answer(session)
      },
      DELETE(request) {
        const { session } = request
        const name = parameterOf(request, 'name')
        const active = activeOf(session.scenarios)
        // Its file may be gone.
        if (!active.includes(name)) findScenarios([name], catalog, session.scenarios.defined)
        session.scenarios.active = active.filter((one) => one !== name)
        return answer(session)
      },
    },
    '/scenarios/reset': {
      POST({ session }) {
        session.scenarios.runner.reset()
        return answer(session)
      },
    },
    '/scenarios/:name': {
      async PUT(request) {
        const name = parameterOf(request, 'name')
        expectScenarioName(name)
        const text = await request.readText(MAX_DEFINITION)
        const scenario = await readWithPlaces(text, () => parseDefinition(name, text))
        const isNew = define(request.session, scenario, sessions)
        return answer(request.session, isNew ? 201 : 200)
      },
      DELETE(request) {
        remove(request.session, parameterOf(request, 'name'))
        return answer(request.session)
      },
    },
  }
}
