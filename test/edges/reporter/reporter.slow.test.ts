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

const runners = { playwright: '@playwright/test/cli.js', vitest: 'vitest/vitest.mjs' } as const

/** A second test, for a second shard. */
const SECOND = {
  playwright: {
    path: 'tests/second.spec.ts',
    text: `import { expect, test } from 'resource-mock/playwright'
test('lists', async ({ mock }) => {
  expect((await mock.fetch('/acme/resource', { headers: { Authorization: 'Bearer any' } })).status).toBe(200)
})
`,
  },
  vitest: {
    path: 'test/second.test.ts',
    text: `import { expect } from 'vitest'
import { test } from './mock.ts'
test('lists', async ({ session }) => {
  expect((await session.fetch('/acme/resource', { headers: { Authorization: 'Bearer any' } })).status).toBe(200)
})
`,
  },
} as const

/** Writes the files of the page with another minimum. Returns how to run a runner there. */
async function layOut(runner: keyof typeof runners, min: string, more: readonly { path: string; text: string }[] = []) {
  const folder = await createTemporaryFolder()
  async function write(least: string): Promise<void> {
    for (const { path, text } of [...files, ...more]) {
      await mkdir(join(folder, path, '..'), { recursive: true })
      await writeFile(join(folder, path), text.replace(/min: \d+/, `min: ${least}, outputFile: 'coverage.json'`))
    }
  }
  await write(min)
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await mkdir(join(folder, 'node_modules'))
  await symlink(root, join(folder, 'node_modules/resource-mock'))
  for (const name of ['@playwright', 'vitest']) {
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  const { PATH = '', HOME = '' } = process.env
  return {
    /** Changes the minimum. */
    write,
    readReport: () => JSON.parse(readFileSync(join(folder, 'coverage.json'), 'utf8')) as unknown,
    run: (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
      new Promise<{ readonly status: unknown; readonly stdout: string }>((resolve) => {
        const child = execFile(
          process.execPath,
          [join(root, 'node_modules', runners[runner]), ...args],
          { cwd: folder, env: { PATH, HOME, CI: '1', ...env } },
          (fault, stdout, stderr) => resolve({ status: fault?.code ?? 0, stdout: stdout + stderr }),
        )
        onTestFinished(() => void child.kill())
      }),
  }
}

/** The commands that run a shard, and merge the reports of all shards. */
const sharding = {
  playwright: {
    runShard: (shard: string) => ['test', `--shard=${shard}`, '--reporter=blob'],
    merge: ['merge-reports', '--config=playwright.config.ts', 'blob-report'],
  },
  vitest: {
    runShard: (shard: string) => ['run', `--shard=${shard}`, '--reporter=blob'],
    merge: ['run', '--merge-reports'],
  },
} as const

const commands = { playwright: ['test'], vitest: ['run'] } as const

describe('resource-mock/reporter', () => {
  it.each(['playwright', 'vitest'] as const)('reports the coverage of the tests of %s', async (runner) => {
    const { run, readReport } = await layOut(runner, '10')
    const { status, stdout } = await run(commands[runner])
    expect(stdout).toContain('Coverage of failure: ')
    expect(status).toBe(0)
    expect(readReport()).toMatchObject({
      summary: { operations: { met: 1, of: 1 } },
      operations: [{ id: 'queryResources', met: 3 }],
      recoveries: expect.arrayContaining([{ kind: 'unavailable', failed: 2, recovered: 1 }]) as unknown,
    })
  })

  it.each(['playwright', 'vitest'] as const)('fails a run of %s with too little coverage', async (runner) => {
    const { status, stdout } = await (await layOut(runner, '90')).run(commands[runner])
    expect(stdout).toMatch(/The coverage of failure is [\d.]+ %, below the minimum of 90 %\./)
    expect(status).toBe(1)
  })

  it.each(['playwright', 'vitest'] as const)('merges the shards of %s, with a minimum', async (runner) => {
    const { run, write, readReport } = await layOut(runner, '10', [SECOND[runner]])
    const { runShard, merge } = sharding[runner]
    for (const shard of ['1/2', '2/2']) {
      const { status, stdout } = await run(runShard(shard), { PWTEST_BLOB_DO_NOT_REMOVE: '1' })
      expect([status, stdout]).toEqual([0, expect.any(String)])
    }
    for (const [min, expected] of [
      ['10', 0],
      ['90', 1],
    ] as const) {
      await write(min)
      const { status, stdout } = await run(merge)
      expect([status, stdout]).toEqual([expected, expect.stringContaining('Coverage of failure: ')])
      expect(readReport()).toMatchObject({ operations: [{ id: 'queryResources', met: 4 }] })
    }
  })

  it('says nothing in a resilience run', async () => {
    const { run } = await layOut('playwright', '90')
    const { status, stdout } = await run(commands.playwright, { RESOURCE_MOCK_RESILIENCE: 'nowhere' })
    expect([status, stdout]).toEqual([0, expect.not.stringContaining('overage')])
  })
})
