import type { Command as Program } from 'commander'
import type { Options, Parsed } from '../options/option.ts'
import type { SettingSources } from './settings.ts'

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
