import { describe, expect, it, vi } from 'vitest'
import { PATIENCE } from '../../support/patience.ts'
import { TABLE, startProxiedMock, startProxy, startProxyOf } from './proxying.ts'

const envelope = { statusCode: 404, message: 'M', errors: [{ code: 'ResourceNotFound', message: 'M' }] }
const down = () => Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }))

describe('with --fallback, the mock', () => {
  it('responds from its own state while the upstream is down, and marks the response', async () => {
    const { ask } = await startProxy(down, { fallback: true })
    const created = await ask('POST', '/@s1/acme/resource', { json: { key: 'chair', objectTypeProperty: {} } })
    const path = created.headers.get('Location') ?? ''
    expect([created.status, created.headers.get('X-Mock-Fallback'), path]).toEqual([
      201,
      'unreachable',
      expect.stringMatching(/^\/@s1\/acme\/resource\//),
    ])
    const read = await ask('GET', path)
    expect([read.status, read.body, read.violations]).toEqual([200, { version: 1, objectTypeProperty: {} }, []])
    const stale = await ask('POST', path, { json: { version: 5, actions: [] } })
    expect([stale.status, stale.headers.get('X-Mock-Fallback')]).toEqual([409, 'unreachable'])
  })

  it('accepts any token that the service may have issued', async () => {
    const { ask } = await startProxy(down, { fallback: true })
    const claims = btoa('{"iss":"resource-mock"}')
    expect((await ask('GET', TABLE, { headers: { Authorization: `Bearer e30.${claims}.x` } })).status).toBe(200)
  })

  it('issues tokens while the upstream is down', async () => {
    const { ask } = await startProxy(down, { fallback: true })
    const headers = { Authorization: `Basic ${btoa('a:b')}`, 'Content-Type': 'application/x-www-form-urlencoded' }
    const { status, body } = await ask('POST', '/oauth/token', { headers, body: 'grant_type=client_credentials' })
    expect([status, body]).toEqual([200, expect.objectContaining({ token_type: 'Bearer' })])
  })

  it('responds if the upstream is too slow', async () => {
    const { ask } = await startProxyOf(() => undefined, { fallback: true, timeout: 50 })
    expect((await ask('GET', TABLE)).headers.get('X-Mock-Fallback')).toBe('timeout')
  })

  it('is noted in the journal', async () => {
    const { ask, proxy } = await startProxy(down, { fallback: true })
    await ask('POST', '/acme/resource', { json: { objectTypeProperty: {}, more: 1 } })
    const [request] = await proxy.session('default').requests()
    expect(request).toMatchObject({ operation: 'createResource', projectKey: 'acme', response: { status: 201 } })
    expect(request?.warnings).toContain('Served by the mock: unreachable')
    expect(request?.body).toContain('"more"')
  })

  it.each<[string, string, string, Response, boolean]>([
    ['a 404 that the contract does not allow', 'GET', '/acme/resource', Response.json(envelope, { status: 404 }), true],
    ['a 404 for a resource', 'GET', TABLE, Response.json(envelope, { status: 404 }), false],
    ["a gateway's 404 for a resource", 'GET', TABLE, new Response('<h1>', { status: 404 }), true],
    ["a router's 404 in JSON", 'GET', TABLE, Response.json({ message: 'no Route' }, { status: 404 }), true],
    ['HEAD without a match', 'HEAD', '/acme/resource', new Response(null, { status: 404 }), false],
    ['HEAD for a missing resource', 'HEAD', TABLE, new Response(null, { status: 404 }), false],
    [
      'HEAD for an HTML page',
      'HEAD',
      TABLE,
      new Response(null, { status: 404, headers: { 'Content-Type': 'text/html' } }),
      true,
    ],
    ['405', 'PUT', '/acme/resource', new Response(null, { status: 405 }), true],
    ['501', 'GET', TABLE, new Response(null, { status: 501 }), true],
    ['500', 'GET', TABLE, Response.json({}, { status: 500 }), false],
    ['503', 'GET', TABLE, Response.json(envelope, { status: 503 }), false],
    ['404 on a path outside the contract', 'GET', '/acme/basket', new Response('', { status: 404 }), false],
  ])('responds as the fallback: %s', async (_what, method, path, response, isServed) => {
    const { ask } = await startProxy(() => response.clone(), { fallback: true })
    const json = method === 'PUT' ? { json: { objectTypeProperty: {} } } : {}
    const { headers } = await ask(method, path, json)
    expect(headers.get('X-Mock-Fallback')).toBe(isServed ? 'no such path' : null)
  })

  it('does not respond to a request that the client has aborted', async () => {
    const client = new AbortController()
    const { proxy } = await startProxyOf(() => client.abort(), { fallback: true })
    const { signal } = client
    const headers = { Authorization: 'Bearer any', 'Content-Type': 'application/json' }
    const init = { method: 'POST', headers, body: '{"objectTypeProperty":{}}', signal }
    const answering = proxy.fetch(new Request('http://proxy/acme/resource', init))
    await expect(answering).rejects.toThrow('This operation was aborted')
    const [exchange] = await vi.waitFor(async () => {
      const requests = await proxy.session('default').requests()
      expect(requests).toHaveLength(1)
      return requests
    }, PATIENCE)
    expect(exchange).toMatchObject({ clientLeft: true, response: { status: 0 } })
    expect(exchange?.response.headers).not.toHaveProperty('x-mock-fallback')
  })

  it('does not change responses of the upstream', async () => {
    const { ask } = await startProxiedMock({ fallback: true })
    const replies = [
      await ask('GET', TABLE),
      await ask('GET', '/acme/resource/unknown'),
      await ask('GET', '/acme/resource'),
    ]
    expect(replies.map(({ status, headers }) => [status, headers.get('X-Mock-Fallback')])).toEqual([
      [200, null],
      [404, null],
      [200, null],
    ])
  })
})

it('without --fallback, a 404 of the upstream is relayed', async () => {
  const { ask } = await startProxy(() => new Response('', { status: 404 }))
  const { status, headers } = await ask('GET', TABLE)
  expect([status, headers.get('X-Mock-Fallback')]).toEqual([404, null])
})
