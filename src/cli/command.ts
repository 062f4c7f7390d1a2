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

/** What a second signal ends with: 128 and the signal's number, as a shell reports it. */
const STATUSES = { SIGINT: 130, SIGTERM: 143 } as const

/** npm hands on a Ctrl-C that the terminal has already delivered to the whole group: within this time two are one. */
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
