import { access, readFile } from 'node:fs/promises'
import { resolve, dirname, extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Command as Program } from 'commander'
import { SetupError } from '../errors.ts'
import { parseValue, path, toConfigName, toFlag } from '../options/option.ts'
import type { Options, Parsed, Option } from '../options/option.ts'
import { optionEntries } from '../options/options.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import { importModule } from './import-module.ts'

interface Call {
  /** The command's argument, or its default. */
  readonly argument: string
  readonly program: Program
}

/** One command of the command line: its help, parsing, completion and error messages come from this. */
export interface Command<Table extends Options = Options, Settings = unknown> {
  readonly name: string
  readonly summary: string
  readonly description: string
  readonly argument?: { readonly syntax: string; readonly about: string; readonly default?: string }
  readonly options: Table
  /** Accepts `--config`; the file may set the command's options that belong to the mock. */
  readonly hasConfig?: true
  /** Parses options whose values depend on each other. */
  readonly parse?: (argument: string, sources: SettingSources) => Settings
  /** Imports what only this command needs when it runs, since every start loads the table of commands. */
  run(settings: Settings, call: Call): Promise<void>
}

/** Returns a command as it is, with the type of its settings inferred from its options. */
export const defineCommand = <const Table extends Options, Settings = Parsed<Table>>(
  command: Command<Table, Settings>,
): Command<Table, Settings> => command

/** Prints a command's result. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** The exit status after a second signal: 128 and the signal's number, as a shell reports it. */
const STATUSES = { SIGINT: 130, SIGTERM: 143 } as const

/** npm forwards a Ctrl-C that the terminal has already delivered to the whole group: two within this time are one. */
const ECHO_MILLISECONDS = 250

/**
 * Handles SIGINT and SIGTERM, and keeps SIGXFSZ from ending the process. A second signal ends it at once.
 *
 * @param onFirst ends in order
 * @returns a function that does what a signal does.
 */
export function handleSignals(onFirst: () => void) {
  let first: number | undefined

  function raise(signal: keyof typeof STATUSES): void {
    const now = performance.now()
    if (first === undefined) {
      first = now
      onFirst()
    } else if (now - first > ECHO_MILLISECONDS) {
      process.exit(STATUSES[signal])
    }
  }

  // A file that grows past its limit (`ulimit -f`) fails the write; without a listener it would end the process.
  process.on('SIGXFSZ', () => undefined)
  process.on('SIGINT', raise)
  process.on('SIGTERM', raise)
  return raise
}

/** The sources of an option's value, in order of precedence; the default comes last. */
export interface SettingSources {
  /** As typed, by the camelCase name of the flag. */
  readonly flags: Readonly<Record<string, unknown>>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly config?: ConfigFile | undefined
  /** The working folder, where relative paths of flags start. */
  readonly folder: string
}

interface Given {
  readonly value: unknown
  /** Its name in error messages. */
  readonly subject: string
  /** Where its relative paths start. */
  readonly folder: string
}

function findGiven(name: string, option: Option, { flags, env, config, folder }: SettingSources): Given | undefined {
  const member = toConfigName(name, option)
  if (flags[member] !== undefined) return { value: flags[member], subject: toFlag(option), folder }
  // An empty variable counts as unset, since shells and CI files often cannot leave one out.
  const variable = option.env === undefined ? '' : (env[option.env] ?? '')
  if (variable !== '') return { value: variable, subject: `The environment variable ${option.env}`, folder }
  if (config === undefined || !Object.hasOwn(config.members, member)) return undefined
  return { value: config.members[member], subject: `"${member}" in ${config.name}`, folder: config.folder }
}

/** Converts texts of flags, variables and configuration files; leaves other values as they are. */
function readTexts(
  { fromText, isPath }: Pick<Option['value'], 'fromText' | 'isPath'>,
  given: unknown,
  folder: string,
): unknown {
  if (Array.isArray(given)) return given.flatMap((one: unknown) => readTexts({ fromText, isPath }, one, folder))
  if (typeof given !== 'string' || given === '') return given
  return isPath === true ? resolve(folder, given) : (fromText?.(given) ?? given)
}

/**
 * Resolves options: a flag wins over the environment, that over the configuration file, that over the default.
 *
 * @throws {SetupError} for the first value that an option cannot have.
 */
export function resolveOptions<Table extends Options>(options: Table, sources: SettingSources): Parsed<Table> {
  const resolved = Object.entries(options).flatMap(([name, option]) => {
    if (option.flag === undefined) return []
    const fallback = { value: option.default, subject: toFlag(option), folder: sources.folder }
    const { value, subject, folder } = findGiven(name, option, sources) ?? fallback
    if (value === undefined) return []
    return [[name, parseValue(option, readTexts(option.value, value, folder), subject)]]
  })
  // Every value comes out of the schema that the type is made of.
  return Object.fromEntries(resolved) as Parsed<Table>
}

