import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createHttpClient } from '../../../src/edges/node/http-client.ts'
import { startServer } from '../../../src/node.ts'
import { TABLE, UPSTREAM, createAsk, startProxiedMock, startProxy, startProxyOf } from './proxying.ts'

describe('the proxy', () => {
  it('relays requests and responses, a whole life cycle without a violation', async () => {
    const { ask } = await startProxiedMock()
    const json = { key: 'chair', objectTypeProperty: { arrayOfIntExample: [9_223_372_036_854_775_807n] } }
    const created = await ask('POST', '/acme/resource', { json })
    const path = created.headers.get('Location') ?? ''
    const update = { version: 1, actions: [{ action: 'doSomeThing' }] }
    const complex = '/acme/resource/artificially-complex/path/uri-parameter-one=a/b'
    const localised = { Accept: 'application/json', 'Storefront-Locale': 'de-DE' }
    const replies = [
      created,
      await ask('GET', path),
      await ask('GET', '/acme/resource/key=chair'),
      await ask('HEAD', '/acme/resource?stringParameter=oak'),
      await ask('POST', path, { json: update }),
      await ask('POST', path, { json: update }),
      await ask('PUT', '/acme/resource', { json }),
      await ask('PATCH', '/acme/resource', { json }),
      await ask('GET', '/acme/resource?limit=2&stringParameter=oak'),
      await ask('GET', '/acme/resource/searchApiPattern?text.en=oak&facet=arrayOfStringExample'),
      await ask('GET', '/acme/resource/sorted-query-parameters?sort=version desc'),
      await ask('POST', complex, { json: { id: '1' } }),
      await ask('POST', '/acme/resource/namespace-action', { json: { any: 1 } }),
      await ask('GET', '/acme/resource/namespace-action'),
      await ask('GET', '/acme/resource/namespace-action-with-example'),
      await ask('GET', '/acme/resource/namespace-action-with-headers', { headers: localised }),
      await ask('DELETE', path),
      await ask('GET', path),
    ]
    expect(replies.map(({ status }) => status)).toEqual([
      201, 200, 200, 200, 200, 409, 201, 201, 200, 200, 200, 201, 200, 200, 200, 200, 200, 404,
    ])
    expect(replies.flatMap(({ violations }) => violations)).toEqual([])
    expect(created.text).toContain('9223372036854775807')
    expect(created.headers.get('Sl-Violations')).toBe('[]')
  })

  it('names the operation, and sends the correlation id to both sides', async () => {
    const ids: (string | null)[] = []
    const { ask } = await startProxy((request) => {
      ids.push(request.headers.get('X-Correlation-ID'))
      return Response.json({})
    })
    const { headers } = await ask('GET', TABLE, { headers: { 'X-Correlation-ID': 'checkout-1' } })
    expect([headers.get('X-Mock-Operation'), headers.get('X-Correlation-ID'), ...ids]).toEqual([
      'getResourceById',
      'checkout-1',
      'checkout-1',
    ])
  })

  it('drops hop-by-hop headers', async () => {
    let asked = new Headers()
    const { ask } = await startProxy(
      (request) => {
        asked = request.headers
        return Response.json(
          {},
          { headers: { Connection: 'X-Hop', 'X-Hop': '1', 'Keep-Alive': 'timeout=5', 'X-End': '2' } },
        )
      },
      { upstream: `${UPSTREAM}/base/` },
    )
    const sent = { Connection: 'close, X-Private', 'X-Private': '1', TE: 'trailers', Upgrade: 'h2c', 'X-Public': '2' }
    const { headers } = await ask('GET', TABLE, { headers: sent })
    expect(['connection', 'x-private', 'te', 'upgrade'].filter((name) => asked.has(name))).toEqual([])
    expect([asked.get('X-Public'), asked.get('Authorization')]).toEqual(['2', 'Bearer any'])
    expect(asked.get('Via')).toMatch(/^1\.1 resource-mock-\w+$/)
    expect([headers.get('X-Hop'), headers.get('Keep-Alive'), headers.get('X-End')]).toEqual([null, null, '2'])
  })

  it.each([
    ['/acme/resource/1?a=b%20c', `${UPSTREAM}/base/acme/resource/1?a=b%20c`],
    ['/@worker-1/acme/resource', `${UPSTREAM}/base/acme/resource`],
    ['/@worker-1/eu/gcp/acme/resource', `${UPSTREAM}/base/eu/gcp/acme/resource`],
    ['/anything/else', `${UPSTREAM}/base/anything/else`],
    ['/oauth/token', `${UPSTREAM}/base/oauth/token`],
  ])('sends %s to %s', async (path, url) => {
    const { ask } = await startProxy(({ url }) => Response.json({ url }), { upstream: `${UPSTREAM}/base/` })
    expect((await ask('GET', path)).body).toEqual({ url })
  })

  it.each([
    ['/acme/resource/1', '/@s/acme/resource/1'],
    [`${UPSTREAM}/acme/resource/1?a=1`, '/@s/acme/resource/1?a=1'],
    ['https://elsewhere.example.com/acme', 'https://elsewhere.example.com/acme'],
    ['//elsewhere.example.com/acme', '//elsewhere.example.com/acme'],
  ])('follows no redirect, and rewrites its Location %s to %s', async (location, moved) => {
    const { ask } = await startProxy(() => new Response(null, { status: 303, headers: { Location: location } }))
    const { status, headers } = await ask('GET', '/@s/acme/resource/1')
    expect([status, headers.get('Location')]).toEqual([303, moved])
  })

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
  ] as const)('relays a response of %s unchanged, and checks it', async (encoding, pack) => {
    const bytes = pack('{"version":"1"}')
    let asked: string | undefined
    const { proxy } = await startProxyOf((request, response) => {
      asked = request.headers['accept-encoding']
      response.writeHead(200, {
        'Content-Type': 'application/json',
        'Content-Encoding': encoding,
        'Content-Length': bytes.byteLength,
      })
      response.end(bytes)
    })
    const headers = { Authorization: 'Bearer any', 'Accept-Encoding': `${encoding}, zstd` }
    const response = await proxy.fetch(new Request(`http://proxy${TABLE}`, { headers }))
    expect(asked).toBe(`${encoding}, zstd`)
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
    expect(response.headers.get('Content-Encoding')).toBe(encoding)
    expect(response.headers.get('Content-Length')).toBe(String(bytes.byteLength))
    expect(response.headers.get('Sl-Violations')).toContain('"version"')
    const [request] = await proxy.session('default').requests()
    expect(request?.response.body).toBe('{"version":"1"}')
  })

  it('reports that a body with an unknown encoding was not checked', async () => {
    const { ask } = await startProxyOf((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'secret' }).end('{}')
    })
    const { text, violations } = await ask('GET', TABLE)
    expect([text, violations]).toEqual(['{}', ['Warning response.headers.Content-Encoding']])
  })

  it('relays a compressed body unchanged, and checks its content', async () => {
    let received = Buffer.alloc(0)
    const { ask } = await startProxyOf((request, response) => {
      request.on('data', (chunk: Buffer) => (received = Buffer.concat([received, chunk])))
      request.on('end', () => response.end())
    })
    const packed = gzipSync('{"objectTypeProperty":{"arrayOfIntExample":["1"]}}')
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }
    const { violations } = await ask('POST', '/acme/resource', { body: packed, headers })
    expect(received.equals(packed)).toBe(true)
    expect(violations).toContain('Error request.body.objectTypeProperty.arrayOfIntExample.0')
  })

  it('adds no content headers to those of the upstream', async () => {
    const { proxy } = await startProxyOf((_request, response) =>
      response.writeHead(200, { 'Content-Length': 5 }).end('plain'),
    )
    const { headers } = await proxy.fetch(new Request('http://proxy/elsewhere'))
    expect([headers.get('Content-Type'), headers.get('Content-Length')]).toEqual([null, '5'])
  })

  it('relays non-JSON bodies unchanged', async () => {
    const { proxy } = await startProxyOf((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      response.write('data: 1\n\n')
    })
    const response = await proxy.fetch(new Request('http://proxy/elsewhere'))
    const { value } = (await response.body?.getReader().read()) ?? {}
    expect(new TextDecoder().decode(value)).toBe('data: 1\n\n')
  })

  it('relays bodies of any length, unchecked', async () => {
    const size = 20 * 1024 * 1024
    const text = `{"objectTypeProperty":{},"more":"${'a'.repeat(size)}"}`
    const { ask } = await startProxyOf((request, response) => {
      let length = 0
      request.on('data', (chunk: Buffer) => (length += chunk.length))
      request.on('end', () => {
        response.writeHead(201, { 'Content-Type': 'application/json', 'X-Length': length })
        response.end(text)
      })
    })
    const reply = await ask('POST', '/acme/resource', { body: text, headers: { 'Content-Type': 'application/json' } })
    expect([reply.headers.get('X-Length'), reply.text.length]).toEqual([String(text.length), text.length])
    expect(reply.violations).toEqual(['Warning request.body', 'Warning response.body'])
  })

  it("exposes the upstream's headers to pages, and what the upstream exposes itself", async () => {
    const { ask } = await startProxy(() =>
      Response.json({}, { headers: { 'Access-Control-Expose-Headers': 'X-Page-Count', 'X-Pagination': '42' } }),
    )
    const { headers } = await ask('GET', TABLE, { headers: { Origin: 'http://localhost:3000' } })
    const exposed = headers.get('Access-Control-Expose-Headers')?.toLowerCase().split(', ')
    expect(exposed).toEqual(expect.arrayContaining(['x-pagination', 'x-page-count', 'sl-violations']))
  })

  it("lets pages of other origins read the upstream's responses", async () => {
    const { ask } = await startProxy(() =>
      Response.json(
        {},
        { headers: { 'Access-Control-Allow-Origin': 'https://shop.example.com', 'Access-Control-Max-Age': '1' } },
      ),
    )
    const { headers } = await ask('GET', TABLE, { headers: { Origin: 'http://localhost:3000' } })
    expect(headers.get('Access-Control-Allow-Origin')).toBe('http://localhost:3000')
    expect(headers.get('Access-Control-Expose-Headers')).toContain('Sl-Violations')
    expect(headers.has('Access-Control-Max-Age')).toBe(false)
    const asking = { Origin: 'http://localhost:3000', 'Access-Control-Request-Method': 'DELETE' }
    expect((await ask('OPTIONS', TABLE, { headers: asking })).status).toBe(204)
  })

  it('keeps cookies separate', async () => {
    const { ask } = await startProxy(() => {
      const headers = new Headers({ 'Content-Type': 'text/plain' })
      headers.append('Set-Cookie', 'a=1; Path=/')
      headers.append('Set-Cookie', 'b=2')
      return new Response('', { headers })
    })
    expect((await ask('GET', '/elsewhere')).headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2'])
  })

  it("keeps a journal in the request's session, which the admin API returns", async () => {
    const { ask, proxy } = await startProxiedMock()
    await ask('GET', `/@s1${TABLE}`)
    await ask('GET', '/@s1/acme/resource/sorted-query-parameters?limit=many')
    const [first, second] = await proxy.session('s1').requests()
    expect([first?.operation, first?.response.status, first?.headers.authorization]).toEqual([
      'getResourceById',
      200,
      'Bearer [redacted]',
    ])
    expect(first?.response.body).toContain('"version":3')
    expect(second?.warnings).toEqual([expect.stringMatching(/^Error at request\.query\.limit: Malformed parameter/)])
    expect(await proxy.session('default').requests()).toEqual([])
    expect((await ask('GET', '/__admin/health')).status).toBe(200)
  })
})

