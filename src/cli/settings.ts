import { didYouMean } from '../util/did-you-mean.ts'
import { SetupError } from '../errors.ts'
import type { ConfigFile } from './config-file.ts'
import type { Option, Source } from './option.ts'
import { toFlag } from './option.ts'
import { optionList } from './options.ts'
import type { OptionName, Settings } from './options.ts'

/** Everything that may set an option, in falling order of precedence; below them stands the table's default. */
export interface Sources {
  /** By option name; as commander has them. */
  readonly flags: Readonly<Record<string, unknown>>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly config: ConfigFile | undefined
  /** The working folder, where relative paths of flags start. */
  readonly folder: string
}

/** Texts to parse, one for an option that is not repeated; or a switch that is thrown. */
interface Given {
  readonly source: Source
  readonly value: boolean | readonly string[]
}

function findFlag(name: OptionName, option: Option, { flags, folder }: Sources): Given | undefined {
  const found = flags[name]
  if (found === undefined) return undefined
  const source = { name: toFlag(option), folder }
  if (typeof found === 'boolean') return { source, value: toSwitchOrNegated(option, found) }
  const texts: readonly unknown[] = Array.isArray(found) ? found : [found]
  return { source, value: texts.filter((text) => typeof text === 'string') }
}

function toSwitchOrNegated(option: Option, on: boolean): boolean | readonly string[] {
  return option.kind === 'value' && option.negated !== undefined && !on ? [option.negated] : on
}

/** An empty variable counts as unset, since shells and CI files often cannot leave one out. */
function findVariable(option: Option, { env, folder }: Sources): Given | undefined {
  const found = option.env === undefined ? undefined : env[option.env]
  if (found === undefined || found === '') return undefined
  return { source: { name: `The environment variable ${option.env}`, folder }, value: [found] }
}

function findMember(name: OptionName, option: Option, { config }: Sources): Given | undefined {
  if (config === undefined || !Object.hasOwn(config.members, name)) return undefined
  const found = config.members[name]
  const source = { name: `"${name}" in ${config.name}`, folder: config.folder }
  if (option.kind === 'switch') {
    if (typeof found === 'boolean') return { source, value: found }
    throw wrongKind(source, name, found, 'true or false')
  }
  if (found === false && option.kind === 'value' && option.negated !== undefined)
    return { source, value: [option.negated] }
  const texts = (Array.isArray(found) ? found : [found]).map((one: unknown) => {
    if (typeof one === 'string' || typeof one === 'number') return String(one)
    throw wrongKind(source, name, found, 'a string or a number')
  })
  return { source, value: option.kind === 'list' ? texts : [texts.join(',')] }
}

/** What these were given is never shown. */
const secretOptions: ReadonlySet<OptionName> = new Set(['adminToken', 'client', 'tokenSecret'])

function wrongKind({ name }: Source, option: OptionName, found: unknown, expected: string): SetupError {
  const shown = secretOptions.has(option) ? '' : `${JSON.stringify(found)}, which is `
  return new SetupError(`${name} is ${shown}not ${expected}. Give it as resource-mock --help shows it.`)
}

function checkMembers(config: ConfigFile): void {
  const names = optionList.map(([name]) => name)
  for (const member of Object.keys(config.members)) {
    if (names.some((name) => name === member)) continue
    throw new SetupError(
      `Unknown option ${JSON.stringify(member)} in ${config.name}.${didYouMean(member, names)} Options are named as in resource-mock --help, in camelCase.`,
    )
  }
}

function parseGiven(option: Option, { source, value }: Given): unknown {
  if (typeof value === 'boolean' || option.kind === 'switch') return value
  const values = value.map((text) => option.parse(text, source))
  return option.kind === 'list' ? values : values[0]
}

/**
 * Settles every option, or those that are named: a flag wins over the environment, that over the configuration file, that
 * over the default.
 *
 * @throws {SetupError} for the first value, or configuration member, that is not what it must be.
 */
export function resolveSettings(sources: Sources, names?: readonly OptionName[]): Settings {
  if (sources.config !== undefined) checkMembers(sources.config)
  const settled: [OptionName, unknown][] = []
  for (const [name, option] of optionList) {
    if (names?.includes(name) === false) continue
    const given =
      findFlag(name, option, sources) ??
      findVariable(option, sources) ??
      findMember(name, option, sources) ??
      findFallback(option, sources)
    if (given !== undefined) settled.push([name, parseGiven(option, given)])
  }
  // Each value came out of its own option's parser, which is what the type says of it.
  return Object.fromEntries(settled)
}

function findFallback(option: Option, { folder }: Sources): Given | undefined {
  if (option.kind !== 'value' || option.fallback === undefined) return undefined
  return { source: { name: toFlag(option), folder }, value: [option.fallback] }
}
