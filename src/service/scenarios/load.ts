import { memoizeLast } from '../../util/collections.ts'
import type * as z from 'zod'
import { didYouMean } from '../../util/did-you-mean.ts'
import { stringifyJson, parseJson, toPath, valueAt } from '../http/json.ts'
import { effectSchema } from './effect-table.ts'
import { answerSchema, findBodyEncoding } from './effects.ts'
import { matchSchema, ruleSchema, scenarioSchema, SCENARIO_NAME } from './schema.ts'
import { NO_SCENARIO, parseNames } from '../http/control-headers.ts'
import type { ScenarioFile, Scenario } from './schema.ts'
import { findMembers } from '../contract/endpoint.ts'
import { problem, SetupError } from '../../errors.ts'
import { builtinScenarios } from './builtin-scenarios.ts'
import { describeUnknown } from './engine.ts'
import { locate, parseJsonOrYaml, SyntaxProblems } from './text.ts'
import type { Catalog } from './engine.ts'
import { createFindUseless } from './match.ts'
import type { FindUseless } from './match.ts'
import { listProblems, MOST_PROBLEMS, toSingleIssues } from '../../util/file-problems.ts'
import type { FileContent, FileContents } from '../../util/load-partially.ts'

type ValuePath = readonly PropertyKey[]

/** Thrown for an invalid scenario. If the scenario comes from a text, the message includes line and column. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError'
  readonly path: ValuePath

  constructor(message: string, path: ValuePath = []) {
    super(message)
    this.path = path
  }
}

/** The members of each part of a scenario, used to suggest where a misplaced member belongs. */
const PART_MEMBERS: readonly (readonly [part: string, members: readonly string[]])[] = [
  ['match', Object.keys(matchSchema.shape)],
  ['effect', Object.keys(effectSchema.shape)],
  ['answer', Object.keys(answerSchema.shape)],
  ['a rule', Object.keys(ruleSchema.shape)],
]

/** Replaces a union issue with the most specific issue of its alternatives, which is the one with the longest path. */
function flatten(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue]
  return issue.errors
    .flatMap((issues) => issues.flatMap(flatten))
    .map((nested) => ({ ...nested, path: [...issue.path, ...nested.path] }))
    .toSorted((a, b) => b.path.length - a.path.length || rankIssue(b) - rankIssue(a))
    .slice(0, 1)
}

/** Ranks a wrong value as more specific than a wrong type. */
const rankIssue = ({ code }: z.core.$ZodIssue): number => (code === 'invalid_type' ? 0 : 1)

const showShort = (value: unknown): string => {
  const text = stringifyJson(value)
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}

function describeChoice(value: unknown, allowed: readonly string[]): string {
  if (allowed.length === 1) return `${allowed[0]} expected. Found ${showShort(value)}.`
  const near = typeof value === 'string' ? didYouMean(value, allowed) : ''
  return `${showShort(value)} is not one of ${allowed.join(', ')}.${near}`
}

/** Units of size, singular and plural. */
const UNITS: Readonly<Record<string, readonly [string, string]>> = {
  array: ['entry', 'entries'],
  string: ['character', 'characters'],
}

function toSize(size: number | bigint, origin: string): string {
  const unit = UNITS[origin]
  return unit === undefined ? String(size) : `${size} ${size === 1 ? unit[0] : unit[1]}`
}

/** Describes the expected value. */
function toIssueExpectation(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return `${issue.expected === 'int' ? 'whole number' : issue.expected} expected.`
  if (issue.code === 'too_small') return `at least ${toSize(issue.minimum, issue.origin)} expected.`
  if (issue.code === 'too_big') return `at most ${toSize(issue.maximum, issue.origin)} expected.`
  return issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message
}

function describeIssue(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === 'unrecognized_keys') {
    const member = issue.keys[0] ?? ''
    const known = findMembers(scenarioSchema, issue.path)
    const owner = PART_MEMBERS.find(([, members]) => members.includes(member))
    const remedy = didYouMean(member, known) || (owner === undefined ? '' : ` It belongs in ${owner[0]}.`)
    return `unknown member ${JSON.stringify(member.slice(0, 100))}.${remedy} Known members: ${known.join(', ')}.`
  }
  if (value === undefined) return 'required, but missing.'
  if (issue.code === 'invalid_value') return describeChoice(value, issue.values.map(String))
  if ('options' in issue && Array.isArray(issue.options)) return describeChoice(value, issue.options.map(String))
  return `${toIssueExpectation(issue)} Found ${showShort(issue.code === 'invalid_key' ? issue.path.at(-1) : value)}.`
}

