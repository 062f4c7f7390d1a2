import type { Chance } from '../chance.ts'
import { findScenarios, parseNames } from './catalog.ts'
import type { Catalog } from './catalog.ts'
import type { FindExample } from './answer.ts'
import { UNBENT, toBending } from './effects.ts'
import type { Bending } from './effects.ts'
import type { Facts } from './match.ts'
import type { Stage } from './player.ts'
import type { Scenario } from './schema.ts'
import type { Stageplay } from './stageplay.ts'

interface DirectorParts {
  readonly catalog: Catalog
  /** The command line's names. */
  readonly defaults: readonly string[]
  readonly chance: Chance
  readonly findExample: FindExample
}

export interface Director {
  /**
   * The scenarios of a request: its header's, else the session's, else the command line's.
   *
   * @throws {Problem} 400 for a name that none has.
   */
  choose(header: string | undefined, play: Stageplay): readonly Scenario[]
  /** What the scenarios do to a request at a stage. */
  play(stage: Stage, scenarios: readonly Scenario[], facts: Facts, play: Stageplay): Promise<Bending>
}

const NONE: readonly Scenario[] = []

export function createDirector({ catalog, defaults, chance, findExample }: DirectorParts): Director {
  return {
    choose(header, { active, defined }) {
      if (header !== undefined) return findScenarios(parseNames(header), catalog, defined)
      const names = active ?? defaults
      // A file that is removed while its scenario is active takes what it did along, until it is back (D65).
      return names.length === 0 ? NONE : names.flatMap((name) => defined.get(name) ?? catalog.find(name) ?? [])
    },
    async play(stage, scenarios, facts, { player }) {
      const acting = await player.play(stage, scenarios, facts)
      return acting.length === 0 ? UNBENT : toBending(acting, { chance, findExample })
    },
  }
}
