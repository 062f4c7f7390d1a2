import type { RuleRunner } from './rule-runner.ts'
import type { Scenario } from './schema.ts'

/** The scenario state of one session: which scenarios it activated and defined, and the counters of their rules. */
export interface ScenarioState {
  /** Names set through the admin API; undefined: those of the command line. */
  readonly active: readonly string[] | undefined
  /** Defined at run time, by name. */
  readonly defined: ReadonlyMap<string, Scenario>
  /** Created on first use: most sessions use no scenario. */
  readonly runner: RuleRunner
}