const isUnknownMemberIssue = ({ message }: ScenarioError): boolean => message.includes('unknown member')

/** Creates the error for the most specific issue of a value. */
export function toScenarioError(value: unknown, error: Pick<z.ZodError, 'issues'>): ScenarioError {
  const issues = error.issues.flatMap(flatten)
  // An unknown member may be a misspelled required one.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]
  if (issue === undefined) return new ScenarioError('not a scenario.')
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path
  const location = toPath(path)
  return new ScenarioError(
    `${location === '' ? '' : `${location}: `}${describeIssue(issue, valueAt(value, issue.path))}`,
    path,
  )
}

/** Checking many more would block other requests. */
const MOST_RULES = 5000

/** For a mock without `--passthrough`. */
const findUselessHere = createFindUseless(false)

/** Validates a value against the schema of scenario files. Returns the first errors, and the number of all, of an invalid one. */
function checkScenario(value: unknown, findUseless: FindUseless) {
  const rules = valueAt(value, ['rules'])
  if (Array.isArray(rules) && rules.length > MOST_RULES) {
    const sentence = `rules: a scenario can have at most ${MOST_RULES} rules, not ${rules.length}. Split it into several scenarios.`
    return { errors: [new ScenarioError(sentence, ['rules'])], count: 1 }
  }
  const result = scenarioSchema.safeParse(value)
  if (!result.success) {
    const issues = toSingleIssues(result.error.issues)
    const errors = issues.slice(0, MOST_PROBLEMS).map((issue) => toScenarioError(value, { issues: [issue] }))
    return { errors, count: issues.length }
  }
  const errors = result.data.rules.flatMap((rule, at) => {
    const useless = findUseless(rule)
    if (useless === undefined) return []
    const path = ['rules', at, ...useless.path]
    return [new ScenarioError(`${toPath(path)}: ${useless.message}`, path)]
  })
  return errors.length === 0 ? result.data : { errors: errors.slice(0, MOST_PROBLEMS), count: errors.length }
}

/**
 * Validates a value against the schema of scenario files.
 *
 * @throws {ScenarioError} for the first problem, with the path and a "did you mean" suggestion; an unknown member comes
 * first, because it may be a misspelled required one.
 */
export function parseScenario(value: unknown, findUseless: FindUseless = findUselessHere): ScenarioFile {
  const checked = checkScenario(value, findUseless)
  if ('rules' in checked) return checked
  const { errors } = checked
  throw errors.find(isUnknownMemberIssue) ?? errors[0] ?? new ScenarioError('not a scenario.')
}

const isYaml = (file: string): boolean => /\.ya?ml$/i.test(file)

/**
 * Parses the text of a scenario file as JSON or YAML, depending on the file extension.
 *
 * @throws {ScenarioError} with a line for each problem, which starts with file, line and column.
 */
export async function parseScenarioText(
  file: string,
  text: string,
  findUseless: FindUseless = findUselessHere,
): Promise<ScenarioFile> {
  let content: unknown
  try {
    content = await parseJsonOrYaml(text, isYaml(file))
  } catch (error) {
    if (!(error instanceof SyntaxProblems)) throw error
    throw new ScenarioError(
      listProblems(error.problems.map(({ position, sentence }) => `${file}${position} ${sentence}`)),
    )
  }
  const checked = checkScenario(content, findUseless)
  if ('rules' in checked) return checked
  const { errors, count } = checked
  const lines = errors.map(
    async (error) => `${file}${await locate(text, error.path, isUnknownMemberIssue(error))} ${error.message}`,
  )
  throw new ScenarioError(listProblems(await Promise.all(lines), count), errors[0]?.path)
}

