import type { RuleRunner } from './rule-runner.ts'
import type { Scenario } from './schema.ts'

/** The scenario state of one session: which scenarios it activated and defined, and the counters of their rules. */
export interface ScenarioState {
  /** Names set through the admin API; undefined: those of the command line. */
  active: readonly string[] | undefined
  /** Defined at run time, by name. */
  defined: ReadonlyMap<string, Scenario>
  /** Created on first use: most sessions use no scenario. */
  readonly runner: RuleRunner
}

const NONE: ReadonlyMap<string, Scenario> = new Map()

/** Creates the scenario state of a new session. */
export function createScenarioState(createRuleRunner: () => RuleRunner): ScenarioState {
  let runner: RuleRunner | undefined
  return {
    active: undefined,
    defined: NONE,
    get runner() {
      return (runner ??= createRuleRunner())
    },
  }
}
