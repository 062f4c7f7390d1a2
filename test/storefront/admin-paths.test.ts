import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createMock } from '../../src/mock.ts'
import type { Mock } from '../../src/mock.ts'

interface Api {
  createApi(mock: Mock, options: { prefix: string; adminToken: string | undefined }): RequestListener
}

/** The shop's server is plain JavaScript, without types. */
const API = new URL('../../examples/storefront/server/api.mjs', import.meta.url).href

async function startShop(adminToken?: string): Promise<string> {
  const mock = await createMock(adminToken === undefined ? {} : { adminToken })
  const { createApi } = (await import(API)) as Api
  const server = createServer(createApi(mock, { prefix: '/api', adminToken }))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe("the admin paths available to the storefront's visitors", () => {
  it.each([undefined, 'operator'])('respond to the shop itself (admin token: %s)', async (token) => {
    const url = await startShop(token)
    const own = [
      ['Accept', '*/*'],
      ['Origin', url],
      ['Sec-Fetch-Site', 'same-origin'],
    ] as const
    for (const [name, value] of own) {
      const headers = { [name]: value }
      expect((await fetch(`${url}/api/__admin/scenarios/active`, { headers })).status).toBe(200)
      expect((await fetch(`${url}/api/__admin/reset`, { method: 'POST', headers })).status).toBe(200)
    }
  })

  it.each([undefined, 'operator'])('reject pages of other sites (admin token: %s)', async (token) => {
    const url = await startShop(token)
    const foreign = [
      ['Origin', 'https://evil.example'],
      ['Origin', 'null'],
      ['Sec-Fetch-Site', 'cross-site'],
    ] as const
    for (const [name, value] of foreign) {
      const { status } = await fetch(`${url}/api/__admin/reset`, { method: 'POST', headers: { [name]: value } })
      expect(status).toBe(403)
    }
  })
})
