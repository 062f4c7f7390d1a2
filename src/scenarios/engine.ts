import type { Chance } from '../util/chance.ts'
import { findScenarios, parseNames } from './catalog.ts'
import type { Catalog } from './catalog.ts'
import type { FindExample } from './answer.ts'
import { NO_EFFECTS, combineEffects } from './effects.ts'
import type { Effects } from './effects.ts'
import type { MatchInput } from './match.ts'
import type { Stage } from './effect-table.ts'
import type { Scenario } from './schema.ts'
import type { ScenarioState } from './scenario-state.ts'

interface ScenarioEngineParts {
  readonly catalog: Catalog
  /** The command line's names. */
  readonly defaults: readonly string[]
  readonly chance: Chance
  readonly findExample: FindExample
}

export interface ScenarioEngine {
  /**
   * Chooses the scenarios of a request: those of its header, else of the session, else of the command line.
   *
   * @throws {Problem} 400 for an unknown name.
   */
  choose(header: string | undefined, state: ScenarioState): readonly Scenario[]
  /** Returns what the scenarios do to a request at a stage. */
  apply(stage: Stage, scenarios: readonly Scenario[], input: MatchInput, state: ScenarioState): Promise<Effects>
}

const NONE: readonly Scenario[] = []

export function createScenarioEngine({ catalog, defaults, chance, findExample }: ScenarioEngineParts): ScenarioEngine {
  return {
    choose(header, { active, defined }) {
      if (header !== undefined) return findScenarios(parseNames(header), catalog, defined)
      const names = active ?? defaults
      // A scenario whose file was removed does nothing until the file is back (D65).
      return names.length === 0 ? NONE : names.flatMap((name) => defined.get(name) ?? catalog.find(name) ?? [])
    },
    async apply(stage, scenarios, input, { runner }) {
      const fired = await runner.run(stage, scenarios, input)
      return fired.length === 0 ? NO_EFFECTS : combineEffects(fired, { chance, findExample })
    },
  }
}
