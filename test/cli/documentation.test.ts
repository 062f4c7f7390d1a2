import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { coverageOptions } from '../../src/cli/commands/print.ts'
import { mcpOptions } from '../../src/cli/commands/mcp.ts'
import { proxyOptions } from '../../src/cli/commands/proxy.ts'
import { verifyOptions } from '../../src/cli/commands/verify.ts'
import { checkMembers, configOption, resolveOptions } from '../../src/cli/settings.ts'
import { options } from '../../src/options/table.ts'
import { replaceTable } from './option-table.ts'

const read = (page: string): string => readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8')

// `npm run options` regenerates them.
it.each([
  ['command-line.md', { ...options, config: configOption }],
  ['contract-testing.md', verifyOptions],
  ['proxy.md', proxyOptions],
  ['coverage.md', coverageOptions],
  ['mcp.md', mcpOptions],
])('docs/%s lists every option of the command', async (page, table) => {
  await expect(replaceTable(read(page), table)).toMatchFileSnapshot(`../../docs/${page}`)
})

it('docs/command-line.md shows a configuration file that works', () => {
  const [, json = ''] = /```json\n(.*?)```/s.exec(read('command-line.md')) ?? []
  // The page shows an object.
  const config = { name: 'it', folder: '/', members: JSON.parse(json) as Record<string, unknown> }
  checkMembers(config)
  expect(resolveOptions(options, { flags: {}, env: {}, folder: '/', config })).toMatchObject({ port: 4020 })
})
