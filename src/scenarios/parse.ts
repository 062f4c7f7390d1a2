import { Problem } from '../errors.ts'
import { parseJson } from '../http/json.ts'
import { toPath } from '../http/json-faults.ts'
import { builtinScenarios } from './builtin-scenarios.ts'
import { locate } from './locate.ts'
import { findUnreachable } from './reachable.ts'
import { ScenarioFault, toScenarioFault } from './scenario-fault.ts'
import { scenarioSchema } from './schema.ts'
import type { ScenarioFile } from './schema.ts'

/**
 * Holds a value to the schema of scenario files.
 *
 * @param hasPassthrough whether its rules may be for paths that are passed through
 * @throws {ScenarioFault} for the first thing that is wrong, with its path and "did you mean".
 */
export function parseScenario(value: unknown, hasPassthrough = false): ScenarioFile {
  const result = scenarioSchema.safeParse(value)
  if (!result.success) throw toScenarioFault(value, result.error)
  const unreachable = findUnreachable(result.data.rules, hasPassthrough)
  if (unreachable === undefined) return result.data
  const path = ['rules', unreachable.at, 'match', 'path']
  throw new ScenarioFault(`${toPath(path)}: ${unreachable.message}`, path)
}

/** A text that cannot be read at all, and `:line:column` of where it breaks. */
class SyntaxFault extends Error {
  readonly place: string

  constructor(message: string, place: string) {
    super(message)
    this.place = place
  }
}

/** Whole numbers as JSON has them: a `bigint` only where a double would round (D3). */
const toJsonNumber = (value: unknown): unknown =>
  typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value

async function parseYaml(text: string): Promise<unknown> {
  const { parseDocument } = await import('yaml')
  const document = parseDocument(text, { intAsBigInt: true, prettyErrors: true })
  const [fault] = document.errors
  if (fault !== undefined) {
    const [place] = fault.linePos ?? []
    const sentence =
      fault.code === 'MULTIPLE_DOCS'
        ? 'one YAML document expected, found another.'
        : fault.message.replace(/ at line \d+, column \d+:?[^]*$/, '.')
    throw new SyntaxFault(sentence, place === undefined ? ':1:1' : `:${place.line}:${place.col}`)
  }
  try {
    return document.toJS({ maxAliasCount: 100, reviver: (_name, value) => toJsonNumber(value) }) as unknown
  } catch (fault) {
    // An alias without its anchor, or too many of them.
    throw new SyntaxFault(`${fault instanceof Error ? fault.message : String(fault)}.`, ':1:1')
  }
}

function parseJsonText(text: string): unknown {
  if (text.trim() === '') throw new SyntaxFault('the file is empty; a scenario expected.', ':1:1')
  try {
    return parseJson(text)
  } catch (fault) {
    if (!(fault instanceof Problem)) throw fault
    // What parseJson says of the place goes to where editors look for it.
    const detail = String(fault.errors[0]['detailedErrorMessage'])
    const [found = '', line = '1', column = '1'] = /line (\d+), column (\d+)/.exec(detail) ?? []
    throw new SyntaxFault(detail.replace(`${found}: `, '').replace(` (${found})`, ''), `:${line}:${column}`)
  }
}

const isYaml = (file: string): boolean => /\.ya?ml$/i.test(file)

/**
 * Reads the text of a scenario file, JSON or YAML by its file extension.
 *
 * @throws {ScenarioFault} whose message begins with file, line and column.
 */
export async function parseScenarioText(file: string, text: string, hasPassthrough = false): Promise<ScenarioFile> {
  try {
    const content = isYaml(file) ? await parseYaml(text) : parseJsonText(text)
    // The tests hold the built-in files to the schema, so that a start, which has to be quick, need not.
    return text === builtinScenarios[file] ? (content as ScenarioFile) : parseScenario(content, hasPassthrough)
  } catch (fault) {
    if (fault instanceof SyntaxFault) throw new ScenarioFault(`${file}${fault.place} ${fault.message}`)
    if (!(fault instanceof ScenarioFault)) throw fault
    const isStranger = fault.message.includes('unknown member')
    throw new ScenarioFault(`${file}${await locate(text, fault.path, isStranger)} ${fault.message}`, fault.path)
  }
}
