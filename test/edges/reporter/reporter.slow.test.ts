import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { COMMAND } from '../cli/command.ts'
import { createTemporaryFolder } from '../cli/temporary-folder.ts'

const root = join(COMMAND, '..', '..')
const page = readFileSync(join(root, 'docs/coverage.md'), 'utf8')

/** The files shown on the page. */
const files = Array.from(page.matchAll(/^```ts\n\/\/ (\S+)\n([^]*?)^```$/gm), ([, path = '', text = '']) => ({
  path,
  text,
}))

const runners = {
  playwright: ['@playwright/test/cli.js', 'test'],
  vitest: ['vitest/vitest.mjs', 'run'],
} as const

/** Runs the tests of the page with another minimum, and returns the output. */
async function run(runner: keyof typeof runners, min: string) {
  const folder = await createTemporaryFolder()
  for (const { path, text } of files) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), text.replace(/min: \d+/, `min: ${min}, outputFile: 'coverage.json'`))
  }
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await mkdir(join(folder, 'node_modules'))
  await symlink(root, join(folder, 'node_modules/resource-mock'))
  for (const name of ['@playwright', 'vitest']) {
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  const [file, ...args] = runners[runner]
  const { PATH = '', HOME = '' } = process.env
  const { status, stdout } = await new Promise<{ readonly status: unknown; readonly stdout: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [join(root, 'node_modules', file), ...args],
      { cwd: folder, env: { PATH, HOME, CI: '1' } },
      (fault, stdout, stderr) => resolve({ status: fault?.code ?? 0, stdout: stdout + stderr }),
    )
    onTestFinished(() => void child.kill())
  })
  return { status, stdout, report: JSON.parse(readFileSync(join(folder, 'coverage.json'), 'utf8')) as unknown }
}

describe('resource-mock/reporter', () => {
  it.each(['playwright', 'vitest'] as const)('reports the coverage of the tests of %s', async (runner) => {
    const { status, stdout, report } = await run(runner, '10')
    expect(stdout).toContain('Coverage of failure: ')
    expect(status).toBe(0)
    expect(report).toMatchObject({
      summary: { operations: { met: 1, of: 1 } },
      operations: [{ id: 'queryResources', met: 3 }],
      recoveries: expect.arrayContaining([{ kind: 'unavailable', failed: 2, recovered: 1 }]) as unknown,
    })
  })

  it.each(['playwright', 'vitest'] as const)('fails a run of %s with too little coverage', async (runner) => {
    const { status, stdout } = await run(runner, '90')
    expect(stdout).toMatch(/The coverage of failure is [\d.]+ %, below the minimum of 90 %\./)
    expect(status).toBe(1)
  })
})
