import { mkdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { SetupError, findErrorCode } from '../../errors.ts'
import { defineCommand, print, configNames } from '../settings.ts'

const CONFIG = 'resource-mock.config.json'

/** An example scenario, activated by `--scenario my-scenario`. */
const EXAMPLE = {
  $schema: '../node_modules/resource-mock/scenario.schema.json',
  description: 'The first two updates answer 503, then everything works. Copy this file and change it',
  rules: [
    {
      match: { operation: 'updateResource' },
      times: 2,
      effect: { answer: { status: 503, error: { code: 'OverCapacity', message: 'Try again later.' } } },
    },
  ],
}

const toText = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  )

/** The configuration file that the folder already has, if any: a second one would keep the mock from starting. */
async function findConfigFile(folder: string): Promise<string | undefined> {
  for (const name of configNames) if (await isFile(join(folder, name))) return name
  return undefined
}

/** Writes a file unless it already exists. */
async function writeNew(path: string, text: string): Promise<'wrote' | 'kept'> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text, { flag: 'wx' })
    return 'wrote'
  } catch (fault) {
    if (findErrorCode(fault) === 'EEXIST' && (await isFile(path))) return 'kept'
    throw new SetupError(`Cannot write ${path}. Pass init a folder that you can write to.`, { cause: fault })
  }
}

/**
 * Writes copies of the built-in fixtures, an example scenario, and a configuration that points to both. Never overwrites
 * existing files.
 *
 * @returns a summary of the files and the next steps.
 * @throws {SetupError} if the folder is not writable.
 */
export async function init(folder: string): Promise<readonly string[]> {
  const { builtinFixtures } = await import('../../state/builtin-fixtures.ts')
  const own = await findConfigFile(folder)
  const files: Readonly<Record<string, string>> = {
    [own ?? CONFIG]: toText({ fixtures: './fixtures', scenarios: './scenarios' }),
    ...Object.fromEntries(Object.entries(builtinFixtures).map(([name, text]) => [join('fixtures', name), text])),
    [join('scenarios', 'my-scenario.json')]: toText(EXAMPLE),
  }
  const lines: string[] = []
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name)
    const done = await writeNew(path, text)
    lines.push(done === 'wrote' ? `Wrote ${path}` : `Kept  ${path}, which already exists`)
  }
  const there = relative(process.cwd(), folder)
  const go = there === '' ? '' : `cd ${there} && `
  // An existing configuration may not point to these folders.
  const start = own === undefined ? 'npx resource-mock' : 'npx resource-mock --fixtures fixtures --scenarios scenarios'
  return [
    ...lines,
    '',
    `Edit the fixtures and scenarios, then run: ${go}${start}`,
    `To activate the example scenario, add: --scenario my-scenario`,
  ]
}

export const initCommand = defineCommand({
  name: 'init',
  summary: 'write fixtures, a scenario and a configuration for you to edit',
  description:
    'Writes copies of the built-in fixtures, an example scenario, and a configuration file that uses both. Does not overwrite existing files.',
  argument: { syntax: '[dir]', about: 'folder to write to', default: '.' },
  options: {},
  async run(_settings, { argument: folder }) {
    print((await init(folder)).join('\n'))
  },
})
