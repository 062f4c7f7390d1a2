import { Command, Help } from 'commander'
import { OPENAPI_VERSIONS } from '../openapi/versions.ts'
import { options } from '../options/options.ts'
import type { Settings } from '../options/options.ts'
import type { Options, Parsed } from '../options/option.ts'
import * as values from '../options/values.ts'
import { coverageOptions } from './coverage-options.ts'
import type { CoverageSettings } from './coverage-options.ts'
import { findConfig } from './config-file.ts'
import { addFlags, configOption, readFlags } from './flags.ts'
import { proxyOptions, sharedOptions } from './proxy-options.ts'
import type { ProxySettings } from './proxy-options.ts'
import { mcpOptions, sharedMcpOptions } from './mcp-options.ts'
import type { McpSettings } from './mcp-options.ts'
import { checkMembers, resolveOptions } from './settings.ts'
import { checkArguments } from './usage-error.ts'
import { toVerifySettings, verifyOptions } from './verify-settings.ts'
import type { VerifySettings } from './verify-settings.ts'

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
