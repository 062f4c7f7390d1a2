import type { Command } from 'commander'
import { SetupError } from '../../errors.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import { defineCommand, print } from '../command.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

interface Flag {
  readonly long: string
  readonly short: string | undefined
  readonly about: string
  readonly hasValue: boolean
  /** Its possible values; if empty, shells offer files. */
  readonly values: readonly string[]
}

interface CommandWords {
  readonly name: string
  readonly about: string
  readonly flags: readonly Flag[]
}

/** The values of `--auth <off|lenient|strict>`; `<ms|a-b>` of `--delay` has none. */
function findValues(long: string, flags: string, scenarios: readonly string[]): readonly string[] {
  if (long === '--scenario') return scenarios
  const [, values] = /<([a-z]{3,}(?:\|[a-z]{3,})+)>/.exec(flags) ?? []
  return values?.split('|') ?? []
}

const readCommand = (command: Command, scenarios: readonly string[]): CommandWords => ({
  name: command.name(),
  about: command.summary(),
  flags: command.options.flatMap(({ long, short, flags, description: about, required, optional }) =>
    typeof long === 'string'
      ? [{ long, short, about, hasValue: required || optional, values: findValues(long, flags, scenarios) }]
      : [],
  ),
})

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
const namesOf = ({ long, short }: Flag): readonly string[] => [long, ...(short === undefined ? [] : [short])]

/**
 * The statements that bash and zsh share: they find the candidates for the current word.
 *
 * @param shell how the shell spells the previous word, all words before the current one, candidates, and the completion of files
 */
function toCases(
  commands: readonly CommandWords[],
  shell: {
    readonly previous: string
    readonly words: string
    readonly files: string
    readonly toCandidates: (words: readonly (readonly [word: string, about: string])[]) => string
  },
): string {
  const flags = [...new Map(commands.flatMap((command) => command.flags).map((flag) => [flag.long, flag])).values()]
  const withoutValues = flags.filter(({ hasValue, values }) => hasValue && values.length === 0)
  const toPairs = ({ flags }: CommandWords) => flags.map(({ long, about }) => [long, about] as const)
  const toArm = (patterns: readonly string[], words: readonly (readonly [string, string])[]): string =>
    `${patterns.join('|')}) ${shell.toCandidates(words)} ;;`
  const first = [
    ...commands.map(({ name, about }) => [name, about] as const),
    ...commands.slice(0, 1).flatMap((serve) => toPairs(serve)),
  ]
  const arms = flags
    .filter(({ values }) => values.length > 0)
    .map((flag) =>
      toArm(
        namesOf(flag),
        flag.values.map((value) => [value, '']),
      ),
    )
  return `  case ${shell.previous} in
    ${arms.join('\n    ')}
    ${withoutValues.flatMap(namesOf).join('|')}) ${shell.files} ;;
    *)
      for word in ${shell.words}; do
        case $word in ${commands.map(({ name }) => name).join('|')}) command=$word; break ;; esac
      done
      case $command in
        ${[toArm(["''"], first), ...commands.map((one) => toArm([one.name], toPairs(one)))].join('\n        ')}
      esac
      ;;
  esac`
}

const toBash = (commands: readonly CommandWords[]): string => `_resource_mock() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command= word words=
${toCases(commands, {
  previous: '$previous',
  words: '"${COMP_WORDS[@]:1:COMP_CWORD-1}"',
  files: 'return',
  toCandidates: (words) => `words=${quote(words.map(([word]) => word).join(' '))}`,
})}
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _resource_mock resource-mock`

/** `--port:port to listen on`, which zsh shows next to each other. */
const toDescribed = ([word, about]: readonly [string, string]): string =>
  quote(about === '' ? word : `${word}:${about}`)

const toZsh = (commands: readonly CommandWords[]): string => `#compdef resource-mock
_resource_mock() {
  local command= word
  local -a candidates
${toCases(commands, {
  previous: '$words[CURRENT-1]',
  words: '$words[2,CURRENT-1]',
  files: '_files; return',
  toCandidates: (words) => `candidates=(${words.map(toDescribed).join(' ')})`,
})}
  _describe resource-mock candidates || _files
}
compdef _resource_mock resource-mock`

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
 * The completion script for a shell.
 *
 * @param program its first command must be `serve`, the default
 * @throws {SetupError} for an unknown shell.
 */
export async function toCompletion(program: Command, name: string): Promise<string> {
  const shell = SHELLS.find((shell) => shell === name)
  if (shell === undefined) {
    throw new SetupError(`Unknown shell ${JSON.stringify(name)}.${didYouMean(name, SHELLS)} Use ${SHELLS.join(', ')}.`)
  }
  const { builtinScenarios } = await import('../../scenarios/builtin-scenarios.ts')
  const scenarios = Object.keys(builtinScenarios).map((file) => file.replace(/\.json$/, ''))
  return writers[shell](program.commands.map((command) => readCommand(command, scenarios.toSorted())))
}

export const completion = defineCommand({
  name: 'completion',
  summary: 'print a completion script for your shell',
  description: 'Prints a script for bash, zsh or fish that completes commands, options, their values and scenarios.',
  argument: { syntax: '<shell>', about: 'bash, zsh or fish' },
  options: {},
  async run(_settings, { argument: shell, program }) {
    print(await toCompletion(program, shell))
  },
})
