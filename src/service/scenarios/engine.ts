import { isSameContent } from '../../util/load-partially.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import { problem } from '../../errors.ts'
import { stringifyJson } from '../http/json.ts'
import { TOKEN_OPERATION } from '../contract/endpoints.ts'
import { NO_SCENARIO } from '../http/control-headers.ts'
import type { Scenario } from './schema.ts'
import { NO_EFFECTS } from './effects.ts'
import type { FindExample, Effects } from './effects.ts'
import type { Chance } from '../../util/chance.ts'
import type { MatchInput } from './match.ts'
import { combineEffects } from './effect-table.ts'
import type { Stage } from './effect-table.ts'
import type { RuleRunner } from './rule-runner.ts'

const toMap = (scenarios: readonly Scenario[]): Map<string, Scenario> =>
  // `localeCompare` would load locale data, which takes milliseconds at startup.
  new Map(scenarios.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map((scenario) => [scenario.name, scenario]))

/** All scenarios of a mock that come from files, by name. */
export type Catalog = ReturnType<typeof createCatalog>

export function createCatalog(scenarios: readonly Scenario[]) {
  let byName = toMap(scenarios)
  return {
    /** Sorted by name. */
    all: (): readonly Scenario[] => [...byName.values()],
    find: (name: string): Scenario | undefined => byName.get(name),
    /** Replaces all scenarios after the files are reloaded; unchanged scenarios keep their counters. */
    replace(read: readonly Scenario[]): void {
      const known = byName
      byName = toMap(
        read.map((scenario) =>
          isSameScenario(scenario, known.get(scenario.name)) ? (known.get(scenario.name) ?? scenario) : scenario,
        ),
      )
    },
  }
}

const isSameScenario = ({ bodyFiles: files, ...a }: Scenario, other: Scenario | undefined): boolean => {
  if (other === undefined) return false
  const { bodyFiles: otherFiles, ...b } = other
  const names = [...new Set([...files.keys(), ...otherFiles.keys()])]
  return (
    stringifyJson(a) === stringifyJson(b) && names.every((name) => isSameContent(files.get(name), otherFiles.get(name)))
  )
}

/** Maximum number of scenarios in an error message. */
const MOST_LISTED_SCENARIOS = 40

/** Lists the known scenarios, for an error message. */
function listKnown(known: readonly string[]): string {
  const more = known.length - MOST_LISTED_SCENARIOS
  const rest = more > 0 ? `, and ${more} more: resource-mock scenarios lists them` : ''
  return ` The scenarios are: ${known.slice(0, MOST_LISTED_SCENARIOS).join(', ')}${rest}.`
}

/** The error message for an unknown name; it lists the known ones. */
export const describeUnknown = (name: string, known: readonly string[]): string =>
  name === NO_SCENARIO
    ? `The name "${NO_SCENARIO}" means no scenario and cannot be combined with others. Use it alone, or omit it.`
    : `Unknown scenario ${JSON.stringify(name.slice(0, 100))}.${didYouMean(name, [...known, NO_SCENARIO])}${listKnown(known)}`

/**
 * Finds scenarios by name, in the given order and without duplicates.
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

const NO_SCENARIOS: readonly Scenario[] = []

/** @param defaults the names from the command line */
export function createScenarioEngine(parts: {
  readonly catalog: Catalog
  readonly defaults: readonly string[]
  readonly chance: Chance
  readonly findExample: FindExample
}) {
  const { catalog, defaults, ...tools } = parts
  return {
    /**
     * Chooses a request's scenarios: those that it asks for, else from the session, else from the command line.
     *
     * @throws {Problem} 400 for an unknown name.
     */
    choose(asked: readonly string[] | undefined, { active, defined }: ScenarioState): readonly Scenario[] {
      if (asked !== undefined) return findScenarios(asked, catalog, defined)
      const names = active ?? defaults
      // A scenario whose file was removed is ignored until the file is restored (D65).
      return names.length === 0 ? NO_SCENARIOS : names.flatMap((name) => defined.get(name) ?? catalog.find(name) ?? [])
    },
    /** Returns the combined effects of the scenarios on a request at a stage. */
    async apply(
      stage: Stage,
      scenarios: readonly Scenario[],
      input: MatchInput,
      { runner }: ScenarioState,
    ): Promise<Effects> {
      const fired = await runner.run(stage, scenarios, input)
      return fired.length === 0
        ? NO_EFFECTS
        : combineEffects(fired, { ...tools, isToken: input.operation === TOKEN_OPERATION })
    },
  }
}

/** The scenario state of a session: its active scenarios, the scenarios it defined, and the counters of their rules. */
export interface ScenarioState {
  /** Names set through the admin API. If undefined, the names from the command line apply. */
  readonly active: readonly string[] | undefined
  /** Scenarios defined at run time, by name. */
  readonly defined: ReadonlyMap<string, Scenario>
  /** Created on first use, because most sessions use no scenario. */
  readonly runner: RuleRunner
}
