import { didYouMean } from '../util/did-you-mean.ts'
import { problem } from '../errors.ts'
import { stringifyJson } from '../http/json.ts'
import { NO_SCENARIO } from './schema.ts'
import type { Scenario } from './schema.ts'
import { NO_EFFECTS } from './effects.ts'
import type { FindExample, Effects } from './effects.ts'
import type { Chance } from '../util/chance.ts'
import type { MatchInput } from './match.ts'
import { combineEffects } from './effect-table.ts'
import type { Stage } from './effect-table.ts'
import type { RuleRunner } from './rule-runner.ts'

const toMap = (scenarios: readonly Scenario[]): Map<string, Scenario> =>
  // `localeCompare` would load locale data, which takes milliseconds at startup.
  new Map(scenarios.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map((scenario) => [scenario.name, scenario]))

/** Every scenario of a mock that comes from files, by name. */
export type Catalog = ReturnType<typeof createCatalog>

export function createCatalog(scenarios: readonly Scenario[]) {
  let byName = toMap(scenarios)
  return {
    /** In the order of their names. */
    all: (): readonly Scenario[] => [...byName.values()],
    find: (name: string): Scenario | undefined => byName.get(name),
    /** Replaces all scenarios after the files were read again; unchanged ones keep their counters. */
    replace(read: readonly Scenario[]): void {
      const known = byName
      byName = toMap(
        read.map((scenario) =>
          isSame(scenario, known.get(scenario.name)) ? (known.get(scenario.name) ?? scenario) : scenario,
        ),
      )
    },
  }
}

const isSame = (a: Scenario, b: Scenario | undefined): boolean =>
  b !== undefined && stringifyJson([a, [...a.bodyFiles]]) === stringifyJson([b, [...b.bodyFiles]])

/** The names of a list such as `conflict, slow`; `none` and an empty list select no scenario. */
export function parseNames(list: string): readonly string[] {
  const names = list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return names.length === 1 && names[0] === NO_SCENARIO ? [] : names
}

/** The sentence about an unknown name. */
export const describeUnknown = (name: string, known: readonly string[]): string =>
  name === NO_SCENARIO
    ? `The name "${NO_SCENARIO}" means no scenario and cannot be combined with others. Use it alone, or leave it out.`
    : `Unknown scenario ${JSON.stringify(name.slice(0, 100))}.${didYouMean(name, [...known, NO_SCENARIO])} List them with: resource-mock scenarios`

/**
 * The scenarios of a list of names, in its order and each once.
 *
 * @throws {Problem} 400 for an unknown name.
 */
export function findScenarios(
  names: readonly string[],
  catalog: Catalog,
  defined: ReadonlyMap<string, Scenario>,
): readonly Scenario[] {
  return [...new Set(names)].map((name) => {
    const scenario = defined.get(name) ?? catalog.find(name)
    if (scenario !== undefined) return scenario
    const known = [...new Set([...catalog.all().map((one) => one.name), ...defined.keys()])]
    throw problem.invalidInput(describeUnknown(name, known), {
      field: 'scenario',
      invalidValue: name.slice(0, 100),
      allowedValues: known,
    })
  })
}

export type ScenarioEngine = ReturnType<typeof createScenarioEngine>

const NONE: readonly Scenario[] = []

/** @param defaults the command line's names */
export function createScenarioEngine({
  catalog,
  defaults,
  ...tools
}: {
  readonly catalog: Catalog
  readonly defaults: readonly string[]
  readonly chance: Chance
  readonly findExample: FindExample
}) {
  return {
    /**
     * Chooses the scenarios of a request: those of its header, else of the session, else of the command line.
     *
     * @throws {Problem} 400 for an unknown name.
     */
    choose(header: string | undefined, { active, defined }: ScenarioState): readonly Scenario[] {
      if (header !== undefined) return findScenarios(parseNames(header), catalog, defined)
      const names = active ?? defaults
      // A scenario whose file was removed does nothing until the file is back (D65).
      return names.length === 0 ? NONE : names.flatMap((name) => defined.get(name) ?? catalog.find(name) ?? [])
    },
    /** Returns what the scenarios do to a request at a stage. */
    async apply(
      stage: Stage,
      scenarios: readonly Scenario[],
      input: MatchInput,
      { runner }: ScenarioState,
    ): Promise<Effects> {
      const fired = await runner.run(stage, scenarios, input)
      return fired.length === 0 ? NO_EFFECTS : combineEffects(fired, tools)
    },
  }
}

/** The scenario state of one session: which scenarios it activated and defined, and the counters of their rules. */
export interface ScenarioState {
  /** Names set through the admin API; undefined: those of the command line. */
  readonly active: readonly string[] | undefined
  /** Defined at run time, by name. */
  readonly defined: ReadonlyMap<string, Scenario>
  /** Created on first use: most sessions use no scenario. */
  readonly runner: RuleRunner
}
