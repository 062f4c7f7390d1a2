import * as z from 'zod'
import { options } from './table.ts'
import { SetupError } from '../../errors.ts'
import { isJsonObject, showValue } from '../../service/http/json.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import { parseValue, toConfigName } from './option.ts'
import type { MockOption, Parsed, Value } from './option.ts'

export type OptionName = keyof typeof options
type Table = typeof options

/** The type of an option in code, before and after parsing. */
type Code<O> = O extends { readonly inCode: Value<infer Parsed, infer Written> }
  ? { readonly parsed: Parsed; readonly written: Written }
  : O extends { readonly value: Value<infer Parsed, infer Written> }
    ? { readonly parsed: Parsed; readonly written: Written }
    : never

type For<Scope> = { [Name in OptionName]: Table[Name]['for'] extends Scope ? Name : never }[OptionName]
type NamesWithDefault = {
  [Name in OptionName]: Table[Name] extends { readonly default: unknown } ? Name : never
}[OptionName]
/** The options that have a flag. */
export type CommandOption = {
  [Name in OptionName]: Table[Name] extends { readonly flag: string } ? Name : never
}[OptionName]

/**
 * The options of `createMock`.
 *
 * @example
 * const options: MockOptions = {
 *   auth: 'off',
 *   scenario: ['slow', 'conflict-once'],
 *   fixtures: { 'resources.json': '[{ "key": "linen-shirt", "objectTypeProperty": {} }]' },
 * }
 */
export type MockOptions = { readonly [Name in keyof Table as Name & For<'mock'>]?: Code<Table[Name]>['written'] }

/** The options of `startServer`. */
export type ServerOptions = {
  readonly [Name in keyof Table as Name & For<'mock' | 'server'>]?: Code<Table[Name]>['written']
}

/** Validated options; those with a default always have a value. */
export type ParsedOptions = {
  readonly [Name in For<'mock' | 'server'> & NamesWithDefault]: Code<Table[Name]>['parsed']
} & {
  readonly [Name in Exclude<For<'mock' | 'server'>, NamesWithDefault>]?: Code<Table[Name]>['parsed']
}

/** The parsed options from the command line, the environment and the configuration file. */
export type Settings = Parsed<Pick<Table, CommandOption>>

/** The options, keyed by name. */
export const optionEntries = Object.entries(options) as readonly (readonly [OptionName, MockOption])[]

type OptionScope = 'mock' | 'server'

const namesFor = (scope: OptionScope): readonly OptionName[] =>
  optionEntries.filter(([, option]) => option.for === scope).map(([name]) => name)

function describeUnknownOption(name: string, scope: OptionScope): string {
  const [ofMock, ofServer] = [namesFor('mock'), namesFor('server')] as const
  if (scope === 'mock' && ofServer.some((known) => known === name)) {
    return `The option ${name} is only available in startServer of resource-mock/node. Use startServer, or remove the option.`
  }
  const known = [...ofMock, ...ofServer]
  const remedy = didYouMean(name, known) || ` The options are: ${known.join(', ')}.`
  return `Unknown option "${name}".${remedy}`
}

/**
 * Checks that the options are an object.
 *
 * @throws {SetupError} for anything else.
 */
export function expectOptions(input: unknown): void {
  if (isJsonObject(input) && !('then' in input)) return
  throw new SetupError(`The options must be an object such as { scenario: 'slow' }, not ${showValue(input)}.`)
}

/**
 * Parses the options of `createMock` or `startServer` and adds the defaults. An undefined option counts as absent.
 *
 * @throws {SetupError} for the first option that is unknown or invalid.
 */
export function parseOptions(input: MockOptions | ServerOptions, scope: OptionScope = 'mock'): ParsedOptions {
  expectOptions(input)
  const taken = scope === 'mock' ? namesFor('mock') : [...namesFor('mock'), ...namesFor('server')]
  const stranger = Object.keys(input).find((name) => !taken.some((known) => known === name))
  if (stranger !== undefined) throw new SetupError(describeUnknownOption(stranger, scope))
  const values: Readonly<Record<string, unknown>> = { ...input }
  const parsed = optionEntries.flatMap(([name, option]) => {
    const value = values[name] === undefined ? option.default : values[name]
    if (option.for === 'command' || value === undefined) return []
    return [[name, parseValue({ ...option, value: option.inCode ?? option.value }, value, `The option ${name}`)]]
  })
  // Every value is parsed by the schema that its type is inferred from.
  return Object.fromEntries(parsed) as ParsedOptions
}

type ConfigName<Name extends CommandOption> = Table[Name] extends {
  readonly configName: infer Given extends string
}
  ? Given
  : Name

/** The command line options as written in a configuration file, in camelCase. */
export type Config = { readonly $schema?: string } & {
  readonly [Name in CommandOption as ConfigName<Name>]?: z.input<Table[Name]['value']['schema']>
}

/**
 * Returns a configuration unchanged; gives editors the types of the options.
 *
 * @example
 * // resource-mock.config.js
 * import { defineConfig } from 'resource-mock'
 * export default defineConfig({ port: 4020, scenario: ['slow'] })
 */
export const defineConfig = (config: Config): Config => config

/** Creates the JSON Schema (draft 2020-12) of configuration files, which refer to it in `$schema`. */
export function toConfigJsonSchema(): unknown {
  const members = optionEntries
    .filter(([, { flag }]) => flag !== undefined)
    .map(([name, option]) => {
      const { about = '', default: fallback, value } = option
      // The help for `--no-admin` describes the value `false`.
      const description = option.flag?.startsWith('--no-') === true ? `false: ${about}` : about
      return [
        toConfigName(name, option),
        value.schema.optional().meta({ description, ...(fallback === undefined ? {} : { default: fallback }) }),
      ] as const
    })
  const schema = z
    .strictObject({ $schema: z.string().optional(), ...Object.fromEntries(members) })
    .meta({ title: 'resource-mock configuration file' })
  return z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ jsonSchema }) {
      // Zod marks its output as read-only, which is irrelevant for a file.
      delete jsonSchema.readOnly
      // `format` already covers the pattern, and is shorter.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
    },
  })
}
