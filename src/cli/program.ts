import * as values from '../options/option.ts'
import { operationIds } from '../contract/endpoints.ts'
import { options } from '../options/options.ts'
import type { Settings } from '../options/options.ts'
import { idList } from '../options/service-options.ts'
import { Option as Flag, Command, Help } from 'commander'
import { toFlag, path } from '../options/option.ts'
import type { Options, Parsed, Option } from '../options/option.ts'
import { OPENAPI_VERSIONS } from '../openapi/versions.ts'
import { findConfig, checkMembers, resolveOptions } from './settings.ts'
import { proxyOptions, sharedOptions } from './proxy-options.ts'
import type { ProxySettings } from './proxy-options.ts'
import { checkArguments } from './usage-error.ts'
import { toVerifySettings, verifyOptions } from './verify-settings.ts'
import type { VerifySettings } from './verify-settings.ts'

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
    about: 'fail with status 1 if less was met',
    value: values.percent,
  },
  only: {
    flag: '--only <operations>',
    isRepeatable: true,
    otherwise: 'all',
    about: 'count only these operations; repeat it or separate them with commas',
    value: idList(operationIds, 'operation ids, separated by commas'),
  },
  session: {
    flag: '--session <name>',
    otherwise: 'all sessions',
    about: 'count only the requests of this session',
    value: values.text,
  },
  json: { flag: '--json', default: false, about: 'print JSON', value: values.onOrOff },
  adminToken: { ...options.adminToken, about: 'bearer token of its admin API' },
} as const satisfies Options

/** What the command line of `resource-mock coverage` comes to. */
export type CoverageSettings = Parsed<typeof coverageOptions>

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

const { port, host, fixtures, scenarios, scenario, auth, adminToken } = options

/** The options that a mock of its own has in common with `serve`. */
export const sharedMcpOptions = { port, host, fixtures, scenarios, scenario, auth, adminToken }

/** The options of `resource-mock mcp` alone, which no configuration file holds. */
export const mcpOptions = {
  url: {
    flag: '--url <url>',
    otherwise: 'a mock of its own',
    about: 'base URL of a running mock',
    value: values.baseUrl,
  },
  readOnly: {
    flag: '--read-only',
    default: false,
    about: 'leave out the tools that change something',
    value: values.onOrOff,
  },
} as const satisfies Options

/** What the command line of `resource-mock mcp` comes to. */
export type McpSettings = Parsed<typeof sharedMcpOptions> & Parsed<typeof mcpOptions>

const scenariosOptions = {
  scenarios: options.scenarios,
} as const satisfies Options

const listOptions = {
  json: {
    flag: '--json',
    default: false,
    about: 'print JSON: an array of {name, description, source}',
    value: values.onOrOff,
  },
} as const satisfies Options

const openapiOptions = {
  yaml: { flag: '--yaml', default: false, about: 'print YAML instead of JSON', value: values.onOrOff },
  openapiVersion: {
    flag: '--openapi-version <version>',
    default: '3.1',
    about: `version of OpenAPI: ${OPENAPI_VERSIONS.join(' or ')}`,
    value: values.oneOf(OPENAPI_VERSIONS),
  },
} as const satisfies Options

/** What the commands do once the command line is parsed. */
export interface Actions {
  serve(settings: Settings): Promise<void>
  scenarios(settings: Parsed<typeof scenariosOptions & typeof listOptions>): Promise<void>
  init(folder: string): Promise<void>
  openapi(settings: Parsed<typeof openapiOptions>): Promise<void>
  verify(settings: VerifySettings): Promise<void>
  coverage(settings: CoverageSettings): Promise<void>
  proxy(url: string, settings: ProxySettings): Promise<void>
  mcp(settings: McpSettings): Promise<void>
  completion(shell: string, program: Command): Promise<void>
}

/** What the command line is read in. */
export interface Surroundings {
  /** The working folder. */
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly version: string
}

const EXAMPLES = `
Examples:
  resource-mock --scenario conflict-once  one 409, then the retry succeeds
  resource-mock --fixtures mine --watch   your own data, reloaded as you edit it
  resource-mock --port 0 --log silent     a free port, told on standard output
`

/** Adds options that a configuration file may hold, too. */
function addConfigurable(command: Command, table: Options, hasHeadings = false): void {
  addFlags(command, { ...table, config: configOption }, hasHeadings)
}

