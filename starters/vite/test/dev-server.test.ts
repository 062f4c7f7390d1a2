import { createServer } from 'vite'
import type { ViteDevServer } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'

const headers = { Authorization: 'Bearer any' }
let server: ViteDevServer
let api: string

beforeAll(async () => {
  server = await createServer({ logLevel: 'silent', server: { port: 0 } })
  await server.listen()
  api = new URL('/api', server.resolvedUrls?.local[0]).href
})

afterAll(() => server.close())

test('the dev server serves the mock', async () => {
  const response = await fetch(`${api}/acme/resource`, { headers })
  expect(response.status).toBe(200)
  expect((await response.json()).results).not.toHaveLength(0)
})

test('the mock fails on demand', async () => {
  const response = await fetch(`${api}/acme/resource`, { headers: { ...headers, 'X-Mock-Scenario': 'unavailable' } })
  expect(response.status).toBe(503)
})
