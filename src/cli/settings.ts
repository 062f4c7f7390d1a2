import { resolve } from 'node:path'
import { SetupError } from '../errors.ts'
import { optionEntries } from '../options/options.ts'
import { parseValue, toConfigName, toFlag } from '../options/option.ts'
import type { Option, Options, Parsed } from '../options/option.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import type { ConfigFile } from './config-file.ts'

/** What may set an option, in falling order of precedence; the default comes last. */
export interface SettingSources {
  /** As they were typed, by the camelCase name of the flag. */
  readonly flags: Readonly<Record<string, unknown>>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly config?: ConfigFile | undefined
  /** The working folder, where relative paths of flags start. */
  readonly folder: string
}

interface Given {
  readonly value: unknown
  /** What an error sentence calls it. */
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

/** What the texts of flags, variables and configuration files stand for; other values are taken as they are. */
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
