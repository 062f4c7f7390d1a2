import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createAsk } from './ask.ts'

const page = readFileSync(new URL('../../docs/admin.md', import.meta.url), 'utf8')

/** The page's own names, in place of the path parameters. */
const written = page.replaceAll(
  /(state)\/acme|(snapshots)\/before|(scenarios)\/teapot|(sessions)\/worker-1|(resources)\/df3775a4[\da-f-]*|(scenarios\/active)\/slow/g,
  '$1$2$3$4$5$6/{}',
)

it('docs/admin.md documents every path of the admin API', async () => {
  const { ask } = await createAsk()
  const { paths } = (await ask('GET', '/__admin')).body as { readonly paths: readonly string[] }
  const told = written.replaceAll(/\{\w+\}/g, '{}')
  expect(paths.filter((path) => !told.includes(path.replaceAll(/\{\w+\}/g, '{}')))).toEqual([])
})
