import type * as z from 'zod'
import { SetupError } from '../errors.ts'
import { showValue } from '../http/show-value.ts'
import type { Value } from './values.ts'

/** One option of a command: its flag, its check, its help and its documentation come from this. */
export interface Option {
  readonly value: Value<unknown, unknown>
  /** As the command line writes it, `-p, --port <n>`; absent for what only code can give. */
  readonly flag?: string
  readonly env?: string
  /** In a configuration file, where that is not the option's own name. */
  readonly configName?: string
  readonly about?: string
  /** As a person would write it. */
  readonly default?: unknown
  /** What the help calls the default where it is not a value: `random`. */
  readonly otherwise?: string
  /** May be given more than once on the command line. */
  readonly isRepeatable?: true
  /** What the help says of the flag with `--no-` in front, which stands for `false`. */
  readonly negated?: string
  /** Error sentences must not show its value. */
  readonly isSecret?: true
  /** Starts a group of the help. */
  readonly heading?: string
}

/** An option of the mock, which code can give as well. */
export interface MockOption extends Option {
  /** `createMock`, `startServer` and the command; `startServer` and the command; the command alone. */
  readonly for: 'mock' | 'server' | 'command'
  /** What code gives where the command line names a folder. */
  readonly inCode?: Value<unknown, unknown>
}

export type MockOptionTable = Readonly<Record<string, MockOption>>

/** The options of a command, by name. */
export type Options = Readonly<Record<string, Option>>

type WithDefault<Table extends Options> = {
  [Name in keyof Table]: Table[Name] extends { readonly default: unknown } ? Name : never
}[keyof Table]

/** What options come to; one without a default is absent unless it is given. */
export type Parsed<Table extends Options> = {
  readonly [Name in WithDefault<Table>]: z.output<Table[Name]['value']['schema']>
} & { readonly [Name in Exclude<keyof Table, WithDefault<Table>>]?: z.output<Table[Name]['value']['schema']> }

/** The long flag, `--port` of `-p, --port <n>`. */
export const toFlag = ({ flag = '' }: Option): string => /--[a-z-]+/.exec(flag)?.[0] ?? flag

/** The name in a configuration file. */
export const toConfigName = (name: string, { configName = name }: Option): string => configName

/**
 * Parses what an option was given.
 *
 * @param subject what the error sentence starts with: `--port`
 * @throws {SetupError} for a value that the option cannot have.
 */
export function parseValue({ value, isSecret }: Pick<Option, 'value' | 'isSecret'>, given: unknown, subject: string) {
  const { schema, expected, suggest } = value
  const result = schema.safeParse(given)
  if (result.success) return result.data
  // A flag that may be repeated is an array even when it was given once.
  const one: unknown = Array.isArray(given) && given.length === 1 ? given[0] : given
  const shown = isSecret === true ? '' : `, not ${showValue(one)}`
  throw new SetupError(`${subject} must be ${expected}${shown}.${suggest?.(given) ?? ''}`)
}
