import { Command, Help, Option as Flag } from 'commander'
import { findConfig } from './config-file.ts'
import { gather, toFlag } from './option.ts'
import type { Option } from './option.ts'
import { OPENAPI_VERSIONS } from '../openapi/versions.ts'
import type { OpenApiVersion } from '../openapi/versions.ts'
import { optionList } from './options.ts'
import type { OptionName, Settings } from './options.ts'
import { resolveSettings } from './settings.ts'
import { checkArguments } from './usage-error.ts'
import { PROXY_OPTIONS, createProxyCommand } from './proxy-command.ts'
import type { ProxyFlags } from './proxy-command.ts'
import { createVerifyCommand } from './verify-command.ts'
import type { VerifyFlags } from './verify-command.ts'

/** What the commands do once the command line is read. */
export interface Actions {
  serve(settings: Settings): Promise<void>
  /** Of the settings only the folder of scenarios is settled. */
  scenarios(settings: Settings, isJson: boolean): Promise<void>
  init(folder: string): Promise<void>
  openapi(isYaml: boolean, version: OpenApiVersion): Promise<void>
  /** The flags as they were typed: whoever starts something else need not load what reads them. */
  verify(url: string, flags: VerifyFlags): Promise<void>
  /** Of the settings those are settled that the proxy shares with the mock. */
  proxy(url: string, flags: ProxyFlags, settings: Settings): Promise<void>
}

/** What the command line is read against. */
export interface Surroundings {
  /** The working folder. */
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly version: string
}

/** What the help says of an option: its meaning, its default, its environment variable. */
function describe(option: Option): string {
  const fallback =
    option.kind === 'switch'
      ? 'off'
      : option.kind === 'value'
        ? (option.fallback ?? option.otherwise)
        : option.otherwise
  const notes = [
    ...(fallback === undefined ? [] : [`default: ${fallback}`]),
    ...(option.env === undefined ? [] : [`env: ${option.env}`]),
  ]
  return notes.length === 0 ? option.about : `${option.about} (${notes.join(', ')})`
}

function addOptions(command: Command, names?: readonly OptionName[]): void {
  for (const [name, option] of optionList) {
    if (names?.includes(name) === false) continue
    if (names === undefined && option.heading !== undefined) command.optionsGroup(option.heading)
    const flag = new Flag(option.flags, describe(option))
    command.addOption(option.kind === 'list' ? flag.argParser(gather) : flag)
    if (option.kind === 'value' && option.negated !== undefined) {
      command.option(
        toFlag(option).replace('--', '--no-'),
        `none of it: the same as ${toFlag(option)} ${option.negated}`,
      )
    }
  }
  command.option(
    '--config <file>',
    `${names?.length === 1 ? 'the folder' : 'the same options'} in a file, in camelCase (default: resource-mock.config.{js,json} where it stands)`,
  )
}

async function readSettings(
  command: Command,
  { folder, env }: Surroundings,
  names?: readonly OptionName[],
): Promise<Settings> {
  // Commander gives `--no-…` flags a default, which would win over the configuration file.
  const typed = Object.entries(command.opts<Record<string, unknown>>()).filter(
    ([name]) => command.getOptionValueSource(name) === 'cli',
  )
  const { config, ...flags } = Object.fromEntries(typed)
  const sources = {
    flags,
    env,
    folder,
    config: await findConfig(folder, typeof config === 'string' ? config : undefined),
  }
  return resolveSettings(sources, names)
}

const EXAMPLES = `
Examples:
  resource-mock --scenario conflict-once  one update gets a 409, its retry wins
  resource-mock --fixtures mine --watch   your own data, read anew as you edit
  resource-mock --port 0 --log silent     a free port, told on standard output
`

/** Builds the command: `resource-mock [serve]` and its other commands. It throws where it would end the process. */
export function createProgram(actions: Actions, surroundings: Surroundings): Command {
  const program = new Command('resource-mock')
    .description('A mock of the resource service, with real state and failures on demand.')
    .usage('[serve] [options]')
    .version(surroundings.version, '-V, --version')
    .exitOverride()
    .allowExcessArguments()
    .configureOutput({ writeErr: () => undefined })
    .showSuggestionAfterError(false)
    .addHelpText('after', EXAMPLES)

  const serve = program
    .command('serve', { isDefault: true })
    .summary('start the mock (the default)')
    .description('Starts the mock. Standard output tells its address once it accepts connections.')
  addOptions(serve)
  serve.action(async () => {
    checkArguments(serve, program)
    await actions.serve(await readSettings(serve, surroundings))
  })

  const scenarios = program
    .command('scenarios')
    .summary('list the scenarios, built in and your own')
    .description('Lists the scenarios that the mock would have, built in and your own, and what each does.')
  addOptions(scenarios, ['scenarios'])
  scenarios.option('--json', 'as JSON: an array of {name, description, source}')
  scenarios.action(async ({ json }: { readonly json?: true }) => {
    checkArguments(scenarios, program)
    await actions.scenarios(await readSettings(scenarios, surroundings, ['scenarios']), json === true)
  })

  const init = program
    .command('init')
    .summary('write fixtures and a scenario to change, and a configuration')
    .description(
      'Writes copies of the built-in fixtures, an example scenario, and a configuration that points to both. Existing files stay as they are.',
    )
    .argument('[dir]', 'where to', '.')
  init.action(async (folder: string) => {
    checkArguments(init, program)
    await actions.init(folder)
  })

  const openapi = program
    .command('openapi')
    .summary('print the contract as an OpenAPI document')
    .description('Prints the contract as an OpenAPI document: operations, models, errors, examples, scopes.')
    .option('--yaml', 'as YAML rather than JSON')
    .addOption(
      new Flag('--openapi-version <version>', 'the version of OpenAPI to write')
        .choices(OPENAPI_VERSIONS)
        .default('3.1'),
    )
  interface OpenApiFlags {
    readonly yaml?: true
    readonly openapiVersion: OpenApiVersion
  }
  openapi.action(async ({ yaml, openapiVersion }: OpenApiFlags) => {
    checkArguments(openapi, program)
    await actions.openapi(yaml === true, openapiVersion)
  })

  const verify = createVerifyCommand(async (url, flags, command) => {
    checkArguments(command, program)
    await actions.verify(url, flags)
  })
  program.addCommand(verify.copyInheritedSettings(program))

  const proxy = createProxyCommand(
    (command) => addOptions(command, PROXY_OPTIONS),
    async (url, flags, command) => {
      checkArguments(command, program)
      await actions.proxy(url, flags, await readSettings(command, surroundings, PROXY_OPTIONS))
    },
  )
  program.addCommand(proxy.copyInheritedSettings(program))

  // `resource-mock --help` shows what `resource-mock serve --help` does, since serve is what it runs.
  const plain = new Help()
  program.configureHelp({
    visibleOptions: (command) => [...plain.visibleOptions(serve).slice(0, -1), ...plain.visibleOptions(command)],
  })
  return program
}
