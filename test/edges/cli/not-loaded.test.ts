import { execFile } from 'node:child_process'
import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { COMMAND } from './command.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

/** Runs a shell line in a folder, and returns how it failed. */
const failLine = (line: string, cwd: string, env: Readonly<Record<string, string>> = {}): Promise<unknown> =>
  promisify(execFile)('sh', ['-c', line], { cwd, env: { PATH: process.env['PATH'], ...env } }).catch(
    (error: unknown) => error,
  )

const MOCK = `'${process.execPath}' '${COMMAND}' --port 0`

it('says in one sentence that the working folder is gone', async () => {
  const folder = await createTemporaryFolder()
  await mkdir(join(folder, 'gone'))
  expect(await failLine(`cd gone && rmdir ../gone && ${MOCK}`, folder)).toMatchObject({
    code: 2,
    stderr: 'The working folder no longer exists. Change to another folder.\n',
  })
})

it('says in one sentence that the process has no fetch', async () => {
  const folder = await createTemporaryFolder()
  expect(await failLine(MOCK, folder, { NODE_OPTIONS: '--no-experimental-fetch' })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^This process has no fetch\. Remove --no-experimental-fetch from .+\n$/),
  })
})

it('says in one sentence that the package is incomplete', async () => {
  const folder = await createTemporaryFolder()
  await mkdir(join(folder, 'bin'))
  await copyFile(COMMAND, join(folder, 'bin/resource-mock.js'))
  expect(await failLine(`'${process.execPath}' bin/resource-mock.js --port 0`, folder)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^resource-mock cannot be loaded: Cannot find module .+ Install it again, or .+\n$/),
  })
})
