import * as z from 'zod'
import { Problem, problem } from '../../errors.ts'
import { toSteps } from '../../service/state/records.ts'
import { expectScenarioName, toDefinition } from '../../service/scenarios/load.ts'
import { createLocate } from '../../service/state/fixtures.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import { toJson } from '../../service/http/envelope.ts'
import { MAX_BYTES } from '../../service/http/sizes.ts'
import { isJsonObject } from '../../service/http/json.ts'
import { writeList } from '../../service/http/json-list.ts'
import { toRuleText } from '../../service/scenarios/rule-text.ts'
import { findScenarios } from '../../service/scenarios/engine.ts'
import type { ScenarioState } from '../../service/scenarios/engine.ts'
import { NO_SCENARIO } from '../../service/http/control-headers.ts'
import { SCENARIO_NAME } from '../../service/scenarios/schema.ts'
import type { Scenario } from '../../service/scenarios/schema.ts'
import { toStoredScenario } from '../../sessions/sessions.ts'
import { inSlices } from '../../util/time-slices.ts'
import { readSwitch } from './request.ts'
import { toJsonStream } from './state.ts'
import type { AdminRequest, AdminParts, AdminRoutes } from './request.ts'
import type { Session } from '../../sessions/sessions.ts'

/** Maximum length of a text in which errors are located, in characters: longer texts are not written by hand. */
const MAX_LOCATED = 50_000

/**
 * Calls `read`, and adds `line` and `column` to an error about a member of the JSON text, for people who write it by hand.
 *
 * @throws {Problem} the problem thrown by `read`, with its position if it names a `field`.
 */
export async function readWithPositions<Value>(text: string, read: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const [{ code: _same, message, ...members }] = error.errors
    if (typeof members['field'] !== 'string' || text.length > MAX_LOCATED) throw error
    const isName = message.includes('unknown member')
    const { line, column } = (await createLocate(text))(toSteps(members['field']), isName)
    throw problem.invalidInput(message, { ...members, line, column })
  }
}

/** Maximum number of active scenarios. */
export const MAX_ACTIVE = 100

const activeBody = z.strictObject({ active: z.array(z.string()).max(MAX_ACTIVE) })

/** Maximum number of names in an error message. */
const MOST_LISTED_NAMES = 5

/** @throws {Problem} 400 that shows the body that the client probably meant. */
function expectActive(body: unknown): readonly string[] {
  const { data } = activeBody.safeParse(body)
  if (data !== undefined) return data.active
  const given = isJsonObject(body) ? Object.values(body)[0] : body
  const names = [given].flat(1).filter((name): name is string => typeof name === 'string' && SCENARIO_NAME.test(name))
  if (names.length > MAX_ACTIVE)
    throw problem.invalidInput(`At most ${MAX_ACTIVE} scenarios can be active, not ${names.length}. Send fewer names.`)
  const meant = names.length === 0 && !Array.isArray(given) ? ['conflict'] : names.slice(0, MOST_LISTED_NAMES)
  throw problem.invalidInput(
    `The body must be an object that lists the names of scenarios. Send ${JSON.stringify({ active: meant })}`,
  )
}

/**
 * Adds a scenario to the active ones, next to the one that the query names as `before` or `after`. Without either, a new
 * scenario is added at the end, and an active one keeps its position.
 *
 * @throws {Problem} 400 if both are given, or if the named scenario is not active.
 */
function insertActive(active: readonly string[], name: string, query: URLSearchParams): readonly string[] {
  const [before, after] = [query.get('before'), query.get('after')]
  if (before !== null && after !== null)
    throw problem.invalidInput('Malformed parameters: before and after are mutually exclusive. Use one of them.')
  const neighbor = before ?? after
  if (neighbor === null) return active.includes(name) ? active : [...active, name]
  const others = active.filter((one) => one !== name)
  const at = others.indexOf(neighbor)
  if (at !== -1) return others.toSpliced(before === null ? at + 1 : at, 0, name)
  throw problem.invalidField({
    field: before === null ? 'after' : 'before',
    invalidValue: neighbor,
    allowedValues: others,
    message: `${JSON.stringify(neighbor.slice(0, 100))} is not another active scenario, so ${JSON.stringify(name)} cannot be placed next to it.${didYouMean(neighbor, others)} Activate that one first${others.length === 0 ? '' : `, or name one of ${others.slice(0, MOST_LISTED_NAMES).join(', ')}`}.`,
  })
}

/**
 * Activates exactly these scenarios in a session. Activating a scenario again resets it: `conflict-once` fires once more.
 *
 * @throws {Problem} 400 for an unknown name.
 */
export async function useScenarios(
  { sources: { catalog }, events, store }: Pick<AdminParts, 'sources' | 'events' | 'store'>,
  { name, scenarios }: Session,
  active: readonly string[],
  keepsCounters = false,
): Promise<void> {
  const names = active.length === 1 && active[0] === NO_SCENARIO ? [] : [...new Set(active)]
  const chosen = findScenarios(names, catalog, scenarios.defined)
  await store.write(name, () => store.change(name, { kind: 'active', names }))
  if (!keepsCounters) for (const scenario of chosen) scenarios.runner.restart(scenario)
  events.publish({ kind: 'scenario', session: name, active: names })
}

