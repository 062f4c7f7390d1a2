import { problem } from '../errors.ts'
import { parseJson } from '../http/json.ts'
import { toPath } from '../http/json-faults.ts'
import { parseScenario } from './parse.ts'
import { ScenarioFault } from './scenario-fault.ts'
import { DEFINITION_LIMITS, NO_SCENARIO, SCENARIO_NAME } from './schema.ts'
import type { Scenario, ScenarioFile } from './schema.ts'

/** @throws {Problem} 400 for a name that no scenario may have. */
export function expectScenarioName(name: string): void {
  if (SCENARIO_NAME.test(name) && name !== NO_SCENARIO) return
  throw problem.invalidInput(
    `${JSON.stringify(name.slice(0, 100))} cannot be a scenario's name. Use 1 to 64 letters, digits, ".", "_" and "-", not "${NO_SCENARIO}".`,
  )
}

/** @throws {Problem} 400 for an invalid scenario, or one with a body file. */
function parseFile(body: unknown, hasPassthrough: boolean): ScenarioFile {
  let file: ScenarioFile
  try {
    file = parseScenario(body, hasPassthrough)
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
 * A scenario that is defined at run time.
 *
 * @param body its parsed JSON
 * @param length of its JSON text
 * @throws {Problem} 400 for an invalid name or scenario, or one with a body file.
 */
export function toDefinition(name: string, body: unknown, length: number, hasPassthrough = false): Scenario {
  expectScenarioName(name)
  const { description, rules } = parseFile(body, hasPassthrough)
  return { name, description, rules, length, source: 'session', bodyFiles: new Map() }
}

/** As {@link toDefinition}, of JSON text. */
export const parseDefinition = (name: string, text: string, hasPassthrough = false): Scenario =>
  toDefinition(name, parseJson(text, DEFINITION_LIMITS), text.length, hasPassthrough)
