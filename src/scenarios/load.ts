import { SetupError } from '../errors.ts'
import { builtinScenarios } from './builtin-scenarios.ts'
import { describeUnknown, parseNames } from './engine.ts'
import type { Catalog } from './engine.ts'
import { parseScenarioText, ScenarioFault } from './parse.ts'
import { NO_SCENARIO, SCENARIO_NAME } from './schema.ts'
import type { Scenario, ScenarioFile } from './schema.ts'
import type { FileTexts } from '../util/load-partially.ts'

const isScenarioFile = (file: string): boolean => /\.(?:json|ya?ml)$/i.test(file)

const toName = (file: string): string => file.replace(/\.(?:json|ya?ml)$/i, '')

const bodyFilesOf = ({ rules }: ScenarioFile): readonly string[] =>
  rules.flatMap(({ effect }) => (effect.answer?.bodyFile === undefined ? [] : [effect.answer.bodyFile]))

/** The texts of the body files that a scenario names; they lie in its own folder. */
function takeBodyFiles(file: string, scenario: ScenarioFile, texts: FileTexts): ReadonlyMap<string, string> {
  const taken = new Map<string, string>()
  for (const name of bodyFilesOf(scenario)) {
    const text = Object.hasOwn(texts, name) ? texts[name] : undefined
    if (text === undefined) {
      throw new SetupError(
        `Scenario ${file}: the bodyFile ${JSON.stringify(name)} is not in the scenario file's folder. Put it there.`,
      )
    }
    taken.set(name, text)
  }
  return taken
}

type ParsedScenario = ReadonlyMap<string, ScenarioFile | ScenarioFault>

/**
 * What is wrong with the files that no scenario names as its `bodyFile`. The body files of a broken scenario look broken
 * too, so one that no other mentions comes first.
 */
function findFault(parsed: ParsedScenario, bodies: ReadonlySet<string>, texts: FileTexts): ScenarioFault | undefined {
  const faults = [...parsed].flatMap(([file, one]) =>
    one instanceof ScenarioFault && !bodies.has(file) ? [{ file, fault: one }] : [],
  )
  const isMentioned = (file: string) => faults.some((other) => other.file !== file && texts[other.file]?.includes(file))
  return (faults.find(({ file }) => !isMentioned(file)) ?? faults[0])?.fault
}

/**
 * Reads the scenario files of a folder. A file that a scenario names as its `bodyFile` is none itself.
 *
 * @throws {SetupError} naming file, line, column, what was wrong, and what was meant.
 */
export async function loadScenarios(
  texts: FileTexts,
  source: Scenario['source'],
  hasPassthrough = false,
): Promise<readonly Scenario[]> {
  const parsed = new Map<string, ScenarioFile | ScenarioFault>()
  for (const file of Object.keys(texts).filter(isScenarioFile).toSorted()) {
    parsed.set(file, await parseScenarioText(file, texts[file] ?? '', hasPassthrough).catch(keepFault))
  }
  const bodies = new Set([...parsed.values()].flatMap((one) => (one instanceof ScenarioFault ? [] : bodyFilesOf(one))))
  const fault = findFault(parsed, bodies, texts)
  if (fault !== undefined) throw new SetupError(`Scenario ${fault.message}`)
  const scenarios = new Map<string, Scenario>()
  for (const [file, one] of parsed) {
    if (bodies.has(file) || one instanceof ScenarioFault) continue
    const name = toName(file)
    if (name === NO_SCENARIO) {
      throw new SetupError(`Scenario ${file}: "${NO_SCENARIO}" is reserved: it means no scenario. Rename the file.`)
    }
    if (!SCENARIO_NAME.test(name)) {
      throw new SetupError(
        `Scenario ${file}: ${JSON.stringify(name)} cannot be its name. Rename the file to letters, digits, ".", "_" and "-".`,
      )
    }
    if (scenarios.has(name)) {
      throw new SetupError(
        `Scenario ${file}: there is another file for the name ${JSON.stringify(name)}. Keep one of them.`,
      )
    }
    const { description, rules } = one
    scenarios.set(name, { name, description, rules, source, bodyFiles: takeBodyFiles(file, one, texts) })
  }
  return [...scenarios.values()]
}

/**
 * All scenarios of a mock: the built-in ones, with the user's own in the place of those of the same name.
 *
 * @throws {SetupError} for a file that is no scenario.
 */
export async function loadAllScenarios(own: FileTexts, hasPassthrough = false): Promise<readonly Scenario[]> {
  const mine = await loadScenarios(own, 'file', hasPassthrough)
  const replaced = new Set(mine.map(({ name }) => name))
  const builtIn = await loadScenarios(builtinScenarios, 'built-in')
  return [...builtIn.filter(({ name }) => !replaced.has(name)), ...mine]
}

/**
 * The names that every session starts with.
 *
 * @throws {SetupError} for a name that no scenario has.
 */
export function toDefaults(names: string | readonly string[], catalog: Catalog): readonly string[] {
  const defaults = parseNames((typeof names === 'string' ? [names] : names).join(','))
  const known = catalog.all().map(({ name }) => name)
  const unknown = defaults.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new SetupError(describeUnknown(unknown, known))
  return defaults
}

function keepFault(fault: unknown): ScenarioFault {
  if (fault instanceof ScenarioFault) return fault
  throw fault
}
