import { Command, Help, Option as Flag } from 'commander'
import { findConfig } from './config-file.ts'
import type { Option } from './option.ts'
import { toFlag } from './option.ts'
import { optionList } from './options.ts'
import type { Settings } from './options.ts'
import { resolveSettings } from './settings.ts'
import { checkArguments } from './usage-error.ts'

/** What the commands do once the command line is read. */
export interface Actions {
  serve(settings: Settings): Promise<void>
  init(folder: string): Promise<void>
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

const gather = (value: string, gathered: readonly string[] = []): readonly string[] => [...gathered, value]

function addOptions(command: Command): void {
  for (const [, option] of optionList) {
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
    'the same options in a file, in camelCase (default: resource-mock.config.{js,json} where it stands)',
  )
}

async function readSettings(command: Command, { folder, env }: Surroundings): Promise<Settings> {
  const { config, ...flags } = command.opts<Record<string, unknown>>()
  return resolveSettings({
    flags,
    env,
    folder,
    config: await findConfig(folder, typeof config === 'string' ? config : undefined),
  })
}

/** Builds the command: `resource-mock [serve]` and its other commands. It throws where it would end the process. */
export function createProgram(actions: Actions, surroundings: Surroundings): Command {
  const program = new Command('resource-mock')
    .description('A mock of the resource service: real state, true optimistic locking.')
    .usage('[serve] [options]')
    .version(surroundings.version, '-V, --version')
    .exitOverride()
    .allowExcessArguments()
    .configureOutput({ writeErr: () => undefined })
    .showSuggestionAfterError(false)

  const serve = program.command('serve', { isDefault: true }).description('start the mock (the default)')
  addOptions(serve)
  serve.action(async () => {
    checkArguments(serve, program)
    await actions.serve(await readSettings(serve, surroundings))
  })

  const init = program
    .command('init')
    .description('write copies of the built-in fixtures to change, and a configuration that points to them')
    .argument('[dir]', 'where to', '.')
  init.action(async (folder: string) => {
    checkArguments(init, program)
    await actions.init(folder)
  })

  // `resource-mock --help` shows what `resource-mock serve --help` does, since serve is what it runs.
  const plain = new Help()
  program.configureHelp({
    visibleOptions: (command) => [...plain.visibleOptions(serve).slice(0, -1), ...plain.visibleOptions(command)],
  })
  return program
}
