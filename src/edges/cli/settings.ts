import { resolve } from 'node:path'
import type { Command as Program } from 'commander'
import { SetupError } from '../../errors.ts'
import { parseValue, toConfigName, toFlag } from '../../app/options/option.ts'
import type { Options, Parsed, Option } from '../../app/options/option.ts'
import { optionEntries } from '../../app/options/options.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import { listProblems } from '../../util/file-problems.ts'
import { escapeExpression } from '../../util/quote.ts'
import type { ConfigFile } from './config-file.ts'

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
  /** Whether it runs until a signal ends it, with status 0. */
  readonly isServer?: true
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

/** The sources of option values, in order of precedence, before the default. */
export interface SettingSources {
  /** As typed, keyed by the camelCase name of the flag. */
  readonly flags: Readonly<Record<string, unknown>>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly config?: ConfigFile | undefined
  /** The working folder; relative paths in flags are resolved against it. */
  readonly folder: string
}

/**
 * Finds the value of an option, the start of an error message about it, the variable or file that it came from, unless it is
 * a flag, which the user has just typed, and the folder of its relative paths.
 */
function findGiven(name: string, option: Option, { flags, env, config, folder }: SettingSources) {
  const member = toConfigName(name, option)
  if (flags[member] !== undefined) return { value: flags[member], subject: toFlag(option), origin: undefined, folder }
  // An empty variable counts as unset, since shells and CI configurations often cannot unset one.
  const variable = option.env === undefined ? '' : (env[option.env] ?? '')
  if (variable !== '') {
    const origin = `the environment variable ${option.env}`
    return { value: variable, subject: `The environment variable ${option.env}`, origin, folder }
  }
  if (config === undefined || !Object.hasOwn(config.members, member)) return undefined
  const value = config.members[member]
  return { value, subject: `"${member}" in ${config.name}`, origin: config.name, folder: config.folder }
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

/** Finds the members of a configuration file that are not options of the mock. */
function findUnknown({ name, members }: ConfigFile): readonly string[] {
  const known = optionEntries.flatMap(([own, option]) => (option.flag === undefined ? [] : toConfigName(own, option)))
  return Object.keys(members)
    .filter((member) => member !== '$schema' && !known.includes(member))
    .map(
      (member) =>
        `Unknown option ${JSON.stringify(member)} in ${name}.${didYouMean(member, known)} Use the names in resource-mock --help, in camelCase.`,
    )
}

/**
 * Resolves options: flags override the environment, which overrides the configuration file, which overrides defaults.
 *
 * @throws {SetupError} with a line for each invalid value, and for each unknown member of the configuration file.
 */
export function resolveOptions<Table extends Options>(options: Table, sources: SettingSources): Parsed<Table> {
  const problems = [...(sources.config === undefined ? [] : findUnknown(sources.config))]
  const resolved: [string, unknown][] = []
  for (const [name, option] of Object.entries(options)) {
    if (option.flag === undefined) continue
    const fallback = { value: option.default, subject: toFlag(option), folder: sources.folder }
    const { value, subject, folder } = findGiven(name, option, sources) ?? fallback
    if (value === undefined) continue
    try {
      resolved.push([name, parseValue(option, readTexts(option.value, value, folder), subject)])
    } catch (fault) {
      if (!(fault instanceof SetupError)) throw fault
      problems.push(fault.message)
    }
  }
  if (problems.length > 0) throw new SetupError(listProblems(problems))
  // Every value is parsed by the schema that its type is inferred from.
  return Object.fromEntries(resolved) as Parsed<Table>
}

/** Says which variables or files the values came from that an error is about: those that its message shows, or whose flag. */
export function describeOrigins(message: string, options: Options, sources: SettingSources): string {
  const sentences = Object.entries(options).map(([name, option]) => {
    const { value, origin, folder } = findGiven(name, option, sources) ?? {}
    if (origin === undefined) return ''
    const values = [value, readTexts(option.value, value, folder ?? '')].flat()
    const words = values.flatMap((one) =>
      typeof one === 'string' || typeof one === 'number' ? String(one).split(',') : [],
    )
    const isAbout = [toFlag(option), ...words].some(
      (word) => word !== '' && new RegExp(String.raw`(?<![\w.-])${escapeExpression(word)}(?![\w-]|\.\d)`).test(message),
    )
    return isAbout ? ` The value of ${toFlag(option)} comes from ${origin}.` : ''
  })
  return sentences.join('')
}
