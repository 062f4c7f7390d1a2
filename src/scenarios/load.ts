import type * as z from 'zod'
import { didYouMean } from '../util/did-you-mean.ts'
import { stringifyJson, parseJson } from '../http/json.ts'
import { toPath, valueAt } from '../http/json-problems.ts'
import { effectSchema } from './effect-table.ts'
import { answerSchema } from './effects.ts'
import { matchSchema, ruleSchema, scenarioSchema, DEFINITION_LIMITS, NO_SCENARIO, SCENARIO_NAME } from './schema.ts'
import type { ScenarioFile, Scenario } from './schema.ts'
import { findMembers } from '../contract/endpoint.ts'
import { Problem, problem, SetupError } from '../errors.ts'
import { builtinScenarios } from './builtin-scenarios.ts'
import { describeUnknown, parseNames } from './engine.ts'
import type { Catalog } from './engine.ts'
import { findUnreachable } from './match.ts'
import type { FileTexts } from '../util/load-partially.ts'

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
