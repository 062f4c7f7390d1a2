import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { createTemporaryFolder } from '../../edges/cli/temporary-folder.ts'
import { filesOf } from '../../edges/library/page.ts'

const root = join(import.meta.dirname, '../../..')
const tools = join(import.meta.dirname, '..')

/** The results of a test file in jest's JSON report. */
interface Report {
  readonly testResults: readonly {
    readonly message: string
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[]
  }[]
}

const ESM_FILES = ['jest.config.js', 'strip-types.js', 'src/shop.ts', 'src/shop.test.js']

/** A project with the files of docs/jest.md and the built package. */
async function layOutJest(type: 'module' | 'commonjs', paths: readonly string[]): Promise<string> {
  const folder = await createTemporaryFolder()
  const link = async (from: string, to: string): Promise<void> => {
    await mkdir(dirname(join(folder, to)), { recursive: true })
    await symlink(from, join(folder, to))
  }
  await link(root, 'node_modules/resource-mock')
  await link(join(root, 'node_modules/esbuild'), 'node_modules/esbuild')
  await link(join(tools, 'node_modules/@jest'), 'node_modules/@jest')
  const files = new Map([
    ...filesOf('docs/vitest.md'),
    ...filesOf('docs/jest.md'),
    ['package.json', JSON.stringify({ type })],
  ])
  for (const path of ['package.json', ...paths]) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), files.get(path) ?? expect.fail(`The page shows no ${path}.`))
  }
  return folder
}

/** Runs jest as documented and returns its report. */
async function runJest(folder: string, nodeOptions: string): Promise<Report> {
  const command = join(tools, 'node_modules/jest/bin/jest.js')
  const env = { ...process.env, NODE_OPTIONS: nodeOptions }
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [command, '--runInBand', '--json', '--testTimeout=600000'],
    {
      cwd: folder,
      env,
    },
  ).catch((fault: { readonly stdout: string; readonly stderr: string }) => fault)
  if (!stdout.startsWith('{')) expect.fail(`jest gave no report: ${stdout}${stderr}`)
  // Jest's JSON report, according to its types.
  return JSON.parse(stdout) as Report
}

it.each([
  ['ES modules', 'module', ESM_FILES, '--experimental-vm-modules', 3],
  ['CommonJS', 'commonjs', ['src/list.test.js'], '', 1],
] as const)(
  'the code of docs/jest.md works as documented in a project of %s',
  async (_name, type, paths, options, count) => {
    const { testResults } = await runJest(await layOutJest(type, paths), options)
    expect(testResults.map(({ message }) => message)).toEqual([''])
    const statuses = testResults.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status))
    expect(statuses).toEqual(Array.from({ length: count }, () => 'passed'))
  },
)
