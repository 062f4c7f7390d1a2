import { expect, it } from 'vitest'
import { createAsk } from '../admin/ask.ts'

const PAGE = { Accept: 'text/html' }

/** The paths of the rows of a page, from the top. */
const pathsOf = (text: string): readonly string[] =>
  Array.from(
    text
      .slice(text.indexOf('id="rows"'), text.indexOf('<template'))
      .matchAll(/data-f="path">([^<]*)<\/span><span class="query" data-f="query">([^<]*)/g),
    ([, path = '', query = '']) => path + query,
  )

it.each([
  ['', '', ['/acme/resource/none', '/beta/resource?limit=1', '/acme/resource']],
  ['status>=400', '', ['/acme/resource/none']],
  ['-path:/beta', 'path', ['/acme/resource', '/acme/resource/none']],
  ['body~"no resource"', '', []],
  ['body~linen', '-path', ['/beta/resource?limit=1', '/acme/resource']],
  ['-body~linen', '', ['/acme/resource/none']],
])('the page shows the requests of the filter %j in the order %j without a script', async (text, sort, paths) => {
  const { ask } = await createAsk()
  const record = { key: 'linen-shirt', objectTypeProperty: { arrayOfStringExample: ['linen'] } }
  for (const projectKey of ['acme', 'beta']) await ask('PUT', `/__admin/state/${projectKey}`, { json: [record] })
  for (const path of ['/acme/resource', '/beta/resource?limit=1', '/acme/resource/none']) await ask('GET', path)
  const query = new URLSearchParams({ view: 'requests', text, sort })
  const page = await ask('GET', `/__admin?${query}`, { headers: PAGE })
  expect(pathsOf(page.text)).toEqual(paths)
})

it('the list as JSON says which requests have the bodies of the filter, if it asks for one', async () => {
  const { ask } = await createAsk()
  await ask('GET', '/acme/resource?limit=1')
  await ask('GET', '/acme/resource/none')
  const read = async (text: string) =>
    (await ask('GET', `/__admin/dashboard.json?${new URLSearchParams({ text })}`)).body as {
      readonly rows: readonly { readonly id: string }[]
      readonly bodyHits?: readonly string[]
    }
  expect((await read('status:404')).bodyHits).toBeUndefined()
  const { rows, bodyHits } = await read('body~statusCode')
  expect(rows).toHaveLength(2)
  expect(bodyHits).toEqual([rows[0]?.id])
})

it('the names of the columns lead to the list sorted by them', async () => {
  const { ask } = await createAsk()
  await ask('GET', '/acme/resource')
  const { text } = await ask('GET', '/__admin?view=requests&sort=-took&text=acme', { headers: PAGE })
  expect(text).toMatch(/class="c-took" aria-sort="descending"><a href="[^"]*text=acme&amp;sort=took"/)
  expect(text).toMatch(/class="c-path"><a href="[^"]*text=acme&amp;sort=path"/)
  expect(text).toMatch(/class="c-notes">Notes</)
})