/** Routes to list, activate and define a session's scenarios. */
export function createScenarioRoutes(parts: AdminParts): AdminRoutes {
  const { defaults, events, store } = parts
  const { catalog, findUseless } = parts.sources
  const activeOf = ({ active }: ScenarioState): readonly string[] => active ?? defaults

  /** All scenarios. Those defined in the session override others with the same name. */
  function allOf({ defined }: ScenarioState): readonly Scenario[] {
    // By name: a restart does not keep the order in which they were defined.
    const own = [...defined.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1))
    return [...catalog.all().filter(({ name }) => !defined.has(name)), ...own]
  }

  function answer({ name, scenarios }: Session, status = 200): Response {
    const active = activeOf(scenarios)
    events.publish({ kind: 'scenario', session: name, active })
    return toJson({ active }, status)
  }

  /** @param choose maps the active scenarios to the new ones; undefined restores those of the command line */
  async function activate(
    { name, scenarios }: Session,
    choose: (active: readonly string[]) => readonly string[] | undefined,
  ): Promise<void> {
    await store.write(name, () => {
      const names = choose(activeOf(scenarios))
      store.change(name, { kind: 'active', ...(names === undefined ? {} : { names }) })
    })
  }

  /**
   * Defines or replaces a scenario in a session.
   *
   * @throws {Problem} 503 if the session's scenarios exceed a limit.
   */
  async function define({ session }: AdminRequest, scenario: Scenario): Promise<void> {
    const stored = toStoredScenario(scenario)
    await store.write(session.name, () => {
      store.change(session.name, { kind: 'scenario', name: scenario.name, scenario: stored })
    })
  }

  /** Returns the deleted scenario. Its name stays active if a file defines it too. */
  async function remove(session: Session, name: string): Promise<Scenario> {
    return store.write(session.name, () => {
      const { active, defined } = session.scenarios
      const scenario = defined.get(name)
      if (scenario === undefined) throw toMissing(name, defined)
      store.change(session.name, { kind: 'scenario', name })
      if (active !== undefined && catalog.find(name) === undefined)
        store.change(session.name, { kind: 'active', names: active.filter((one) => one !== name) })
      return scenario
    })
  }

  function toMissing(name: string, defined: ReadonlyMap<string, Scenario>): Error {
    const shown = JSON.stringify(name.slice(0, 100))
    return problem.notFound(
      catalog.find(name) === undefined
        ? `The session does not define a scenario ${shown}.${didYouMean(name, [...defined.keys()])} GET /__admin/scenarios lists its scenarios.`
        : `The scenario ${shown} was not defined in the session, so it cannot be deleted. Deactivate it with PUT /__admin/scenarios/active.`,
    )
  }

  return {
    'GET /scenarios': (admin) => {
      const { scenarios } = admin.session
      const toItem = (scenario: Scenario) => ({
        name: scenario.name,
        title: scenario.title,
        description: scenario.description,
        source: scenario.source,
        rules: scenario.rules.map((rule) => ({
          ...rule,
          text: toRuleText(rule),
          counter: scenarios.runner.counter(scenario, rule),
        })),
      })
      const others = { active: activeOf(scenarios), default: defaults }
      return toJsonStream(writeList('scenarios', inSlices(allOf(scenarios)), toItem, () => others))
    },
    'GET /scenarios/active': (admin) => toJson({ active: activeOf(admin.session.scenarios) }),
    'PUT /scenarios/active': async (admin) => {
      const keepsCounters = readSwitch(admin.query, 'keepCounters')
      await useScenarios(parts, admin.session, expectActive(await admin.readJson()), keepsCounters)
      return toJson({ active: activeOf(admin.session.scenarios) })
    },
    'DELETE /scenarios/active': async (admin) => {
      await activate(admin.session, () => undefined)
      return answer(admin.session)
    },
    // The others keep their order and counters.
    'PUT /scenarios/active/:name': async (admin, param) => {
      const { scenarios } = admin.session
      const [scenario] = findScenarios([param('name')], catalog, scenarios.defined)
      if (scenario === undefined) return answer(admin.session)
      const isNew = !activeOf(scenarios).includes(scenario.name)
      await activate(admin.session, (active) => {
        const names = insertActive(active, scenario.name, admin.query)
        if (names.length <= Math.max(MAX_ACTIVE, active.length)) return names
        throw problem.overCapacity(`Active scenario limit (${MAX_ACTIVE}) reached. Deactivate one.`)
      })
      if (isNew) scenarios.runner.restart(scenario)
      return answer(admin.session)
    },
    'DELETE /scenarios/active/:name': async (admin, param) => {
      const name = param('name')
      await activate(admin.session, (active) => {
        // Its file may have been deleted.
        if (!active.includes(name)) findScenarios([name], catalog, admin.session.scenarios.defined)
        return active.filter((one) => one !== name)
      })
      return answer(admin.session)
    },
    'POST /scenarios/reset': (admin) => {
      admin.session.scenarios.runner.reset()
      return answer(admin.session)
    },
    'PUT /scenarios/:name': async (admin, param) => {
      const name = param('name')
      expectScenarioName(name)
      const { value, text } = await admin.readJsonText(MAX_BYTES.definition)
      const scenario = await readWithPositions(text, () => toDefinition(name, value, text.length, findUseless))
      const previous = admin.session.scenarios.defined.get(name)
      if (readSwitch(admin.query, 'check')) return toJson({})
      await define(admin, scenario)
      if (previous !== undefined) admin.session.scenarios.runner.forget(previous)
      return answer(admin.session, previous === undefined ? 201 : 200)
    },
    'DELETE /scenarios/:name': async (admin, param) => {
      const removed = await remove(admin.session, param('name'))
      admin.session.scenarios.runner.forget(removed)
      return answer(admin.session)
    },
  }
}
