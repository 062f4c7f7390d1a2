import { once } from 'node:events'
// MSW patches the module's object, which named imports do not show.
import http from 'node:http'
import type { IncomingMessage } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { getResponse } from 'msw'
import type { RequestHandler } from 'msw'
import type { FaultName } from '../../../src/service/http/connection.ts'
import { createMock } from '../../../src/mock.ts'
import type { handlers as createHandlers } from '../../../src/msw.ts'
import { toPng } from '../../service/http/image-samples.ts'

const API = 'https://api.example.com'
const COLLECTION = `${API}/acme/resource`
const AUTHORIZATION = { Authorization: 'Bearer any' }
const JSON_HEADERS = { ...AUTHORIZATION, 'Content-Type': 'application/json' }
const draft = (key: string) => JSON.stringify({ key, objectTypeProperty: {} })

/** One version of MSW, and handlers for it. */
export interface Msw {
  readonly setupServer: (...handlers: RequestHandler[]) => {
    listen(options: { readonly onUnhandledRequest: 'error' }): void
    close(): void
    use(...handlers: RequestHandler[]): void
  }
  readonly handlers: typeof createHandlers
}

/** The behaviour of handlers in Node, whatever the version of MSW. */
export function handlerCases({ setupServer, handlers }: Msw): void {
  function intercept(...given: Parameters<typeof handlers>) {
    const server = setupServer(...handlers(...given))
    server.listen({ onUnhandledRequest: 'error' })
    onTestFinished(() => server.close())
    return server
  }

  it('respond to requests of an app below the base URL', async () => {
    intercept(API)
    const response = await fetch(`${COLLECTION}?limit=1`, { headers: AUTHORIZATION })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ limit: 1, count: 1 })
  })

  it('accept the options of a mock', async () => {
    intercept(API, { auth: 'off', scenario: 'empty' })
    const response = await fetch(COLLECTION)
    expect(await response.json()).toMatchObject({ total: 0 })
  })

  it.each(['POST', 'PUT', 'PATCH'])('forward a body sent by %s', async (method) => {
    intercept(API)
    const body = draft('sent')
    if (method === 'PATCH') await fetch(COLLECTION, { method: 'POST', headers: JSON_HEADERS, body })
    const written = await fetch(COLLECTION, { method, headers: JSON_HEADERS, body })
    expect(written.status).toBe(201)
    const read = await fetch(new URL(written.headers.get('Location') ?? '', API), { headers: AUTHORIZATION })
    expect(await read.json()).toEqual({ version: method === 'PATCH' ? 2 : 1, objectTypeProperty: {} })
  })

  it('respond to HEAD without a body', async () => {
    intercept(API)
    const response = await fetch(COLLECTION, { method: 'HEAD', headers: AUTHORIZATION })
    expect([response.status, await response.text()]).toEqual([200, ''])
  })

  it('respond to OPTIONS', async () => {
    intercept(API)
    const response = await fetch(COLLECTION, { method: 'OPTIONS' })
    expect([response.status, response.headers.get('Allow')]).toEqual([204, 'GET, HEAD, POST, PATCH, PUT, OPTIONS'])
  })

  it('forward an image byte for byte', async () => {
    const mock = await createMock()
    intercept(API, mock)
    const image = new Uint8Array(toPng(7, 5))
    const uploaded = await fetch(`${COLLECTION}/images?filename=p.png`, {
      method: 'POST',
      headers: { ...AUTHORIZATION, 'Content-Type': 'image/png' },
      body: image,
    })
    expect(uploaded.status).toBe(200)
    const { images } = await (await fetch(`${API}/__admin/images`)).json()
    const stored = await fetch(new URL(images[0].url, API))
    expect(new Uint8Array(await stored.arrayBuffer())).toEqual(image)
  })

  it('respond to requests of node:http', async () => {
    intercept('http://api.example.com')
    const headers = { ...JSON_HEADERS, 'Content-Length': draft('by-node-http').length }
    const outgoing = http.request('http://api.example.com/acme/resource', { method: 'POST', headers })
    outgoing.end(draft('by-node-http'))
    const [incoming]: IncomingMessage[] = await once(outgoing, 'response')
    expect(incoming?.statusCode).toBe(201)
  })

  it.each(['/nowhere', '/acme/resource/%ZZ'])('leave %s to the mock', async (path) => {
    intercept(API)
    const response = await fetch(API + path, { headers: AUTHORIZATION })
    expect(await response.json()).toMatchObject({ statusCode: response.status, errors: [{ code: expect.any(String) }] })
  })

  it.each([
    [API, 'https://api.example.com.test/acme/resource'],
    [API, 'https://api-example.com/acme/resource'],
    [API, 'http://api.example.com/acme/resource'],
    [`${API}/v1`, `${API}/v10/acme/resource`],
    [`${API}/v1`, `${API}/acme/resource`],
  ])('for %s, do not respond to %s', async (baseUrl, url) => {
    expect(await getResponse(handlers(baseUrl), new Request(url))).toBeUndefined()
  })

  describe('below a base path', () => {
    const base = `${API}/shop/v1`

    it('respond with locations below it', async () => {
      intercept(`${base}/`)
      const created = await fetch(`${base}/acme/resource`, {
        method: 'POST',
        headers: JSON_HEADERS,
        body: draft('placed'),
      })
      const location = created.headers.get('Location') ?? ''
      expect(location).toMatch(/^\/shop\/v1\/acme\/resource\/[^/]+$/)
      const read = await fetch(new URL(location, API), { headers: AUTHORIZATION })
      expect([read.status, read.headers.get('Content-Location')]).toEqual([200, location])
    })

    it('respond to the base URL itself', async () => {
      intercept(base)
      for (const url of [base, `${base}/`, `${base}?a=1`]) expect((await fetch(url)).status).toBe(200)
    })
  })

  describe('with sessions', () => {
    const create = (headers: Record<string, string> = {}) =>
      fetch(COLLECTION, { method: 'POST', headers: { ...JSON_HEADERS, ...headers }, body: draft('own') })
    const find = (headers: Record<string, string> = {}) =>
      fetch(`${COLLECTION}/key=own`, { headers: { ...AUTHORIZATION, ...headers } }).then(({ status }) => status)

    it('serve the session in a header', async () => {
      intercept(API)
      await create({ 'X-Mock-Session': 'one' })
      expect(await find({ 'X-Mock-Session': 'one' })).toBe(200)
      expect(await find({ 'X-Mock-Session': 'two' })).toBe(404)
    })

    it('serve one session to an app that names none', async () => {
      const mock = await createMock()
      const server = intercept(API, mock)
      const session = mock.session('one')
      server.use(...handlers(API, session))
      await create()
      expect(await find()).toBe(200)
      expect(await session.requests({ method: 'POST' })).toHaveLength(1)
      expect(
        (await mock.fetch(new Request('http://mock/acme/resource/key=own', { headers: AUTHORIZATION }))).status,
      ).toBe(404)
    })

    it('let a test switch scenarios', async () => {
      const mock = await createMock()
      intercept(API, mock)
      await mock.session('default').use('unavailable')
      expect((await fetch(COLLECTION, { headers: AUTHORIZATION })).status).toBe(503)
      await mock.session('default').reset()
      expect((await fetch(COLLECTION, { headers: AUTHORIZATION })).status).toBe(200)
    })
  })

  describe('under a scenario that breaks the connection', () => {
    const breaking = (fault: FaultName) => ({ rules: [{ effect: { fault } }] })

    it.each([
      'EMPTY_RESPONSE',
      'MALFORMED_RESPONSE_CHUNK',
      'RANDOM_DATA_THEN_CLOSE',
      'CONNECTION_RESET_BY_PEER',
    ] as const)('show a network error for %s', async (fault) => {
      const mock = await createMock()
      intercept(API, mock)
      await mock.session('default').use(breaking(fault))
      await expect(fetch(COLLECTION, { headers: AUTHORIZATION })).rejects.toThrow(TypeError)
    })

    it('truncate a response', async () => {
      intercept(API, { scenario: 'truncated' })
      const reading = fetch(COLLECTION, { headers: AUTHORIZATION }).then((response) => response.text())
      await expect(reading).rejects.toThrow()
    })

    it('wait until the app gives up', async () => {
      const mock = await createMock()
      intercept(API, mock)
      await mock.session('default').use(breaking('TIMEOUT'))
      await expect(fetch(COLLECTION, { headers: AUTHORIZATION, signal: AbortSignal.timeout(50) })).rejects.toThrow(
        expect.objectContaining({ name: 'TimeoutError' }),
      )
    })
  })
}