/** @throws {Problem} 400 for an invalid scenario name. */
export function expectScenarioName(name: string): void {
  if (SCENARIO_NAME.test(name) && name !== NO_SCENARIO) return
  throw problem.invalidInput(
    `Invalid scenario name ${JSON.stringify(name.slice(0, 100))}. Use 1 to 64 letters, digits, ".", "_" and "-", but not "${NO_SCENARIO}".`,
  )
}

/** @throws {Problem} 400 for an invalid scenario, or for one with a body file. */
function parseFile(body: unknown, findUseless: FindUseless): ScenarioFile {
  let file: ScenarioFile
  try {
    file = parseScenario(body, findUseless)
  } catch (error) {
    if (error instanceof ScenarioError)
      throw problem.invalidInput(`Malformed scenario: ${error.message}`, { field: toPath(error.path) })
    throw error
  }
  const at = file.rules.findIndex(({ effect }) => effect.answer?.bodyFile !== undefined)
  if (at === -1) return file
  const field = `rules[${at}].effect.answer.bodyFile`
  throw problem.invalidInput(
    `Malformed scenario: ${field}: scenarios defined at run time cannot read files. Put the content into "text" or "body" instead.`,
    { field },
  )
}

/**
 * Creates a scenario that is defined at run time.
 *
 * @param body the parsed JSON
 * @param length of the JSON text, in characters
 * @throws {Problem} 400 for an invalid name or scenario, or for a scenario with a body file.
 */
export function toDefinition(
  name: string,
  body: unknown,
  length: number,
  findUseless: FindUseless = findUselessHere,
): Scenario {
  expectScenarioName(name)
  const { title, description, rules } = parseFile(body, findUseless)
  return { name, title, description, rules, length, source: 'session', bodyFiles: new Map() }
}

/** Like {@link toDefinition}, but takes JSON text. */
export const parseDefinition = (name: string, text: string, findUseless: FindUseless = findUselessHere): Scenario =>
  toDefinition(name, parseJson(text), text.length, findUseless)

/** Whether a file of a folder is a scenario, judging by its name. */
export const isScenarioFile = (file: string): boolean => /\.(?:json|ya?ml)$/i.test(file)

const bodyFilesOf = ({ rules }: ScenarioFile): readonly string[] =>
  rules.flatMap(({ effect }) => (effect.answer?.bodyFile === undefined ? [] : [effect.answer.bodyFile]))

/** Lists the body files that the text of a scenario file names, as far as it can be read. */
export async function listBodyFiles(file: string, text: string): Promise<readonly string[]> {
  const content = await parseJsonOrYaml(text.replace(/^\uFEFF/, ''), isYaml(file)).catch(() => undefined)
  const rules = valueAt(content, ['rules'])
  if (!Array.isArray(rules)) return []
  const names = rules.map((rule) => valueAt(rule, ['effect', 'answer', 'bodyFile']))
  return names.filter((name) => typeof name === 'string')
}

/** An encoded file that is longer is not UTF-8. */
const LONGEST_ENCODED_TEXT = 32

/** Whether a body file is certainly not encoded: it is a text, or lacks the first bytes of gzip (RFC 1952, section 2.3.1). */
function lacksEncoding(content: FileContent, coding: string | undefined): boolean {
  if (coding === undefined) return false
  if (/^(?:x-)?gzip$/.test(coding)) return typeof content === 'string' || content[0] !== 0x1f || content[1] !== 0x8b
  return typeof content === 'string' && content.length > LONGEST_ENCODED_TEXT
}

/** Finds the contents of a scenario's body files, which must be in the same folder. */
function takeBodyFiles(file: string, scenario: ScenarioFile, texts: FileContents): ReadonlyMap<string, FileContent> {
  const taken = new Map<string, FileContent>()
  for (const name of bodyFilesOf(scenario)) {
    const text = Object.hasOwn(texts, name) ? texts[name] : undefined
    if (text === undefined) {
      throw new SetupError(
        `Scenario ${file}: the bodyFile ${JSON.stringify(name)} is missing from the scenario file's folder. Put it there.`,
      )
    }
    taken.set(name, text)
  }
  for (const { effect } of scenario.rules) {
    const { bodyFile = '', headers } = effect.answer ?? {}
    const content = taken.get(bodyFile)
    if (content === undefined || !lacksEncoding(content, findBodyEncoding(headers))) continue
    throw new SetupError(
      `Scenario ${file}: the bodyFile ${JSON.stringify(bodyFile)} is not encoded as its Content-Encoding says. Encode the file, or remove the header.`,
    )
  }
  return taken
}

