import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { SetupError, findErrorCode } from '../../../errors.ts'
import { createFolder } from '../../node/folder.ts'
import { toWord } from '../../../util/quote.ts'
import * as values from '../../../app/options/option.ts'
import type { Options } from '../../../app/options/option.ts'
import { configNames } from '../config-file.ts'
import { defineCommand, print } from '../settings.ts'

const CONFIG = 'resource-mock.config.json'

/** An example scenario, activated by `--scenario my-scenario`. */
const EXAMPLE_SCENARIO = {
  description: 'The first two updates answer 503, then everything works. Copy this file and change it',
  rules: [
    {
      match: { operation: 'updateResource' },
      times: 2,
      effect: { answer: { status: 503, error: { code: 'OverCapacity', message: 'Try again later.' } } },
    },
  ],
}

const toFormattedJson = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  )

/** The first of these files that the folder already has: a second configuration would be an error, or be ignored. */
async function findExisting(folder: string, names: readonly string[]): Promise<string | undefined> {
  for (const name of names) if (await isFile(join(folder, name))) return name
  return undefined
}

/** A folder and its parents, the nearest first. */
function toParents(folder: string): readonly string[] {
  const parents = [resolve(folder)]
  for (let at = parents[0] ?? ''; dirname(at) !== at; at = dirname(at)) parents.push(dirname(at))
  return parents
}

/** The path from a folder to the schema of scenarios in the nearest installed package. */
async function findSchema(folder: string): Promise<string> {
  const SCHEMA = 'node_modules/resource-mock/scenario.schema.json'
  for (const parent of toParents(folder)) {
    // The first `node_modules` decides, not the fastest.
    // oxlint-disable-next-line no-await-in-loop -- as above
    if (await isFile(join(parent, SCHEMA))) return relative(resolve(folder), join(parent, SCHEMA)).replaceAll('\\', '/')
  }
  return `../${SCHEMA}`
}

/** Writes a file unless it already exists. */
async function writeNew(path: string, text: string): Promise<'wrote' | 'kept'> {
  try {
    await createFolder(dirname(path))
    await writeFile(path, text, { flag: 'wx' })
    return 'wrote'
  } catch (fault) {
    if (findErrorCode(fault) === 'EEXIST' && (await isFile(path))) return 'kept'
    throw new SetupError(`Cannot write ${path}. Pass init a folder that you can write to.`, { cause: fault })
  }
}

/** Writes files unless they exist, and describes each. */
async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const lines: string[] = []
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name)
    const done = await writeNew(path, text)
    lines.push(done === 'wrote' ? `Wrote ${path}` : `Kept  ${path}, which already exists`)
  }
  return lines
}

/** What to type before a command to run it in a folder. */
function toPrefix(folder: string): string {
  const there = relative(process.cwd(), folder)
  return there === '' ? '' : `cd ${toWord(there)} && `
}

/**
 * Writes copies of the built-in fixtures, an example scenario, and a configuration that points to both. Never overwrites
 * existing files.
 *
 * @returns a summary of the files and the next steps.
 * @throws {SetupError} if the folder is not writable.
 */
export async function init(folder: string): Promise<readonly string[]> {
  const { builtinFixtureTexts } = await import('../../../service/state/builtin-fixtures.ts')
  const own = await findExisting(folder, configNames)
  const $schema = await findSchema(join(folder, 'scenarios'))
  const lines = await writeFiles(folder, {
    [own ?? CONFIG]: toFormattedJson({ fixtures: './fixtures', scenarios: './scenarios' }),
    ...Object.fromEntries(Object.entries(builtinFixtureTexts).map(([name, text]) => [join('fixtures', name), text])),
    [join('scenarios', 'my-scenario.json')]: toFormattedJson({ $schema, ...EXAMPLE_SCENARIO }),
  })
  // An existing configuration may not point to these folders.
  const start = own === undefined ? 'npx resource-mock' : 'npx resource-mock --fixtures fixtures --scenarios scenarios'
  return [
    ...lines,
    '',
    `Edit the fixtures and scenarios, then run: ${toPrefix(folder)}${start}`,
    `To activate the example scenario, add: --scenario my-scenario`,
  ]
}

/** The text of a folder's package.json; empty without one. */
const readManifest = (folder: string): Promise<string> => readFile(join(folder, 'package.json'), 'utf8').catch(() => '')

/** Where Playwright keeps its browsers. */
const BROWSERS: Readonly<Record<string, string>> = {
  darwin: 'Library/Caches/ms-playwright',
  win32: 'AppData/Local/ms-playwright',
}

/** Whether Playwright's Chromium is installed. */
async function hasBrowser(): Promise<boolean> {
  const { PLAYWRIGHT_BROWSERS_PATH: own } = process.env
  const folder = own ?? join(homedir(), BROWSERS[process.platform] ?? '.cache/ms-playwright')
  const names = await readdir(folder).catch(() => [])
  return names.some((name) => name.startsWith('chromium'))
}

