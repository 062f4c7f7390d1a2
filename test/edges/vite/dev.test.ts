import { describe, expect, it } from 'vitest'
import { toPng } from '../../service/http/image-samples.ts'
import { AUTHORIZED, JSON_HEADERS, startDevServer } from './dev-server.ts'

const draft = JSON.stringify({ key: 'of-the-page', objectTypeProperty: {} })

describe('the mock under a dev server', () => {
  it('responds at its prefix, and leaves the rest to Vite', async () => {
    const { url } = await startDevServer()
    const found = await fetch(`${url}/api/acme/resource?limit=1`, { headers: AUTHORIZED })
    expect(await found.json()).toMatchObject({ limit: 1, count: 1 })
    expect((await fetch(`${url}/@vite/client`)).headers.get('Content-Type')).toContain('javascript')
  })

  it.each(['/api', '/api/', '/api?a=b'])('responds to %s itself', async (path) => {
    const { url } = await startDevServer()
    const response = await fetch(url + path)
    expect(await response.json()).toEqual({ message: expect.stringContaining('dashboard is at /api/__admin') })
  })

  it('responds with 404 below its prefix, not with the app', async () => {
    const { url } = await startDevServer()
    const response = await fetch(`${url}/api/nowhere`)
    expect(await response.json()).toMatchObject({ statusCode: 404, errors: [{ code: 'ResourceNotFound' }] })
  })

  it.each(['/apis/acme/resource', '/api.ts', '/acme/resource'])('leaves %s to Vite', async (path) => {
    const { url } = await startDevServer()
    expect((await fetch(url + path)).headers.has('X-Correlation-ID')).toBe(false)
  })

  it('responds with locations that start with the prefix', async () => {
    const { url } = await startDevServer({ prefix: '/shop/v1/' })
    const created = await fetch(`${url}/shop/v1/@one/eu/gcp/acme/resource`, {
      method: 'POST',
      headers: JSON_HEADERS,
      body: draft,
    })
    const location = created.headers.get('Location') ?? ''
    expect(location).toMatch(/^\/shop\/v1\/@one\/eu\/gcp\/acme\/resource\/[^/]+$/)
    const read = await fetch(url + location, { headers: AUTHORIZED })
    expect([read.status, read.headers.get('Content-Location')]).toEqual([200, location])
  })

  it.each(['HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'])('forwards %s', async (method) => {
    const { url } = await startDevServer()
    const body = method === 'HEAD' || method === 'DELETE' ? null : draft
    const path = method === 'DELETE' ? '/key=of-the-page' : ''
    await fetch(`${url}/api/acme/resource`, { method: 'POST', headers: JSON_HEADERS, body: draft })
    const response = await fetch(`${url}/api/acme/resource${path}`, { method, headers: JSON_HEADERS, body })
    expect(response.headers.has('X-Correlation-ID')).toBe(true)
    expect(response.status).toBe({ HEAD: 200, DELETE: 405 }[method] ?? 201)
  })

  it('forwards an image byte for byte', async () => {
    const { url } = await startDevServer()
    const image = new Uint8Array(toPng(7, 5))
    const headers = { ...AUTHORIZED, 'Content-Type': 'image/png' }
    await fetch(`${url}/api/acme/resource/images`, { method: 'POST', headers, body: image })
    const { images } = await (await fetch(`${url}/api/__admin/images`)).json()
    const stored = await fetch(url + images[0].url)
    expect(new Uint8Array(await stored.arrayBuffer())).toEqual(image)
  })

  it('serves the admin API below the prefix', async () => {
    const { url } = await startDevServer()
    const { paths } = await (await fetch(`${url}/api/__admin`)).json()
    expect(paths).toContain('/api/__admin/scenarios')
    await fetch(`${url}/api/acme/resource`, { headers: AUTHORIZED })
    const { requests } = await (await fetch(`${url}/api/__admin/requests`)).json()
    expect(requests).toMatchObject([{ request: { url: '/acme/resource' } }])
  })

  it.each(['offline', 'truncated'])('breaks the connection under %s', async (scenario) => {
    const { url } = await startDevServer({ scenario })
    const reading = fetch(`${url}/api/acme/resource`, { headers: AUTHORIZED }).then((response) => response.text())
    await expect(reading).rejects.toThrow(TypeError)
  })

  it.each<unknown>(['', '/', 'api', '/api?a', '/a//b', 5, null])('refuses the prefix %j', async (prefix) => {
    // @ts-expect-error -- as a caller without a compiler may pass it
    await expect(startDevServer({ prefix })).rejects.toThrow(`The prefix ${JSON.stringify(prefix)} of resourceMock`)
  })

  it.each<unknown>([null, 5, 'slow'])('refuses %j instead of options', async (options) => {
    // @ts-expect-error -- as a caller without a compiler may pass it
    await expect(startDevServer(options)).rejects.toThrow(
      `The options must be an object such as { scenario: 'slow' }, not ${JSON.stringify(options)}.`,
    )
  })

  it('refuses an invalid option when the server starts', async () => {
    await expect(startDevServer({ scenario: 'conflit' })).rejects.toThrow('Did you mean "conflict"?')
  })
})
