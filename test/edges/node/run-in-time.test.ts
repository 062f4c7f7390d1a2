import { expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../../src/node.ts'

it.each<[what: string, body: string, pattern: object]>([
  ['regular expression', 'a'.repeat(40), { matches: '(a+)+b' }],
  [
    'comparison in any order',
    JSON.stringify(Array.from({ length: 11_000 }, (_, at) => at)),
    { equalToJson: Array.from({ length: 11_000 }, (_, at) => 10_999 - at), ignoreArrayOrder: true },
  ],
])('a %s that takes more than 100 ms is stopped, with 400', async (_what, body, pattern) => {
  const server = await startServer({ port: 0, auth: 'off' })
  onTestFinished(() => server.close())
  await fetch(`${server.url}/acme/resource`, { method: 'POST', body })
  const find = async (bodyPattern: object): Promise<Response> =>
    fetch(`${server.url}/__admin/requests/count`, {
      method: 'POST',
      body: JSON.stringify({ bodyPatterns: [bodyPattern] }),
    })
  const refused = await find(pattern)
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({
    message: expect.stringContaining('it takes too long to match a request'),
  })
  expect(await (await find({ contains: body.slice(0, 10) })).json()).toMatchObject({ count: 1 })
})
