import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createMock } from '../../../src/mock.ts'
import type { Mock } from '../../../src/mock.ts'
import { listen } from '../../support/listen.ts'

interface Api {
  createApi(mock: Mock, options: { prefix: string; adminToken: string | undefined }): RequestListener
}

/** The shop's server is plain JavaScript, without types. */
const API = new URL('../../../examples/storefront/server/api.mjs', import.meta.url).href

async function startShop(adminToken?: string): Promise<string> {
  const mock = await createMock(adminToken === undefined ? {} : { adminToken })
  const { createApi } = (await import(API)) as Api
  return serveOn(createApi(mock, { prefix: '/api', adminToken }))
}

const serveOn = async (listener: RequestListener) => `http://127.0.0.1:${await listen(createServer(listener))}`

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

  it("are the dashboard of a visitor's session, for those who know its name", async () => {
    const url = await startShop('operator')
    const visitor = `visitor-${crypto.randomUUID()}`
    const read = async (path: string) => (await fetch(`${url}/api${path}`)).status
    const change = async (method: string, path: string) =>
      (await fetch(`${url}/api/@${visitor}/__admin${path}`, { method })).status
    await fetch(`${url}/api/@${visitor}/acme/resource`)
    const list = await fetch(`${url}/api/@${visitor}/__admin/requests?limit=1`)
    const { requests } = (await list.json()) as { readonly requests: readonly [{ readonly id: string }] }
    const details = ['', '/explanation', '/copies'].map((rest) => `/requests/${requests[0].id}${rest}`)
    const own = ['', '/scenarios', '/scenarios/active', '/coverage', '/projects', '/version', ...details]
    for (const path of own) {
      expect(await read(`/@${visitor}/__admin${path}`)).toBe(200)
      expect(await read(`/@somebody/__admin${path}`)).toBe(401)
    }
    const others = ['/requests?session=*', '?token=wrong', '/runs/r', '/share.html?run=r', '/metrics']
    for (const path of others) expect(await read(`/@${visitor}/__admin${path}`)).toBe(401)
    expect(await read('/__admin/scenarios?session=somebody')).toBe(401)
    expect(await change('PUT', '/scenarios/active/empty')).toBe(200)
    expect(await change('DELETE', '/requests')).toBe(200)
    expect(await change('PUT', '/snapshots/mine')).toBe(201)
    expect(await change('POST', '/reset')).toBe(200)
    expect(await change('POST', '/shutdown')).toBe(401)
    expect(await change('DELETE', '/sessions/somebody')).toBe(401)
  })

  it('list neither the tests nor the sessions of others', async () => {
    const url = await startShop()
    const base = `${url}/api/@visitor-${crypto.randomUUID()}`
    await fetch(`${url}/api/@somebody/acme/resource`)
    await fetch(`${base}/acme/resource`)
    const read = async (path: string): Promise<unknown> => (await fetch(`${base}/__admin${path}`)).json()
    expect(await read('/sessions')).toEqual({ sessions: [] })
    expect(await read('/runs')).toEqual({ runs: [] })
  })

  it('have the files of the dashboard below the prefix of the mock', async () => {
    const url = await startShop('operator')
    const page = async (path: string) => (await fetch(url + path, { headers: { Accept: 'text/html' } })).text()
    for (const path of [`/api/@visitor-${crypto.randomUUID()}/__admin`, '/api/__admin', '/api/@a/__admin']) {
      const file = /href="(\/api\/__admin\/dashboard\.css[^"]*)"/.exec(await page(path))?.[1] ?? ''
      expect((await fetch(url + file)).status).toBe(200)
    }
  })

  it('exclude everything else for clients on other machines, even without a token', async () => {
    const mock = await createMock()
    const { createApi } = (await import(API)) as Api
    const away: Mock = {
      ...mock,
      serve: (request, connection) =>
        // The test's client is on this machine.
        mock.serve(
          request,
          connection.remoteAddress === undefined ? {} : { ...connection, remoteAddress: '192.0.2.7' },
        ),
    }
    const url = await serveOn(createApi(away, { prefix: '/api', adminToken: undefined }))
    expect((await fetch(`${url}/api/__admin/state`)).status).toBe(403)
  })
})
