import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { endpoints } from '../../../src/service/contract/endpoints.ts'
import type { Endpoint } from '../../../src/service/contract/endpoint.ts'

const START = '<!-- operations -->'
const END = '<!-- end of operations -->'

const toRow = ([id, { method, path, scopes, summary }]: readonly [string, Endpoint]): string => {
  const scope = scopes === 'anyToken' ? 'any token' : scopes.map((one) => `\`${one}\``).join(' or ')
  return `| \`${id}\` | ${method} | ${scope} | \`${path}\` | ${summary} |`
}

// To update the page: npx vitest run --project quick test/service/contract/operations-page.test.ts -u
it('docs/operations.md lists every operation with its method, path and scopes', async () => {
  const page = readFileSync('docs/operations.md', 'utf8')
  const [before, after] = [page.split(START, 1).join(), page.slice(page.indexOf(END))]
  const rows = [
    '| operation | method | scopes | path | summary |',
    '|---|---|---|---|---|',
    ...Object.entries(endpoints).map(toRow),
  ]
  await expect(`${before}${START}\n\n${rows.join('\n')}\n\n${after}`).toMatchFileSnapshot('../../../docs/operations.md')
})
