import type { Command, CommanderError } from 'commander'
import { didYouMean } from '../util/did-you-mean.ts'
import { SetupError } from '../errors.ts'

/** Commander quotes the option or argument that a message is about. */
const quoted = (message: string): string => /'([^']*)'/.exec(message)?.[1] ?? ''

const flagsOf = ({ options }: Command): readonly string[] => options.flatMap(({ long }) => long ?? [])

/** The command that was called, which reads the options; without its name, it is `serve`. */
const findCalled = ({ args, commands }: Command): Command | undefined =>
  commands.find((command) => command.name() === args[0]) ?? commands.find((command) => command.name() === 'serve')

/** Returns this project's sentence for an error of commander; undefined if it only showed the help or the version. */
export function findUsageError(fault: CommanderError, program: Command): SetupError | undefined {
  if (fault.exitCode === 0) return undefined
  const subject = quoted(fault.message)
  const [flag = '', ...values] = subject.split('=')
  const called = findCalled(program)
  const flags = [program, ...(called === undefined ? [] : [called])].flatMap(flagsOf)
  const help =
    called === undefined || called.name() === 'serve' ? 'resource-mock --help' : `resource-mock ${called.name()} --help`
  switch (fault.code) {
    case 'commander.unknownOption':
      if (values.length > 0 && flags.includes(flag)) {
        return new SetupError(`The option ${flag} takes no value. Remove "=${values.join('=')}".`)
      }
      if (program.commands.flatMap(flagsOf).includes(flag)) {
        return new SetupError(`The option ${flag} belongs to another command. See: resource-mock <command> --help`)
      }
      return new SetupError(
        `Unknown option "${subject}".${didYouMean(flag, [...flags, '--help'])} List them with: ${help}`,
      )
    case 'commander.optionMissingArgument':
      return new SetupError(`The option ${subject} needs a value. See: resource-mock --help`)
    case 'commander.missingArgument':
      return new SetupError(`The argument <${subject}> is missing. See: resource-mock --help`)
    default:
      return new SetupError(`${fault.message.replace(/^error: /, '')} See: resource-mock --help`)
  }
}

/** Refuses arguments that no command takes; most likely a misspelt command. */
export function checkArguments(command: Command, program: Command): void {
  const [unknown] = command.args.slice(command.registeredArguments.length)
  if (unknown === undefined) return
  const names = program.commands.map((known) => known.name())
  throw new SetupError(
    `Unknown command or argument ${JSON.stringify(unknown)}.${didYouMean(unknown, names)} The commands are: ${names.join(', ')}.`,
  )
}
