import type { Command } from 'commander'
import { calledOperations } from '../../../service/contract/endpoints.ts'
import { SetupError } from '../../../errors.ts'
import { stringifyJson } from '../../../service/http/json.ts'
import type { CoverageReport } from '../../../sessions/journal/coverage-report.ts'
import { OPENAPI_VERSIONS, toOpenApiVersion } from '../../../service/openapi/schemas.ts'
import type { OpenApiVersion } from '../../../service/openapi/schemas.ts'
import * as values from '../../../app/options/option.ts'
import type { Options } from '../../../app/options/option.ts'
import { options } from '../../../app/options/table.ts'
import type { Scenario } from '../../../service/scenarios/schema.ts'
import { didYouMean, toChoice } from '../../../util/did-you-mean.ts'
import { quote } from '../../../util/quote.ts'
import { defineCommand, print } from '../settings.ts'

/** Wraps text at word boundaries. */
function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** Formats a group: a title, then names and descriptions in two columns. */
function toGroup(title: string, scenarios: readonly Scenario[], column: number, width: number) {
  if (scenarios.length === 0) return []
  const indent = ' '.repeat(column)
  const entries = scenarios.flatMap(({ name, description }) =>
    wrap(description, width - column).map((line, at) => (at === 0 ? `  ${name}`.padEnd(column) : indent) + line),
  )
  return [title, ...entries, '']
}

function toScenarioText(scenarios: readonly Scenario[], folder: string | undefined, width: number): string {
  const column = Math.max(...scenarios.map(({ name }) => name.length)) + 4
  const sourced = (source: Scenario['source']) => scenarios.filter((scenario) => scenario.source === source)
  return [
    ...toGroup(`Your scenarios, from ${folder ?? ''}:`, sourced('file'), column, width),
    ...toGroup('Built in:', sourced('built-in'), column, width),
    'Choose one with --scenario NAME, or with the header X-Mock-Scenario: NAME.',
  ].join('\n')
}

export const scenariosCommand = defineCommand({
  name: 'scenarios',
  summary: 'list the scenarios',
  description: 'Lists all scenarios, built-in and your own, and what each one does.',
  options: {
    scenarios: options.scenarios,
    json: {
      flag: '--json',
      default: false,
      about: 'print JSON: an array of {name, description, source}',
      value: values.onOrOff,
    },
  },
  hasConfig: true,
  async run({ scenarios: folder, json }) {
    const { readFolder } = await import('../../node/folder.ts')
    const { createCatalog } = await import('../../../service/scenarios/engine.ts')
    const { loadAllScenarios } = await import('../../../service/scenarios/load.ts')
    const { createFindUseless } = await import('../../../service/scenarios/match.ts')
    const own = folder === undefined ? {} : await readFolder('scenarios', folder)
    const all = createCatalog(await loadAllScenarios(own, createFindUseless(true))).all()
    const members = all.map(({ name, description, source }) => ({ name, description, source }))
    print(json ? JSON.stringify(members, undefined, 2) : toScenarioText(all, folder, process.stdout.columns ?? 80))
  },
})

/** The default URL of `resource-mock`. */
const BASE = { url: 'http://127.0.0.1:4010', isPlaced: false }

/** Serializes the OpenAPI document as JSON or YAML and keeps 64-bit integers exact. */
export async function toOpenApiText(isYaml: boolean, version: OpenApiVersion = '3.1'): Promise<string> {
  const { createOpenApi } = await import('../../../service/openapi/document.ts')
  const { loadFixtures } = await import('../../../service/state/fixtures.ts')
  const document = toOpenApiVersion(createOpenApi(BASE, await loadFixtures()), version)
  if (!isYaml) return stringifyJson(document, 2)
  const { stringify } = await import('yaml')
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 }).trimEnd()
}

export const openapi = defineCommand({
  name: 'openapi',
  summary: 'print the API as an OpenAPI document',
  description: 'Prints the API as an OpenAPI document: operations, models, errors, examples and scopes.',
  options: {
    yaml: { flag: '--yaml', default: false, about: 'print YAML instead of JSON', value: values.onOrOff },
    openapiVersion: {
      flag: '--openapi-version <version>',
      default: '3.1',
      about: `OpenAPI version: ${toChoice(OPENAPI_VERSIONS)}`,
      value: values.oneOf(OPENAPI_VERSIONS),
    },
  },
  async run({ yaml, openapiVersion }) {
    print(await toOpenApiText(yaml, openapiVersion))
  },
})

