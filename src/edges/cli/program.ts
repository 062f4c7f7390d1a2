import { Command, CommanderError, Help, Option as Flag } from 'commander'
import { SetupError } from '../../errors.ts'
import { expectFetch } from '../../util/expect-fetch.ts'
import { ListenError } from '../node/server.ts'
import { toFlag } from '../../app/options/option.ts'
import type { Option } from '../../app/options/option.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import { options } from '../../app/options/table.ts'
import { configOption, findConfig } from './config-file.ts'
import { toTrace } from './log.ts'
import { defineCommand, describeOrigins, resolveOptions } from './settings.ts'
import type { Command as CommandEntry, SettingSources } from './settings.ts'
import { completion, coverage, openapi, scenariosCommand } from './commands/print.ts'
import { initCommand } from './commands/init.ts'
import { mcp } from './commands/mcp.ts'
import { proxy } from './commands/proxy.ts'
import { resilience } from './commands/resilience.ts'
import { verifyCommand } from './commands/verify.ts'

const serve = defineCommand({
  name: 'serve',
  summary: 'start the mock (the default)',
  description: 'Starts the mock and prints its address to standard output when it accepts connections.',
  options,
  hasConfig: true,
  isServer: true,
  async run(settings) {
    const { runMock } = await import('./server.ts')
    await runMock(settings)
  },
})

/** All commands, in help order; the first one is the default. */
export const commands: readonly CommandEntry[] = [
  serve,
  scenariosCommand,
  initCommand,
  openapi,
  verifyCommand,
  coverage,
  resilience,
  proxy,
  mcp,
  completion,
]

/** The default as shown in the help and the docs. */
export function describeDefault({ default: value, otherwise, flag = '' }: Option): string | undefined {
  if (value === undefined || flag.startsWith('--no-')) return otherwise
  return value === false ? 'off' : typeof value === 'string' ? value : JSON.stringify(value)
}

function describeOption(option: Option): string {
  const fallback = describeDefault(option)
  const notes = [
    ...(fallback === undefined ? [] : [`default: ${fallback}`]),
    ...(option.env === undefined ? [] : [`env: ${option.env}`]),
  ]
  return notes.length === 0 ? (option.about ?? '') : `${option.about} (${notes.join(', ')})`
}

function addFlag(command: Command, option: Option): void {
  if (option.flag === undefined) return
  const flag = new Flag(option.flag, describeOption(option))
  /** A word that is an option is not a value: it was probably forgotten. */
  function expectValue(value: string): string {
    const [name] = value.split('=', 1)
    if (command.options.every(({ long, short }) => long !== name && short !== name)) return value
    throw new SetupError(
      `The option ${flag.flags} needs a value, but ${name} is an option. See: ${toCommandText(command)} --help`,
    )
  }
  if (option.isRepeatable === true)
    flag.argParser<readonly string[] | undefined>((value, collected = []) => [...collected, expectValue(value)])
  else if (flag.required) flag.argParser(expectValue)
  command.addOption(flag)
  const long = toFlag(option)
  const opposite = long.startsWith('--no-') ? long.replace('--no-', '--') : long.replace('--', '--no-')
  if (option.negated !== undefined) command.option(opposite, option.negated)
  // So that a flag can undo a switch of the configuration file.
  else if (!flag.required) command.addOption(new Flag(opposite).hideHelp())
}

const flagsOf = ({ options }: Command): readonly string[] => options.flatMap(({ long }) => long ?? [])

/** What to type for a command. */
const toCommandText = (command: Command): string =>
  command.name() === 'serve' ? 'resource-mock' : `resource-mock ${command.name()}`

/** The options of a command that this command runs are mistaken for its own without `--`. */
const suggestSeparator = (called: Command | undefined): string =>
  called?.registeredArguments.some(({ variadic }) => variadic) === true
    ? ' If it belongs to the command that follows, put -- before that command.'
    : ''

/** Rephrases a commander error; undefined if commander only displayed the help or the version. */
function findUsageError(error: CommanderError, program: Command): SetupError | undefined {
  if (error.exitCode === 0) return undefined
  // Commander quotes the option or argument that a message refers to.
  const subject = /'([^']*)'/.exec(error.message)?.[1] ?? ''
  const [flag = '', ...values] = subject.split('=')
  // The command that was called; `serve` by default.
  const called =
    program.commands.find((command) => command.name() === program.args[0]) ??
    program.commands.find((command) => command.name() === 'serve')
  const flags = [program, ...(called === undefined ? [] : [called])].flatMap(flagsOf)
  const help = `${called === undefined ? 'resource-mock' : toCommandText(called)} --help`
  switch (error.code) {
    case 'commander.unknownOption':
      if (values.length > 0 && flags.includes(flag))
        return new SetupError(`The option ${flag} does not take a value. Remove "=${values.join('=')}".`)
      const owners = program.commands.filter((command) => flagsOf(command).includes(flag)).map(toCommandText)
      if (owners.length > 0) {
        return new SetupError(
          `The option ${flag} belongs to ${owners.map((owner) => `"${owner}"`).join(' and ')}. See: ${owners[0]} --help`,
        )
      }
      return new SetupError(
        `Unknown option "${subject}".${didYouMean(flag, [...flags, '--help'])}${suggestSeparator(called)} List them with: ${help}`,
      )
    case 'commander.optionMissingArgument':
      return new SetupError(`The option ${subject} needs a value. See: ${help}`)
    case 'commander.missingArgument':
      return new SetupError(`The argument <${subject}> is missing. See: ${help}`)
    default:
      return new SetupError(`${error.message.replace(/^error: /, '')} See: ${help}`)
  }
}

