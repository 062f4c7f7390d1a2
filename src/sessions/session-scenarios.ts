import { Problem } from '../errors.ts'
import { stringifyJson } from '../http/json.ts'
import { parseDefinition } from '../scenarios/parse-definition.ts'
import type { RuleRunner } from '../scenarios/rule-runner.ts'
import type { ScenarioState } from '../scenarios/scenario-state.ts'
import type { Scenario } from '../scenarios/schema.ts'
import type { Arrangement, StoredScenario } from '../state/state-data.ts'

const scenarios = new WeakMap<StoredScenario, Scenario | undefined>()
const definitions = new WeakMap<Arrangement['defined'], ReadonlyMap<string, Scenario>>()

/** The scenario as the state keeps it. */
export function toStoredScenario(scenario: Scenario): StoredScenario {
  const { description, rules } = scenario
  const stored = { text: stringifyJson({ description, rules }) }
  scenarios.set(stored, scenario)
  return stored
}

/** The scenario of a stored one; undefined if this version cannot read it. */
function findScenario(name: string, stored: StoredScenario): Scenario | undefined {
  if (scenarios.has(stored)) return scenarios.get(stored)
  let scenario: Scenario | undefined
  try {
    // Whether its paths can be met was checked when it was defined.
    scenario = parseDefinition(name, stored.text, true)
  } catch (fault) {
    if (!(fault instanceof Problem)) throw fault
  }
  scenarios.set(stored, scenario)
  return scenario
}

function readDefined(defined: Arrangement['defined']): ReadonlyMap<string, Scenario> {
  const known = definitions.get(defined)
  if (known !== undefined) return known
  const read = new Map<string, Scenario>()
  for (const [name, stored] of defined) {
    const scenario = findScenario(name, stored)
    if (scenario !== undefined) read.set(name, scenario)
  }
  definitions.set(defined, read)
  return read
}

/**
 * Creates the scenario state of a session.
 *
 * @param arrangement reads what the session has chosen and defined
 */
export function createScenarioState(arrangement: () => Arrangement, createRuleRunner: () => RuleRunner): ScenarioState {
  let runner: RuleRunner | undefined
  return {
    get active() {
      return arrangement().active
    },
    get defined() {
      return readDefined(arrangement().defined)
    },
    get runner() {
      return (runner ??= createRuleRunner())
    },
  }
}