describe('an upstream that does not respond', () => {
  it('is 502 if nothing listens there', async () => {
    const { ask } = await startProxy(() => Response.error(), {
      upstream: 'http://127.0.0.1:9',
      client: createHttpClient(),
    })
    const { status, body } = await ask('GET', TABLE)
    expect(status).toBe(502)
    expect(body).toMatchObject({
      errors: [
        {
          code: 'BadGateway',
          message: expect.stringContaining('The upstream http://127.0.0.1:9 is unreachable: '),
        },
      ],
    })
  })

  it('is 502 if the certificate is of a private CA, and names NODE_EXTRA_CA_CERTS', async () => {
    const tls = join(import.meta.dirname, '../../edges/cli/tls')
    const secure = await startServer({
      port: 0,
      tls: { cert: readFileSync(join(tls, 'cert.pem'), 'utf8'), key: readFileSync(join(tls, 'key.pem'), 'utf8') },
    })
    onTestFinished(() => secure.close())
    const { ask } = await startProxy(() => Response.error(), { upstream: secure.url, client: createHttpClient() })
    const { status, text } = await ask('GET', TABLE)
    expect(status).toBe(502)
    expect(text).toContain(`The certificate of the upstream ${secure.url} is not trusted: `)
    expect(text).toContain('NODE_EXTRA_CA_CERTS')
  })

  it('is 502 if the response is cut off', async () => {
    const { ask } = await startProxyOf((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 100 })
      response.write('{"version":')
      setImmediate(() => response.destroy())
    })
    expect((await ask('GET', TABLE)).status).toBe(502)
  })

  it.each([
    ['does not respond', undefined],
    ['stops midway', '{"version":'],
  ])('is 504 if it %s', async (_what, begun) => {
    const { ask } = await startProxyOf(
      (_request, response) => {
        if (begun === undefined) return
        response.writeHead(200, { 'Content-Type': 'application/json' })
        response.write(begun)
      },
      { timeout: 200 },
    )
    const { status, body } = await ask('GET', TABLE)
    expect(status).toBe(504)
    expect(body).toMatchObject({
      errors: [{ code: 'GatewayTimeout', message: expect.stringContaining('did not answer within 200 ms') }],
    })
  })

  it('may take any time over a body once it has started', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const events = new TransformStream<Uint8Array, Uint8Array>()
    const writer = events.writable.getWriter()
    const { proxy } = await startProxy(
      ({ signal }) => {
        signal.addEventListener('abort', () => void writer.abort(signal.reason))
        return new Response(events.readable, { headers: { 'Content-Type': 'text/event-stream' } })
      },
      { timeout: 200 },
    )
    const response = await proxy.fetch(new Request('http://proxy/events'))
    vi.advanceTimersByTime(1000)
    const text = response.text()
    await writer.write(new TextEncoder().encode('data: late'))
    await writer.close()
    expect(await text).toBe('data: late')
  })

  it('still reports the violations of the request', async () => {
    const { ask } = await startProxy(() => Promise.reject(new TypeError('fetch failed')))
    const { status, violations } = await ask('POST', '/acme/resource', { json: { objectTypeProperty: 1 } })
    expect([status, violations]).toEqual([502, ['Error request.body.objectTypeProperty']])
  })

  it('is not called if it is the proxy itself', async () => {
    const { proxy } = await startProxy((request) => proxy.fetch(request))
    const { status, text } = await createAsk(proxy)('GET', TABLE)
    expect([status, text]).toEqual([502, expect.stringContaining('is this proxy itself')])
  })
})

describe('the URL of the upstream', () => {
  it.each([
    ['localhost:3000', 'is not the URL of a service'],
    ['ftp://example.com', 'is not the URL of a service'],
    ['https://user:secret@example.com', 'has a user name or a password'],
    ['https://example.com/?a=1', 'has a query or a fragment'],
  ])('cannot be %s', async (upstream, sentence) => {
    await expect(startProxy(() => Response.error(), { upstream })).rejects.toThrow(sentence)
  })
})
