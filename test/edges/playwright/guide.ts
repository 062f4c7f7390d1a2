import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromiumLaunchOptions } from '../../support/chromium-launch.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

const read = (page: string): string => readFileSync(join(root, `docs/${page}.md`), 'utf8')

/** The documentation for users: docs/playwright.md, docs/playwright-expectations.md and docs/playwright-setup.md. */
const guide = ['playwright', 'playwright-expectations', 'playwright-setup'].map(read).join('\n')

/** A file in the documentation: a code block whose first line contains its name. */
export interface ShownFile {
  readonly path: string
  readonly text: string
}

/** The text under each heading. */
const sections = guide.split(/^## /m)

const filesOf = (text: string): readonly ShownFile[] =>
  [...text.matchAll(/^```\w+\n\/\/ (\S+\.(?:ts|js))\n([^]*?)^```$/gm)].map(([, path = '', text = '']) => ({
    path,
    text,
  }))

const hasHeading = (section: string, heading: string): boolean => section.startsWith(`${heading}\n`)

/** The files under one heading. */
export const filesUnder = (heading: string): readonly ShownFile[] =>
  filesOf(sections.find((section) => hasHeading(section, heading)) ?? '')

/** The files under all headings except one. */
export const filesBeside = (heading: string): readonly ShownFile[] =>
  filesOf(sections.filter((section) => !hasHeading(section, heading)).join('## '))

/** The test in docs/cheat-sheet.md. */
export const shortest: readonly ShownFile[] = filesOf(read('cheat-sheet'))

/** The plain-text block in the documentation. */
export const shownText: string = /^```text\n([^]*?)^```$/m.exec(guide)?.[1] ?? ''

/** Ports in the documentation, and their replacements in these tests. */
export type Ports = ReadonlyMap<string, number>

/** A folder with the files of the page and the package installed. */
export interface Project {
  readonly folder: string
  /** The configuration from the page, with this machine's browser and longer timeouts. */
  readonly config: string
  remove(): Promise<void>
}

const TSCONFIG = {
  compilerOptions: {
    module: 'NodeNext',
    target: 'ES2022',
    lib: ['ES2023', 'DOM'],
    types: ['node'],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
  },
}

const CONFIG = `import { defineConfig } from '@playwright/test'
import config from './playwright.config.ts'

export default defineConfig(config, {
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  use: { launchOptions: ${JSON.stringify(chromiumLaunchOptions)} },
})
`

/** Whether the project's files are ES modules. */
export type ModuleType = 'module' | 'commonjs'

/** Creates a project from files of the page, as a reader would. */
export async function createProject(files: readonly ShownFile[], ports: Ports, type: ModuleType): Promise<Project> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'resource-mock-guide-')))
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  const link = async (from: string, to: string): Promise<void> => {
    await mkdir(dirname(join(folder, to)), { recursive: true })
    await symlink(join(root, from), join(folder, to))
  }
  const withPorts = (text: string): string =>
    [...ports].reduce((so, [shown, port]) => so.replaceAll(shown, String(port)), text)

  for (const { path, text } of files) await write(path, withPorts(text))
  await write('package.json', JSON.stringify({ name: 'guide', type }))
  await write('tsconfig.json', JSON.stringify(TSCONFIG))
  await write('here.config.ts', CONFIG)
  await link('.', 'node_modules/resource-mock')
  await link('bin/resource-mock.js', 'node_modules/.bin/resource-mock')
  for (const name of ['@playwright', '@types']) await link(`node_modules/${name}`, `node_modules/${name}`)

  return {
    folder,
    config: join(folder, 'here.config.ts'),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
