import { Option as Flag } from 'commander'
import type { Command } from 'commander'
import { toFlag } from '../options/option.ts'
import { path } from '../options/values.ts'
import type { Option, Options } from '../options/option.ts'

const showPlain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The default as the help and the docs show it. */
export function describeDefault({ default: value, otherwise, flag = '' }: Option): string | undefined {
  if (value === undefined || flag.startsWith('--no-')) return otherwise
  return value === false ? 'off' : showPlain(value)
}

function describe(option: Option): string {
  const fallback = describeDefault(option)
  const notes = [
    ...(fallback === undefined ? [] : [`default: ${fallback}`]),
    ...(option.env === undefined ? [] : [`env: ${option.env}`]),
  ]
  return notes.length === 0 ? (option.about ?? '') : `${option.about} (${notes.join(', ')})`
}

/** Not one of the options that it holds. */
export const configOption: Option = {
  flag: '--config <file>',
  otherwise: 'resource-mock.config.json, .js, .mjs or .cjs in the working folder',
  about: 'configuration file with the same options in camelCase',
  value: path,
}

const gather = (value: string, gathered: readonly string[] = []): readonly string[] => [...gathered, value]

/** Adds the flags of options to a command, under their headings where it has several groups. */
export function addFlags(command: Command, options: Options, hasHeadings = false): void {
  for (const option of Object.values(options)) {
    if (option.flag === undefined) continue
    if (hasHeadings && option.heading !== undefined) command.optionsGroup(`${option.heading}:`)
    const flag = new Flag(option.flag, describe(option))
    command.addOption(option.isRepeatable === true ? flag.argParser(gather) : flag)
    if (option.negated !== undefined) command.option(toFlag(option).replace('--', '--no-'), option.negated)
  }
}

/** What was typed. Commander gives `--no-…` flags a default, which would win over the configuration file. */
export const readFlags = (command: Command): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(command.opts<Record<string, unknown>>()).filter(
      ([name]) => command.getOptionValueSource(name) === 'cli',
    ),
  )
