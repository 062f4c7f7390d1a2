import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { filesOf, layOut } from './page.ts'

const modules = join(import.meta.dirname, '..', '..', '..', 'node_modules')
const run = promisify(execFile)

/** The output of a command, whether it succeeds or not. */
async function say(folder: string, command: string, ...args: readonly string[]): Promise<string> {
  const node = run(process.execPath, [join(modules, command), ...args], {
    cwd: folder,
    env: { ...process.env, CI: '', NO_COLOR: '1' },
  })
  const { stdout, stderr } = await node.catch((fault: { stdout: string; stderr: string }) => fault)
  return stdout + stderr
}

/** The compiler's findings in the code of pages; another check covers the package itself. */
async function findTypeFaults(pages: readonly string[]): Promise<readonly string[]> {
  const files = pages.flatMap((page) => {
    // This page uses files of the other one.
    const folder = page === 'docs/vitest-server.md' ? 'docs/vitest.md' : page
    return [...filesOf(page)].map(([path, text]) => [`${folder}/${path}`, text] as const)
  })
  const { folder, remove } = await layOut(new Map(files))
  onTestFinished(remove)
  const told = await say(folder, 'typescript/bin/tsc', '-p', folder)
  return told.split('\n').filter((line) => /^(?:docs\/|README\.md)/.test(line))
}

describe.each([
  ['docs/vitest.md and docs/vitest-server.md', 10],
  ['docs/library.md', 7],
  ['docs/msw.md', 6],
  ['docs/getting-started.md', 1],
  ['docs/resilience.md', 10],
  ['README.md', 1],
])('the code of %s', (page, tests) => {
  it('runs as shown', async () => {
    const { folder, remove } = await layOut(new Map(page.split(' and ').flatMap((one) => [...filesOf(one)])))
    onTestFinished(remove)
    // In one process, one file after the other: a process for each takes longer than its tests.
    const told = await say(
      folder,
      'vitest/vitest.mjs',
      'run',
      '--config',
      'run.config.ts',
      '--maxWorkers',
      '1',
      '--no-isolate',
    )
    expect(told).toMatch(new RegExp(`Tests +${tests} passed \\(${tests}\\)`))
  })
})

it('the code of all pages compiles as shown', async () => {
  const pages = ['vitest', 'vitest-server', 'jest', 'library', 'msw', 'vite', 'getting-started', 'admin', 'replicas']
  expect(await findTypeFaults([...pages.map((name) => `docs/${name}.md`), 'README.md'])).toEqual([])
})