/**
 * Loads the scenario files of a folder, except files that are the `bodyFile` of a scenario.
 *
 * @throws {SetupError} with file, line, column, the error and a suggestion.
 */
export async function loadScenarios(
  texts: FileContents,
  findUseless: FindUseless = findUselessHere,
): Promise<readonly Scenario[]> {
  const parsed = new Map<string, ScenarioFile | ScenarioError>()

  for (const file of Object.keys(texts).filter(isScenarioFile).toSorted()) {
    const text = texts[file]
    // Bytes are those of a body file.
    if (typeof text !== 'string') continue
    parsed.set(
      file,
      await parseScenarioText(file, text, findUseless).catch((error: unknown): ScenarioError => {
        if (error instanceof ScenarioError) return error
        throw error
      }),
    )
  }
  const bodies = new Set([...parsed.values()].flatMap((one) => (one instanceof ScenarioError ? [] : bodyFilesOf(one))))
  // The body files of a broken scenario are parsed as scenarios and fail, too, so errors in files that no other broken file
  // mentions are preferred.
  const errors = [...parsed].flatMap(([file, one]) =>
    one instanceof ScenarioError && !bodies.has(file) ? [{ file, text: String(texts[file]), error: one }] : [],
  )
  const isMentioned = (file: string) => errors.some((other) => other.file !== file && other.text.includes(file))
  const error = (errors.find(({ file }) => !isMentioned(file)) ?? errors[0])?.error
  if (error !== undefined) throw new SetupError(error.message.replaceAll(/^(?!…)/gm, 'Scenario '))
  const scenarios = new Map<string, Scenario>()
  for (const [file, one] of parsed) {
    if (bodies.has(file) || one instanceof ScenarioError) continue
    const name = file.replace(/\.(?:json|ya?ml)$/i, '')
    if (name === NO_SCENARIO)
      throw new SetupError(`Scenario ${file}: "${NO_SCENARIO}" is reserved: it means no scenario. Rename the file.`)
    if (!SCENARIO_NAME.test(name)) {
      throw new SetupError(
        `Scenario ${file}: invalid scenario name ${JSON.stringify(name)}. Rename the file, using only letters, digits, ".", "_" and "-".`,
      )
    }
    if (scenarios.has(name)) {
      throw new SetupError(
        `Scenario ${file}: another file already has the scenario name ${JSON.stringify(name)}. Keep only one of them.`,
      )
    }
    const { title, description, rules } = one
    scenarios.set(name, { name, title, description, rules, source: 'file', bodyFiles: takeBodyFiles(file, one, texts) })
  }
  return [...scenarios.values()]
}

/** All mocks of a process share the built-in scenarios, which never change. Tests validate their files. */
const loadBuiltin = memoizeLast((contents: typeof builtinScenarios): readonly Scenario[] =>
  Object.entries(contents).map(([file, create]) => {
    const { title, description, rules } = create() as ScenarioFile
    const name = file.replace(/\.json$/, '')
    return { name, title, description, rules, source: 'built-in', bodyFiles: new Map() }
  }),
)

/**
 * Loads all scenarios of a mock: the user's scenarios, and the built-in ones that they do not replace.
 *
 * @throws {SetupError} for an invalid file.
 */
export async function loadAllScenarios(
  own: FileContents,
  findUseless: FindUseless = findUselessHere,
): Promise<readonly Scenario[]> {
  const mine = await loadScenarios(own, findUseless)
  const replaced = new Set(mine.map(({ name }) => name))
  const builtIn = loadBuiltin(builtinScenarios)
  return [...builtIn.filter(({ name }) => !replaced.has(name)), ...mine]
}

/**
 * Parses the names of the scenarios that are active in every new session.
 *
 * @throws {SetupError} for an unknown name.
 */
export function toDefaults(names: string | readonly string[], catalog: Catalog): readonly string[] {
  const defaults = parseNames((typeof names === 'string' ? [names] : names).join(','))
  const known = catalog.all().map(({ name }) => name)
  const unknown = defaults.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new SetupError(describeUnknown(unknown, known))
  return defaults
}
