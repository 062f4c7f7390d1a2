import type { MockOption, Parsed } from './option.ts'
import { addressOptions, operationOptions } from './running-options.ts'
import { serviceOptions } from './service-options.ts'
import type { Value } from './values.ts'

/**
 * Every option of the mock, in the order of the help. The command line and its help, the environment variables, the
 * configuration file and its JSON schema, the types and checks of `createMock` and `startServer`, and the table in
 * docs/command-line.md come from here. The comments are what an editor shows for an option in code.
 */
export const options = { ...addressOptions, ...serviceOptions, ...operationOptions } as const

export type OptionName = keyof typeof options
type Table = typeof options

/** What code may give for an option, and what that comes to. */
type Code<O> = O extends { readonly inCode: Value<infer Parsed, infer Written> }
  ? { readonly parsed: Parsed; readonly written: Written }
  : O extends { readonly value: Value<infer Parsed, infer Written> }
    ? { readonly parsed: Parsed; readonly written: Written }
    : never

type For<Scope> = { [Name in OptionName]: Table[Name]['for'] extends Scope ? Name : never }[OptionName]
type NamesWithDefault = {
  [Name in OptionName]: Table[Name] extends { readonly default: unknown } ? Name : never
}[OptionName]
/** The options that a flag can give. */
export type CommandOption = {
  [Name in OptionName]: Table[Name] extends { readonly flag: string } ? Name : never
}[OptionName]

/**
 * What `createMock` takes.
 *
 * @example
 * const options: MockOptions = {
 *   auth: 'off',
 *   scenario: ['slow', 'conflict-once'],
 *   fixtures: { 'resources.json': '[{ "key": "linen-shirt", "objectTypeProperty": {} }]' },
 * }
 */
export type MockOptions = { readonly [Name in keyof Table as Name & For<'mock'>]?: Code<Table[Name]>['written'] }

/** What `startServer` takes. */
export type ServerOptions = {
  readonly [Name in keyof Table as Name & For<'mock' | 'server'>]?: Code<Table[Name]>['written']
}

/** Options that are checked; those with a default always have a value. */
export type ParsedOptions = {
  readonly [Name in For<'mock' | 'server'> & NamesWithDefault]: Code<Table[Name]>['parsed']
} & {
  readonly [Name in Exclude<For<'mock' | 'server'>, NamesWithDefault>]?: Code<Table[Name]>['parsed']
}

/** What the command line, the environment and the configuration file come to. */
export type Settings = Parsed<Pick<Table, CommandOption>>

/** The options by name, for what goes through all of them. */
export const optionEntries = Object.entries(options) as readonly (readonly [OptionName, MockOption])[]