/** The options of `resource-mock coverage`. */
export const coverageOptions = {
  url: {
    flag: '--url <url>',
    default: 'http://127.0.0.1:4010',
    about: 'base URL of the running mock',
    value: values.baseUrl,
  },
  min: {
    flag: '--min <percent>',
    about: 'exit with status 1 if coverage is lower',
    value: values.percent,
  },
  only: {
    flag: '--only <operations>',
    isRepeatable: true,
    otherwise: 'all',
    about: 'count only these operations; repeat the option or separate ids with commas',
    value: values.idList(calledOperations, 'operation ids, separated by commas'),
  },
  session: {
    flag: '--session <name>',
    otherwise: 'all sessions',
    about: 'count only the requests of this session',
    value: values.text,
  },
  json: { flag: '--json', default: false, about: 'print JSON', value: values.onOrOff },
  adminToken: { ...options.adminToken, about: 'bearer token for its admin API' },
} as const satisfies Options

export const coverage = defineCommand({
  name: 'coverage',
  summary: 'report how much of the contract your requests covered',
  description:
    'Reports which operations, statuses, error codes, scenarios and recoveries the requests to a running mock covered, and which they missed. Exits with 0, with 1 if coverage is below --min, or with 2 if no mock responds.',
  options: coverageOptions,
  async run({ url, min = 0, only, session = '*', json, adminToken: token }) {
    const { createAdminClient } = await import('../../../admin/client/admin-client.ts')
    const { createAdminSend } = await import('../../../admin/client/reach.ts')
    const { describeShortfall, toCoverageText } = await import('../../../sessions/journal/coverage-report.ts')
    const query = new URLSearchParams({ session, ...(only === undefined ? {} : { only: only.join(',') }) })
    const answer = await createAdminClient({ baseUrl: url, token, send: createAdminSend(url) }).send(
      'GET',
      `/coverage?${query}`,
    )
    // The response type of the admin API.
    const report = answer as CoverageReport
    print(json ? JSON.stringify(report, undefined, 2) : toCoverageText(report))
    const shortfall = describeShortfall(report, min)
    if (shortfall === undefined) return
    process.stderr.write(`${shortfall}\n`)
    process.exitCode = 1
  },
})

export const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

interface Flag {
  readonly long: string
  readonly short: string | undefined
  readonly about: string
  readonly hasValue: boolean
  /** Its possible values; if empty, the shell completes file names. */
  readonly values: readonly string[]
}

interface CommandWords {
  readonly name: string
  readonly about: string
  readonly flags: readonly Flag[]
}

/** The values in `--auth <off|lenient|strict>`; none in `<ms|a-b>` of `--delay`. */
function findValues(long: string, flags: string, scenarios: readonly string[]): readonly string[] {
  if (long === '--scenario') return scenarios
  const [, values] = /<([a-z]{3,}(?:\|[a-z]{3,})+)>/.exec(flags) ?? []
  return values?.split('|') ?? []
}

const readCommand = (command: Command, scenarios: readonly string[]): CommandWords => ({
  name: command.name(),
  about: command.summary(),
  flags: command.options.flatMap(({ long, short, flags, description: about, required, optional, hidden }) =>
    typeof long === 'string' && !hidden
      ? [{ long, short, about, hasValue: required || optional, values: findValues(long, flags, scenarios) }]
      : [],
  ),
})

const flagNamesOf = ({ long, short }: Flag): readonly string[] => [long, ...(short === undefined ? [] : [short])]

/**
 * The statements that bash and zsh share: they find the candidates for the current word.
 *
 * @param shell the shell's syntax for the previous word, all preceding words, candidates and file completion
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
        flagNamesOf(flag),
        flag.values.map((value) => [value, '']),
      ),
    )
  return `  case ${shell.previous} in
    ${arms.join('\n    ')}
    ${withoutValues.flatMap(flagNamesOf).join('|')}) ${shell.files} ;;
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

const toZsh = (commands: readonly CommandWords[]): string => `#compdef resource-mock
_resource_mock() {
  local command= word
  local -a candidates
${toCases(commands, {
  previous: '$words[CURRENT-1]',
  words: '$words[2,CURRENT-1]',
  files: '_files; return',
  // Formats `--port:port to listen on`; zsh shows the two parts side by side.
  toCandidates: (words) =>
    `candidates=(${words.map(([word, about]) => quote(about === '' ? word : `${word}:${about}`)).join(' ')})`,
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
 * Creates the completion script for a shell.
 *
 * @param program its first command must be `serve`, the default
 * @throws {SetupError} for an unknown shell.
 */
export async function toCompletion(program: Command, name: string): Promise<string> {
  const shell = SHELLS.find((shell) => shell === name)
  if (shell === undefined)
    throw new SetupError(`Unknown shell ${JSON.stringify(name)}.${didYouMean(name, SHELLS)} Use ${toChoice(SHELLS)}.`)
  const { builtinScenarios } = await import('../../../service/scenarios/builtin-scenarios.ts')
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