/** A note if the package was installed from a tarball outside the folder, which continuous integration does not have. */
async function findOutsideTarball(folder: string): Promise<readonly string[]> {
  const text = await readManifest(folder)
  const [, tarball] = /"resource-mock":\s*"file:((?:\.\.|\/)[^"]*)"/.exec(text) ?? []
  if (tarball === undefined) return []
  return [
    `For CI, copy ${tarball} into this folder, run npm install --save-dev ./${basename(tarball)}, and commit both.`,
  ]
}

/** A note if the folder is inside a repository: GitHub runs only the workflows of its root. */
async function findRepositoryAbove(folder: string): Promise<readonly string[]> {
  const parents = toParents(folder)
  const names = await Promise.all(parents.map((parent) => readdir(parent).catch((): string[] => [])))
  const root = parents[names.findIndex((list) => list.includes('.git'))]
  const place = relative(root ?? folder, resolve(folder)).replaceAll('\\', '/')
  if (root === undefined || place === '') return []
  return [
    `GitHub runs only workflows in ${join(root, '.github/workflows')}. Move the new one there, and give its job defaults: { run: { working-directory: ${place} } } and its cache cache-dependency-path: ${place}/package-lock.json`,
  ]
}

/** The test runners with files in starters/: the packages that these need, and the command that runs the first test. */
const starters = {
  playwright: { title: 'Playwright', packages: ['@playwright/test'], command: 'npx playwright test' },
  vitest: { title: 'vitest', packages: ['vitest'], command: 'npx vitest run test/outage.test.ts' },
  vite: { title: 'Vite', packages: ['vite', 'vitest'], command: 'npx vitest run test/dev-server.test.ts' },
} as const

type Runner = keyof typeof starters

/** The extensions of the configuration files of test runners. */
const CONFIG_TYPES = ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs']

/**
 * Writes the configuration, a first test and a CI workflow for test runners. Never overwrites existing files.
 *
 * @returns a summary of the files and the next steps.
 * @throws {SetupError} if the folder is not writable.
 */
export async function initStarters(folder: string, chosen: readonly Runner[]): Promise<readonly string[]> {
  const { starterTexts } = await import('../starter-texts.ts')
  const lines: string[] = []
  const hints: string[] = []
  for (const runner of chosen) {
    const config = `${runner}.config`
    const { [`${config}.ts`]: settings = '', ...files } = starterTexts[runner] ?? {}
    const existing = await findExisting(
      folder,
      CONFIG_TYPES.map((type) => config + type),
    )
    const path = existing ?? `${config}.ts`
    lines.push(...(await writeFiles(folder, { [path]: settings, ...files })))
    if ((await readFile(join(folder, path), 'utf8')) !== settings)
      hints.push(`The first test needs these settings. Add them to ${join(folder, path)}:`, '', settings)
  }
  // A listed package comes with the next install.
  const parents = toParents(folder)
  const manifests = (await Promise.all(parents.map(readManifest))).join('\n')
  const missing: string[] = []
  for (const name of new Set(chosen.flatMap((runner) => starters[runner].packages))) {
    const places = parents.map((parent) => join(parent, 'node_modules', name, 'package.json'))
    const isThere = manifests.includes(`"${name}":`) || (await Promise.all(places.map(isFile))).includes(true)
    if (!isThere) missing.push(name)
  }
  const prefix = toPrefix(folder)
  const needsBrowser = chosen.includes('playwright') && !(await hasBrowser())
  return [
    ...lines,
    '',
    ...hints,
    ...(missing.length === 0 ? [] : [`Install what is missing: ${prefix}npm install --save-dev ${missing.join(' ')}`]),
    ...(needsBrowser ? [`Install a browser for tests with a page: ${prefix}npx playwright install chromium`] : []),
    ...chosen.map((runner) => `Run the first test: ${prefix}${starters[runner].command}`),
    ...(await findRepositoryAbove(folder)),
    ...(await findOutsideTarball(folder)),
  ]
}

const toOption = (runner: Runner) => ({
  flag: `--${runner}`,
  default: false,
  about: `write a ${starters[runner].title} configuration, a first test and a CI workflow`,
  value: values.onOrOff,
})

/** The options of `resource-mock init`. */
export const initOptions = {
  playwright: toOption('playwright'),
  vitest: toOption('vitest'),
  vite: toOption('vite'),
} as const satisfies Options

export const initCommand = defineCommand({
  name: 'init',
  summary: 'write files to start with: fixtures and a scenario, or a first test',
  description:
    'Writes copies of the built-in fixtures, an example scenario, and a configuration file that uses both. With --playwright, --vitest or --vite, writes a first test, its configuration and a CI workflow instead. Does not overwrite existing files.',
  argument: { syntax: '[dir]', about: 'folder to write to', default: '.' },
  options: initOptions,
  async run(settings, { argument: folder }) {
    const chosen = (['playwright', 'vitest', 'vite'] as const).filter((runner) => settings[runner])
    print((await (chosen.length === 0 ? init(folder) : initStarters(folder, chosen))).join('\n'))
  },
})
