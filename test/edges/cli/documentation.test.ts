import { readFileSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { coverageOptions } from '../../../src/edges/cli/commands/print.ts'
import { mcpOptions } from '../../../src/edges/cli/commands/mcp.ts'
import { proxyOptions } from '../../../src/edges/cli/commands/proxy.ts'
import { resilienceOptions } from '../../../src/edges/cli/commands/resilience.ts'
import { verifyOptions } from '../../../src/edges/cli/commands/verify.ts'
import { configOption } from '../../../src/edges/cli/config-file.ts'
import { resolveOptions } from '../../../src/edges/cli/settings.ts'
import { options } from '../../../src/app/options/table.ts'
import { run, runHere } from './command.ts'
import { replaceTolerances } from '../../tools/verify/tolerance-table.ts'
import { replaceTable } from './option-table.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

const read = (page: string): string => readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8')

// `npm run options` regenerates them.
it.each([
  ['command-line.md', { ...options, config: configOption }],
  ['contract-testing.md', verifyOptions],
  ['proxy.md', proxyOptions],
  ['coverage.md', coverageOptions],
  ['resilience.md', resilienceOptions],
  ['mcp.md', mcpOptions],
])('docs/%s lists every option of the command', async (page, table) => {
  await expect(replaceTable(read(page), table)).toMatchFileSnapshot(`../../../docs/${page}`)
})

it('docs/command-line.md lists every command', async () => {
  const { stdout } = await runHere(['--help'])
  const [, list = ''] = stdout.split('Commands:\n')
  const names = Array.from(list.matchAll(/^ {2}(\w+) /gm), ([, name = '']) => name).filter((name) => name !== 'help')
  expect(names.length).toBeGreaterThan(8)
  const [, listed = ''] = read('command-line.md').split('```')
  expect(names.filter((name) => !new RegExp(`^resource-mock \\[?${name}\\b`, 'm').test(listed))).toEqual([])
})

it('docs/contract-testing.md lists what the contract leaves free', async () => {
  await expect(replaceTolerances(read('contract-testing.md'))).toMatchFileSnapshot('../../../docs/contract-testing.md')
})

it('docs/command-line.md shows a configuration file that works', () => {
  const [, json = ''] = /```json\n(.*?)```/s.exec(read('command-line.md')) ?? []
  // The page shows an object.
  const config = { name: 'it', folder: '/', members: JSON.parse(json) as Record<string, unknown> }
  expect(resolveOptions(options, { flags: {}, env: {}, folder: '/', config })).toMatchObject({ port: 4020 })
})

it('docs/command-line.md shows a module that is a configuration file', async () => {
  const [, path = '', js = ''] =
    /```js\n\/\/ (resource-mock\.config\.mjs)\n(.*?)```/s.exec(read('command-line.md')) ?? []
  const folder = await createTemporaryFolder()
  await mkdir(join(folder, 'node_modules'))
  await symlink(join(import.meta.dirname, '../../..'), join(folder, 'node_modules/resource-mock'))
  await writeFile(join(folder, path), js)
  expect(await run(['scenarios'], { cwd: folder })).toMatchObject({ status: 0 })
  await writeFile(join(folder, path), js.replace("'slow'", "'sloow'"))
  expect(await run(['--port', '0'], { cwd: folder })).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('slow') as string,
  })
})
