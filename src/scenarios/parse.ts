import type * as z from 'zod'
import { didYouMean } from '../util/did-you-mean.ts'
import { stringifyJson, parseJson } from '../http/json.ts'
import { toPath, valueAt } from '../http/json-problems.ts'
import { answerSchema, effectSchema } from './effect-schema.ts'
import { matchSchema, ruleSchema, scenarioSchema, DEFINITION_LIMITS, NO_SCENARIO, SCENARIO_NAME } from './schema.ts'
import type { ScenarioFile, Scenario } from './schema.ts'
import { findMembers } from '../contract/endpoint.ts'
import { Problem, problem } from '../errors.ts'
import { builtinScenarios } from './builtin-scenarios.ts'
import { findUnreachable } from './match.ts'

/**
 * `:line:column` of a path in a YAML or JSON text (JSON is YAML), or of its nearest ancestor that stands there; of the
 * member's name where `atName`. A text that is broken has its place where it breaks.
 */
export async function locate(text: string, path: readonly PropertyKey[], atName: boolean): Promise<string> {
  const { LineCounter, isMap, isNode, isScalar, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false })
  const toText = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return `:${line}:${col}`
  }
  const [fault] = document.errors
  if (fault !== undefined) return toText(fault.pos[0])
  for (let depth = path.length; depth >= 0; depth -= 1) {
    const steps = path.slice(0, depth)
    const parent: unknown = document.getIn(steps.slice(0, -1), true)
    if (atName && depth === path.length && isMap(parent)) {
      const pair = parent.items.find(({ key }) => isScalar(key) && key.value === steps.at(-1))
      if (isNode(pair?.key) && pair.key.range) return toText(pair.key.range[0])
    }
    const node: unknown = steps.length === 0 ? document.contents : document.getIn(steps, true)
    if (isNode(node) && node.range) return toText(node.range[0])
  }
  return ':1:1'
}

type FaultPath = readonly PropertyKey[]

/** What is wrong with a scenario, and where: the path of its value, and its line and column where there is a text. */
export class ScenarioFault extends Error {
  override readonly name = 'ScenarioFault'
  readonly path: FaultPath

  constructor(message: string, path: FaultPath = []) {
    super(message)
    this.path = path
  }
}

/** Where each member may stand, to say so where it stands elsewhere. */
const PLACES: readonly (readonly [place: string, members: readonly string[]])[] = [
  ['match', Object.keys(matchSchema.shape)],
  ['effect', Object.keys(effectSchema.shape)],
  ['answer', Object.keys(answerSchema.shape)],
  ['a rule', Object.keys(ruleSchema.shape)],
]

/** An issue of a union becomes those of its alternatives: the one that went furthest tells most. */
function flatten(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue]
  return issue.errors
    .flatMap((issues) => issues.flatMap(flatten))
    .map((nested) => ({ ...nested, path: [...issue.path, ...nested.path] }))
    .toSorted((a, b) => b.path.length - a.path.length || rank(b) - rank(a))
    .slice(0, 1)
}

/** A wrong value tells more than a wrong type: the type was the right one then. */
const rank = ({ code }: z.core.$ZodIssue): number => (code === 'invalid_type' ? 0 : 1)

/** A member that is unknown tells most, since it may be another, required one misspelt. */
const pickIssue = (issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue | undefined =>
  issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]

const show = (value: unknown): string => {
  const text = stringifyJson(value)
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}

function describeStranger(member: string, known: readonly string[]): string {
  const home = PLACES.find(([, members]) => members.includes(member))
  const remedy = didYouMean(member, known) || (home === undefined ? '' : ` It belongs in ${home[0]}.`)
  return `unknown member ${JSON.stringify(member.slice(0, 100))}.${remedy} Known here: ${known.join(', ')}.`
}

function describeChoice(value: unknown, allowed: readonly string[]): string {
  if (allowed.length === 1) return `${allowed[0]} expected. Found ${show(value)}.`
  const near = typeof value === 'string' ? didYouMean(value, allowed) : ''
  return `${show(value)} is not one of ${allowed.join(', ')}.${near}`
}

/** What a size is counted in: one, and many. */
const UNITS: Readonly<Record<string, readonly [string, string]>> = {
  array: ['entry', 'entries'],
  string: ['character', 'characters'],
}

function toSize(size: number | bigint, origin: string): string {
  const unit = UNITS[origin]
  return unit === undefined ? String(size) : `${size} ${size === 1 ? unit[0] : unit[1]}`
}

/** What was expected of a value. */
function toExpectation(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return `${issue.expected === 'int' ? 'whole number' : issue.expected} expected.`
  if (issue.code === 'too_small') return `at least ${toSize(issue.minimum, issue.origin)} expected.`
  if (issue.code === 'too_big') return `at most ${toSize(issue.maximum, issue.origin)} expected.`
  return issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message
}

function describe(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === 'unrecognized_keys') {
    return describeStranger(issue.keys[0] ?? '', findMembers(scenarioSchema, issue.path))
  }
  if (value === undefined) return 'required, but missing.'
  if (issue.code === 'invalid_value') return describeChoice(value, issue.values.map(String))
  if ('options' in issue && Array.isArray(issue.options)) return describeChoice(value, issue.options.map(String))
  return `${toExpectation(issue)} Found ${show(issue.code === 'invalid_key' ? issue.path.at(-1) : value)}.`
}

/** The sentence about the first thing that is wrong with a value, after its path. */
export function toScenarioFault(value: unknown, { issues }: z.ZodError): ScenarioFault {
  const issue = pickIssue(issues.flatMap(flatten))
  if (issue === undefined) return new ScenarioFault('not a scenario.')
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path
  const shown = toPath(path)
  return new ScenarioFault(`${shown === '' ? '' : `${shown}: `}${describe(issue, valueAt(value, issue.path))}`, path)
}

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