/** Creates the command `resource-mock [serve]` and its subcommands. It throws instead of ending the process. */
export function createProgram(actions: Actions, { folder, env, version }: Surroundings): Command {
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
    .hook('preAction', (_program, command) => checkArguments(command, program))

  const sourcesOf = (command: Command) => ({ flags: readFlags(command), env, folder })

  async function resolveConfigurable<Table extends Options>(command: Command, table: Table): Promise<Parsed<Table>> {
    const sources = sourcesOf(command)
    const { config: named } = sources.flags
    const config = await findConfig(folder, typeof named === 'string' ? named : undefined)
    if (config !== undefined) checkMembers(config)
    return resolveOptions(table, { ...sources, config })
  }

  const serve = program
    .command('serve', { isDefault: true })
    .summary('start the mock (the default)')
    .description('Starts the mock and prints its address to standard output when it accepts connections.')
  addConfigurable(serve, options, true)
  serve.action(async () => {
    await actions.serve(await resolveConfigurable(serve, options))
  })

  const scenarios = program
    .command('scenarios')
    .summary('list the scenarios')
    .description('Lists all scenarios, built-in and your own, and what each one does.')
  addConfigurable(scenarios, scenariosOptions)
  addFlags(scenarios, listOptions)
  scenarios.action(async () => {
    const shared = await resolveConfigurable(scenarios, scenariosOptions)
    await actions.scenarios({ ...shared, ...resolveOptions(listOptions, sourcesOf(scenarios)) })
  })

  const init = program
    .command('init')
    .summary('write fixtures, a scenario and a configuration for you to edit')
    .description(
      'Writes copies of the built-in fixtures, an example scenario, and a configuration file that uses both. Does not overwrite existing files.',
    )
    .argument('[dir]', 'folder to write to', '.')
  init.action(async (target: string) => {
    await actions.init(target)
  })

  const openapi = program
    .command('openapi')
    .summary('print the API as an OpenAPI document')
    .description('Prints the API as an OpenAPI document: operations, models, errors, examples and scopes.')
  addFlags(openapi, openapiOptions)
  openapi.action(async () => {
    await actions.openapi(resolveOptions(openapiOptions, sourcesOf(openapi)))
  })

  const verify = program
    .command('verify')
    .summary('check a service against the contract')
    .description(
      'Calls every operation of a service and reports which checks passed, which failed and which could not run. Exits with 0 if all passed, 1 if any failed, 2 if it could not run.',
    )
    .argument('<url>', 'base URL, up to the project key')
  addFlags(verify, verifyOptions)
  verify.action(async (url: string) => {
    await actions.verify(toVerifySettings(url, sourcesOf(verify)))
  })

  const coverage = program
    .command('coverage')
    .summary('report what of the contract the requests to a mock have met')
    .description(
      'Asks a running mock which operations, statuses, error codes, scenarios and recoveries its requests have met, and which never. Exits with 0, with 1 if less than --min was met, with 2 if no mock answers.',
    )
  addFlags(coverage, coverageOptions)
  coverage.action(async () => {
    await actions.coverage(resolveOptions(coverageOptions, sourcesOf(coverage)))
  })

  const proxy = program
    .command('proxy')
    .summary('forward to a service and check both sides against the contract')
    .description(
      'Forwards every request to a service. If a request or a response violates the contract, the header Sl-Violations and the log say how.',
    )
    .argument('<url>', 'base URL of the service')
  addFlags(proxy, proxyOptions)
  addConfigurable(proxy, sharedOptions)
  proxy.action(async (url: string) => {
    const own = resolveOptions(proxyOptions, sourcesOf(proxy))
    await actions.proxy(url, { ...(await resolveConfigurable(proxy, sharedOptions)), ...own })
  })

  const mcp = program
    .command('mcp')
    .summary('let a coding agent drive a mock')
    .description(
      'Serves the Model Context Protocol over standard input and output, for a running mock or for one of its own that ends with it.',
    )
  addFlags(mcp, mcpOptions)
  addConfigurable(mcp, sharedMcpOptions)
  mcp.action(async () => {
    const own = resolveOptions(mcpOptions, sourcesOf(mcp))
    await actions.mcp({ ...(await resolveConfigurable(mcp, sharedMcpOptions)), ...own })
  })

  const completion = program
    .command('completion')
    .summary('print a script that completes words in your shell')
    .description('Prints a script for bash, zsh or fish that completes commands, options, their values and scenarios.')
    .argument('<shell>', 'bash, zsh or fish')
  completion.action(async (shell: string) => {
    await actions.completion(shell, program)
  })

  // `resource-mock --help` shows the options of serve, since that is the command it runs.
  const plain = new Help()
  program.configureHelp({
    visibleOptions: (command) => [...plain.visibleOptions(serve).slice(0, -1), ...plain.visibleOptions(command)],
  })
  return program
}
