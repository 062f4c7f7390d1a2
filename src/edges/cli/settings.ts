import { access, readFile } from 'node:fs/promises'
import { resolve, dirname, extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Command as Program } from 'commander'
import { SetupError, toMessage } from '../../errors.ts'
import { parseValue, path, toConfigName, toFlag } from '../../app/options/option.ts'
import type { Options, Parsed, Option } from '../../app/options/option.ts'
import { optionEntries } from '../../app/options/options.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import { importModule } from './import-module.ts'

interface Call {
  /** The command's argument, or its default. */
  readonly argument: string
  /** All arguments, of a command that takes several. */
  readonly words: readonly string[]
  readonly program: Program
}

/** Defines a command: its help, parsing, completion and error messages are derived from this. */
export interface Command<Table extends Options = Options, Settings = unknown> {
  readonly name: string
  readonly summary: string
  readonly description: string
  readonly argument?: { readonly syntax: string; readonly about: string; readonly default?: string }
  readonly options: Table
  /** Whether it accepts `--config`; the file may set those of the command's options that are mock options. */
  readonly hasConfig?: true
  /** Parses options that depend on each other. */
  readonly parse?: (argument: string, sources: SettingSources) => Settings
  /** Imports the command's dependencies only when it runs, since every start loads the command table. */
  run(settings: Settings, call: Call): Promise<void>
}

/** Returns a command unchanged, and infers the type of its settings from its options. */
export const defineCommand = <const Table extends Options, Settings = Parsed<Table>>(
  command: Command<Table, Settings>,
): Command<Table, Settings> => command

/** Prints the result of a command. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** The exit status after a second signal: 128 plus the signal number, as shells report it. */
const STATUSES = { SIGINT: 130, SIGTERM: 143 } as const

/**
 * npm forwards a Ctrl-C that the terminal has already sent to the whole process group: two within this time count as one.
 */
const ECHO_MILLISECONDS = 250

/**
 * Handles SIGINT and SIGTERM, and keeps SIGXFSZ from killing the process. A second signal exits immediately.
 *
 * @param onFirst shuts down gracefully
 * @returns a function that handles a signal.
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

  // A write to a file beyond its size limit (`ulimit -f`) fails; without a listener, the signal would kill the process.
  process.on('SIGXFSZ', () => undefined)
  process.on('SIGINT', raise)
  process.on('SIGTERM', raise)
  return raise
}

/** The sources of option values, in order of precedence, before the default. */
export interface SettingSources {
  /** As typed, keyed by the camelCase name of the flag. */
  readonly flags: Readonly<Record<string, unknown>>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly config?: ConfigFile | undefined
  /** The working folder; relative paths in flags are resolved against it. */
  readonly folder: string
}

interface Given {
  readonly value: unknown
  /** The file's name in error messages. */
  readonly subject: string
  /** Relative paths in the file are resolved against it. */
  readonly folder: string
}

function findGiven(name: string, option: Option, { flags, env, config, folder }: SettingSources): Given | undefined {
  const member = toConfigName(name, option)
  if (flags[member] !== undefined) return { value: flags[member], subject: toFlag(option), folder }
  // An empty variable counts as unset, since shells and CI configurations often cannot unset one.
  const variable = option.env === undefined ? '' : (env[option.env] ?? '')
  if (variable !== '') return { value: variable, subject: `The environment variable ${option.env}`, folder }
  if (config === undefined || !Object.hasOwn(config.members, member)) return undefined
  return { value: config.members[member], subject: `"${member}" in ${config.name}`, folder: config.folder }
}

/** Converts text values; returns all others unchanged. */
function readTexts(
  { fromText, isPath }: Pick<Option['value'], 'fromText' | 'isPath'>,
  value: unknown,
  folder: string,
): unknown {
  if (Array.isArray(value)) return value.flatMap((one: unknown) => readTexts({ fromText, isPath }, one, folder))
  if (typeof value !== 'string' || value === '') return value
  return isPath === true ? resolve(folder, value) : (fromText?.(value) ?? value)
}

/**
 * Resolves options: flags override the environment, which overrides the configuration file, which overrides defaults.
 *
 * @throws {SetupError} for the first invalid value.
 */
export function resolveOptions<Table extends Options>(options: Table, sources: SettingSources): Parsed<Table> {
  const resolved = Object.entries(options).flatMap(([name, option]) => {
    if (option.flag === undefined) return []
    const fallback = { value: option.default, subject: toFlag(option), folder: sources.folder }
    const { value, subject, folder } = findGiven(name, option, sources) ?? fallback
    if (value === undefined) return []
    return [[name, parseValue(option, readTexts(option.value, value, folder), subject)]]
  })
  // Every value is parsed by the schema that its type is inferred from.
  return Object.fromEntries(resolved) as Parsed<Table>
}

/**
 * Checks the names in a configuration file.
 *
 * @throws {SetupError} for the first unknown option.
 */
export function checkMembers({ name, members }: ConfigFile): void {
  const known = optionEntries.flatMap(([own, option]) => (option.flag === undefined ? [] : toConfigName(own, option)))
  const unknown = Object.keys(members).find((member) => member !== '$schema' && !known.includes(member))
  if (unknown === undefined) return
  throw new SetupError(
    `Unknown option ${JSON.stringify(unknown)} in ${name}.${didYouMean(unknown, known)} Use the names in resource-mock --help, in camelCase.`,
  )
}

/** A configuration file with unchecked members. */
export interface ConfigFile {
  /** The file's name in error messages. */
  readonly name: string
  readonly folder: string
  readonly members: Readonly<Record<string, unknown>>
}

/** The configuration files that are found without `--config`. */
export const configNames = ['.js', '.mjs', '.cjs', '.json'].map((type) => `resource-mock.config${type}`)

/** Names that users might expect to work; rejected rather than ignored. */
const unsupportedNames = ['.ts', '.mts', '.cts', '.yaml', '.yml'].map((type) => `resource-mock.config${type}`)

const sentenceOf = (fault: unknown): string => (toMessage(fault).split('\n', 1)[0] ?? '').replace(/\.$/, '')

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

function expectSupported(path: string, subject: string): void {
  if (['.json', '.js', '.mjs', '.cjs'].includes(extname(path))) return
  const remedy = /\.[cm]?ts$/.test(path)
    ? 'Write it as JavaScript in a file that ends in .mjs: `defineConfig` from "resource-mock" provides types to the editor.'
    : 'Use a file that ends in .json or .js.'
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
      `${name} failed to run: ${sentenceOf(fault)}. Correct the file. \`export default\` requires "type": "module" in its package.json; \`module.exports\` does not work with it.`,
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
 * @throws {SetupError} if the file is missing, invalid or of an unsupported type, or if the folder has two.
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

/** Names the configuration file, so the file itself cannot set it. */
export const configOption: Option = {
  flag: '--config <file>',
  otherwise: 'resource-mock.config.json, .js, .mjs or .cjs in the working folder',
  about: 'configuration file with the same options in camelCase',
  value: path,
}
