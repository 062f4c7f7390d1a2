import { execFile } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { run } from './command.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** A project with the package and test runners installed. */
async function createProject(): Promise<string> {
  const folder = await createTemporaryFolder()
  const modules = join(folder, 'node_modules')
  for (const name of ['@playwright/test', 'vite', 'vitest', '.bin']) {
    // oxlint-disable-next-line no-await-in-loop -- few, and they share folders
    await mkdir(dirname(join(modules, name)), { recursive: true })
    // oxlint-disable-next-line no-await-in-loop -- as above
    await symlink(join(ROOT, 'node_modules', name), join(modules, name))
  }
  await symlink(ROOT, join(modules, 'resource-mock'))
  return folder
}

interface Workflow {
  readonly jobs: { readonly test: { readonly steps: readonly { readonly run?: string }[] } }
}

/** The commands of a workflow, except those that install something. */
async function readCommands(folder: string, runner: string): Promise<readonly string[]> {
  const text = await readFile(join(folder, '.github/workflows', `${runner}.yml`), 'utf8')
  const { steps } = (parse(text) as Workflow).jobs.test
  return steps.flatMap((step) => step.run ?? []).filter((command) => !/^npm ci$| install /.test(command))
}

/** A file without the marks of commented-out lines of code. */
const withoutMarks = (text: string): string => text.replaceAll(/^(\s*)\/\/ (?=use:|webServer:|\[|\]|\{|\}| )/gm, '$1')

it('the configuration for Playwright compiles, also without the marks of its comments', async () => {
  const folder = await createProject()
  await run(['init', '--playwright'], { cwd: folder })
  const text = await readFile(join(folder, 'playwright.config.ts'), 'utf8')
  const active = withoutMarks(text)
  expect(active).toMatch(/^ {2}use: \{.*mockUrl[^]*^ {2}webServer: \[$/m)
  await writeFile(join(folder, 'active.config.ts'), active)
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const options = ['--strict', '--noEmit', '--skipLibCheck', '--module', 'nodenext', '--types', 'node']
  await symlink(join(ROOT, 'node_modules/@types'), join(folder, 'node_modules/@types'))
  const files = ['playwright.config.ts', 'active.config.ts', 'tests/conflict.spec.ts']
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, ...options, ...files], { cwd: folder }).catch(
    (fault: { readonly stdout: string }) => fault,
  )
  expect(stdout).toBe('')
})

describe('the files of', () => {
  it.each([
    [['playwright'], /1 passed/],
    [['vitest'], /1 passed/],
    [['vite'], /2 passed/],
    [['playwright', 'vitest', 'vite'], /passed/],
  ])('init %j run as they are, also by the workflow', async (runners, outcome) => {
    const folder = await createProject()
    const { stdout, status } = await run(['init', ...runners.map((runner) => `--${runner}`)], { cwd: folder })
    expect(status, stdout).toBe(0)
    const [, ...first] = stdout.split('Run the first test: ')
    const workflows = await Promise.all(runners.map((runner) => readCommands(folder, runner)))
    expect(workflows.every((commands) => commands.length === 1)).toBe(true)
    for (const command of new Set([...first, ...workflows.flat()].map((one) => one.trim()))) {
      const env = { PATH: process.env['PATH'], HOME: folder, NO_COLOR: '1' }
      // oxlint-disable-next-line no-await-in-loop -- they share the folder
      const { stdout: shown } = await promisify(execFile)('sh', ['-c', command], { cwd: folder, env })
      expect(shown, command).toMatch(outcome)
    }
  })
})
