import type { Command } from 'commander'
import { SetupError } from '../errors.ts'
import { builtinScenarios } from '../scenarios/builtin-scenarios.ts'
import { didYouMean } from '../util/did-you-mean.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

interface Flag {
  readonly long: string
  readonly short: string | undefined
  readonly about: string
  readonly hasValue: boolean
  /** The values that it can have, where they are known; otherwise shells offer files. */
  readonly values: readonly string[]
}

interface CommandWords {
  readonly name: string
  readonly about: string
  readonly flags: readonly Flag[]
}

const scenarioNames = Object.keys(builtinScenarios)
  .map((file) => file.replace(/\.json$/, ''))
  .toSorted()

/** The values of `--auth <off|lenient|strict>`; `<ms|a-b>` of `--delay` has none. */
function findValues(long: string, flags: string): readonly string[] {
  if (long === '--scenario') return scenarioNames
  const [, values] = /<([a-z]{3,}(?:\|[a-z]{3,})+)>/.exec(flags) ?? []
  return values?.split('|') ?? []
}

const readCommand = (command: Command): CommandWords => ({
  name: command.name(),
  about: command.summary(),
  flags: command.options.flatMap(({ long, short, flags, description, required, optional }) =>
    typeof long === 'string'
      ? [{ long, short, about: description, hasValue: required || optional, values: findValues(long, flags) }]
      : [],
  ),
})

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
const namesOf = ({ long, short }: Flag): readonly string[] => [long, ...(short === undefined ? [] : [short])]

const toArm = (patterns: readonly string[], then: string): string => `${patterns.join('|')}) ${then} ;;`

/** The arms of a `case` in bash and zsh: what follows a flag with a value, or a command. */
function toArms(commands: readonly CommandWords[], toWords: (words: readonly (readonly [string, string])[]) => string) {
  const flags = [...new Map(commands.flatMap((command) => command.flags).map((flag) => [flag.long, flag])).values()]
  const withoutValues = flags.filter(({ hasValue, values }) => hasValue && values.length === 0)
  const toPairs = ({ flags }: CommandWords) => flags.map(({ long, about }) => [long, about] as const)
  const [serve] = commands
  const first = [
    ...commands.map(({ name, about }) => [name, about] as const),
    ...(serve === undefined ? [] : toPairs(serve)),
  ]
  return {
    names: commands.map(({ name }) => name).join('|'),
    values: flags
      .filter(({ values }) => values.length > 0)
      .map((flag) => toArm(namesOf(flag), toWords(flag.values.map((value) => [value, '']))))
      .join('\n    '),
    files: withoutValues.flatMap(namesOf).join('|'),
    commands: [toArm(["''"], toWords(first)), ...commands.map((one) => toArm([one.name], toWords(toPairs(one))))].join(
      '\n        ',
    ),
  }
}

function toBash(commands: readonly CommandWords[]): string {
  const arms = toArms(commands, (words) => `words=${quote(words.map(([word]) => word).join(' '))}`)
  return `_resource_mock() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command= word words=
  case $previous in
    ${arms.values}
    ${arms.files}) return ;;
    *)
      for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case $word in ${arms.names}) command=$word; break ;; esac
      done
      case $command in
        ${arms.commands}
      esac
      ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _resource_mock resource-mock`
}

/** `--port:port to listen on`, which zsh shows next to each other. */
const toDescribed = ([word, about]: readonly [string, string]): string =>
  quote(about === '' ? word : `${word}:${about}`)

function toZsh(commands: readonly CommandWords[]): string {
  const arms = toArms(commands, (words) => `candidates=(${words.map(toDescribed).join(' ')})`)
  return `#compdef resource-mock
_resource_mock() {
  local command= word
  local -a candidates
  case $words[CURRENT-1] in
    ${arms.values}
    ${arms.files}) _files; return ;;
    *)
      for word in $words[2,CURRENT-1]; do
        case $word in ${arms.names}) command=$word; break ;; esac
      done
      case $command in
        ${arms.commands}
      esac
      ;;
  esac
  _describe resource-mock candidates || _files
}
compdef _resource_mock resource-mock`
}

function toFish(commands: readonly CommandWords[]): string {
  const others = commands.slice(1).map(({ name }) => name)
  const toLine = (command: string, { long, short, about, hasValue, values }: Flag): string => {
    const seen =
      command === 'serve'
        ? `not __fish_seen_subcommand_from ${others.join(' ')}`
        : `__fish_seen_subcommand_from ${command}`
    const value = values.length > 0 ? ` -x -a ${quote(values.join(' '))}` : hasValue ? ' -r' : ''
    const letter = short === undefined ? '' : ` -s ${short.slice(1)}`
    return `complete -c resource-mock -n ${quote(seen)} -l ${long.slice(2)}${letter}${value} -d ${quote(about)}`
  }
  return commands
    .flatMap(({ name, about, flags }) => [
      `complete -c resource-mock -n __fish_use_subcommand -a ${name} -d ${quote(about)}`,
      ...flags.map((flag) => toLine(name, flag)),
    ])
    .join('\n')
}

const writers: Readonly<Record<Shell, (commands: readonly CommandWords[]) => string>> = {
  bash: toBash,
  zsh: toZsh,
  fish: toFish,
}

/**
 * The script that completes the command's words in a shell.
 *
 * @param program `serve`, which runs when no command is named, is its first command
 * @throws {SetupError} for another shell.
 */
export function toCompletion(program: Command, name: string): string {
  const shell = SHELLS.find((shell) => shell === name)
  if (shell === undefined) {
    throw new SetupError(
      `Unknown shell ${JSON.stringify(name)}.${didYouMean(name, SHELLS)} Known are ${SHELLS.join(', ')}.`,
    )
  }
  return writers[shell](program.commands.map(readCommand))
}