/**
 * Checks the names in a configuration file.
 *
 * @throws {SetupError} for the first one that is not an option.
 */
export function checkMembers({ name, members }: ConfigFile): void {
  const known = optionEntries.flatMap(([own, option]) => (option.flag === undefined ? [] : toConfigName(own, option)))
  const unknown = Object.keys(members).find((member) => member !== '$schema' && !known.includes(member))
  if (unknown === undefined) return
  throw new SetupError(
    `Unknown option ${JSON.stringify(unknown)} in ${name}.${didYouMean(unknown, known)} Use the names in resource-mock --help, in camelCase.`,
  )
}

/** The members of a configuration file, not checked yet. */
export interface ConfigFile {
  /** Its name in error messages. */
  readonly name: string
  /** The folder that holds it. */
  readonly folder: string
  readonly members: Readonly<Record<string, unknown>>
}

/** Names of the configuration file without `--config`. */
export const configNames = ['.js', '.mjs', '.cjs', '.json'].map((type) => `resource-mock.config${type}`)

/** Names that users expect to work; they are refused rather than ignored. */
const unsupportedNames = ['.ts', '.mts', '.cts', '.yaml', '.yml'].map((type) => `resource-mock.config${type}`)

const sentenceOf = (fault: unknown): string =>
  (fault instanceof Error ? fault.message : String(fault)).split('\n', 1)[0] ?? ''

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

function expectSupported(path: string, subject: string): void {
  if (['.json', '.js', '.mjs', '.cjs'].includes(extname(path))) return
  const remedy = /\.[cm]?ts$/.test(path)
    ? 'Write it as JavaScript in a file that ends in .mjs: `defineConfig` from "resource-mock" gives an editor the types.'
    : 'Give a file that ends in .json or .js.'
  throw new SetupError(`${subject} neither JSON nor JavaScript. ${remedy}`)
}

async function parseJson(path: string, name: string): Promise<unknown> {
  const text = await readFile(path, 'utf8')
  try {
    return JSON.parse(text)
  } catch (fault) {
    throw new SetupError(`${name} is not valid JSON: ${sentenceOf(fault)}. Correct the file.`, { cause: fault })
  }
}

async function runModule(path: string, name: string): Promise<unknown> {
  try {
    const module = await importModule(pathToFileURL(path).href)
    return typeof module === 'object' && module !== null && 'default' in module ? module.default : undefined
  } catch (fault) {
    throw new SetupError(
      `${name} cannot be run: ${sentenceOf(fault)}. Correct the file. \`export default\` needs "type": "module" in its package.json; \`module.exports\` does not work with it.`,
      { cause: fault },
    )
  }
}

async function read(path: string, name: string): Promise<ConfigFile> {
  const found = extname(path) === '.json' ? await parseJson(path, name) : await runModule(path, name)
  if (typeof found !== 'object' || found === null || Array.isArray(found)) {
    throw new SetupError(
      `${name} contains no options. It must be one object, such as { "port": 4010 }${extname(path) === '.json' ? '' : ', as its default export'}.`,
    )
  }
  return { name, folder: dirname(path), members: Object.fromEntries(Object.entries(found)) }
}

/**
 * Reads the configuration file that `--config` names, or the one in the folder, if any.
 *
 * @throws {SetupError} if it is missing, broken or of an unsupported type, or if the folder has two.
 */
export async function findConfig(folder: string, named?: string): Promise<ConfigFile | undefined> {
  if (named !== undefined) {
    const path = resolve(folder, named)
    expectSupported(path, `--config is ${JSON.stringify(named)}, which is`)
    try {
      await readFile(path)
    } catch (cause) {
      throw new SetupError(
        `--config is ${JSON.stringify(named)}, which cannot be read. Use an existing file that you have permission to read.`,
        { cause },
      )
    }
    return read(path, named)
  }
  const found: string[] = []
  for (const name of [...configNames, ...unsupportedNames]) if (await exists(join(folder, name))) found.push(name)
  if (found.length > 1) {
    throw new SetupError(`Both ${found.join(' and ')} exist in ${folder}. Remove one, or choose one with --config.`)
  }
  const [name] = found
  if (name === undefined) return undefined
  expectSupported(name, `${name} is`)
  return read(join(folder, name), name)
}

/** Names the configuration file; it is not one of the options that the file holds. */
export const configOption: Option = {
  flag: '--config <file>',
  otherwise: 'resource-mock.config.json, .js, .mjs or .cjs in the working folder',
  about: 'configuration file with the same options in camelCase',
  value: path,
}