const EXAMPLES = `
Examples:
  resource-mock --scenario conflict-once  one 409, then the retry succeeds
  resource-mock --fixtures mine --watch   your own data, reloaded as you edit it
  resource-mock --port 0 --log silent     a free port, printed to stdout

Each switch has an opposite, such as --no-watch and --admin.
`

/** The environment that a command line runs in. */
interface Environment {
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly version: string
}

/** Creates the command `resource-mock [serve]` and its subcommands. It throws instead of exiting the process. */
export function createProgram(entries: readonly CommandEntry[], { folder, env, version }: Environment): Command {
  const program = new Command('resource-mock')
    .description('Mock server for the resource API, with real state and failures on demand.')
    .usage('[serve] [options]')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show the help of a command')
    .exitOverride()
    .allowExcessArguments()
    .configureOutput({ writeErr: () => undefined })
    .showSuggestionAfterError(false)
    .addHelpText('after', EXAMPLES)
    .hook('preAction', (_program, command) => {
      const [unknown] = command.args.slice(command.registeredArguments.length)
      if (unknown === undefined || command.registeredArguments.some(({ variadic }) => variadic)) return
      const names = program.commands.map((known) => known.name())
      if (names.includes(unknown))
        throw new SetupError(`The commands ${command.name()} and ${unknown} cannot be combined. Remove one of them.`)
      throw new SetupError(
        `Unknown command or argument ${JSON.stringify(unknown)}.${didYouMean(unknown, names)} The commands are: ${names.join(', ')}.`,
      )
    })

  async function readSources({ hasConfig }: CommandEntry, command: Command): Promise<SettingSources> {
    const flags = Object.fromEntries(
      Object.entries(command.opts<Record<string, unknown>>()).filter(
        ([name]) => command.getOptionValueSource(name) === 'cli',
      ),
    )
    if (hasConfig === undefined) return { flags, env, folder }
    const named = flags['config']
    return { flags, env, folder, config: await findConfig(folder, typeof named === 'string' ? named : undefined) }
  }

  for (const [at, entry] of entries.entries()) {
    const { name, summary, description, argument, options, hasConfig } = entry
    const command = program
      .command(name, { isDefault: at === 0 })
      .summary(summary)
      .description(description)
    if (argument !== undefined) command.argument(argument.syntax, argument.about, argument.default)
    for (const option of Object.values(options)) {
      // The help for serve groups its options.
      if (at === 0 && option.heading !== undefined) command.optionsGroup(`${option.heading}:`)
      addFlag(command, option)
    }
    if (hasConfig === true) addFlag(command, configOption)
    command.action(async () => {
      expectFetch()
      const sources = await readSources(entry, command)
      const first = command.args[0] ?? argument?.default ?? ''
      const settings = entry.parse === undefined ? resolveOptions(options, sources) : entry.parse(first, sources)
      try {
        await entry.run(settings, { argument: first, words: command.args, program })
      } catch (fault) {
        if (fault instanceof SetupError || fault instanceof ListenError)
          fault.message += describeOrigins(fault.message, options, sources)
        throw fault
      }
    })
  }

  // `resource-mock --help` shows the options of the default command.
  const plain = new Help()
  program.configureHelp({
    visibleOptions: (command) => [
      ...program.commands.slice(0, 1).flatMap((first) => plain.visibleOptions(first).slice(0, -1)),
      ...plain.visibleOptions(command),
    ],
  })
  return program
}

/**
 * Removes the `--` that pnpm and Yarn leave before the options of `pnpm run mock -- --port 0`, unless the command runs
 * another one, whose words follow it.
 */
function dropSeparator(words: readonly string[], { commands }: Command): readonly string[] {
  const called = commands.find((command) => command.name() === words[0])
  const runsAnother = called?.registeredArguments.some(({ variadic }) => variadic) === true
  return runsAnother ? words : words.filter((word) => word !== '--')
}

/** Moves the name of a command before the options: `--log json proxy http://a` is `proxy --log json http://a`. */
function moveCommandFirst(words: readonly string[], { commands }: Command): readonly string[] {
  const withValue = commands.flatMap(({ options }) => options.filter(({ required }) => required))
  const takesValue = (flag = '') => withValue.some(({ long, short }) => flag === long || flag === short)
  const end = words.indexOf('--')
  const at = words.findIndex((word, index) => !word.startsWith('-') && !takesValue(words[index - 1]))
  const word = words[at]
  if (word === undefined || (end !== -1 && end < at) || !commands.some((command) => command.name() === word))
    return words
  return [word, ...words.slice(0, at), ...words.slice(at + 1)]
}

/**
 * Runs a command line.
 *
 * @throws {SetupError} if an option or argument is invalid; otherwise what the command throws.
 */
export async function runProgram(program: Command, words: readonly string[]): Promise<void> {
  try {
    const inOrder = moveCommandFirst(words[0] === '--' ? words.slice(1) : words, program)
    await program.parseAsync(dropSeparator(inOrder, program), { from: 'user' })
  } catch (error) {
    const failure = error instanceof CommanderError ? findUsageError(error, program) : error
    if (failure !== undefined) throw failure
  }
}

const EXIT = { failure: 1, wrongInput: 2 } as const

/** Ends a failed command: prints one sentence if the user can fix the error, otherwise the stack. */
export function fail(error: unknown): void {
  const isKnown = error instanceof SetupError || error instanceof ListenError
  process.stderr.write(`${isKnown ? error.message : toTrace(error)}\n`)
  process.exitCode = error instanceof SetupError ? EXIT.wrongInput : EXIT.failure
}
