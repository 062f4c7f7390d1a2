import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../../src/node.ts'
import type { RunningServer, ServerOptions } from '../../../src/node.ts'
import { start as startCommand } from '../../edges/cli/command.ts'
import { listen } from '../../support/listen.ts'

/** The requests that the other service received. */
interface Got {
  readonly line: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

const PRODUCTS = { results: ['apron', 'bowl'] }
const HEADERS = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip', 'X-Shop': 'odd' }

/** Starts another service, which has products and records its requests. */
async function startOther(): Promise<{ readonly url: string; readonly got: readonly Got[] }> {
  const got: Got[] = []
  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    got.push({ line: `${incoming.method} ${incoming.url}`, headers: incoming.headers, body: await text(incoming) })
    if (incoming.url?.startsWith('/api/products') !== true) outgoing.writeHead(404).end('No such page')
    else if (incoming.method === 'POST') outgoing.writeHead(201, { Location: `${url}/products/1` }).end()
    else outgoing.writeHead(200, HEADERS).end(gzipSync(JSON.stringify(PRODUCTS)))
  }
  const port = await listen(createServer((incoming, outgoing) => void serve(incoming, outgoing)))
  const url = `http://127.0.0.1:${port}/api`
  return { url, got }
}

async function start(options: ServerOptions): Promise<RunningServer> {
  const server = await startServer({ port: 0, auth: 'off', ...options })
  onTestFinished(() => server.close())
  return server
}

async function startBoth(options: ServerOptions = {}) {
  const other = await startOther()
  const server = await start({ passthrough: other.url, ...options })
  return { ...other, server }
}

const rule = (effect: object, match: object = { path: '/products/**' }) =>
  JSON.stringify({ description: 'Products fail', rules: [{ match, effect }] })

describe('a request that matches no endpoint', () => {
  it.each(['request', 'response'])('is passed on as it comes if its %s has more than 1 MB', async (side) => {
    const part = `"${'a'.repeat(2 ** 20)}`
    let arrive = (): void => undefined
    const arrived = new Promise<void>((resolve) => (arrive = resolve))
    const other = createServer((incoming, outgoing) => {
      if (side === 'response') {
        outgoing.writeHead(200, { 'Content-Type': 'application/json' }).write(part)
        void arrived.then(() => outgoing.end('"'))
      } else incoming.once('data', arrive).once('end', () => outgoing.end('{}'))
    })
    const server = await start({ passthrough: `http://127.0.0.1:${await listen(other)}` })
    const sent = request(`${server.url}/products`, { method: 'POST', headers: { 'Content-Type': 'application/json' } })
    sent.write(side === 'request' ? part : '"')
    if (side === 'request') await arrived
    sent.end('"')
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.once('data', arrive)
    expect(JSON.parse(await text(response))).toEqual(side === 'request' ? {} : part.slice(1))
  })

  it('is relayed to the other service unchanged, and so is its response', async () => {
    const { server, url, got } = await startBoth()
    const response = await fetch(`${server.url}/products?sort=a%20b`, {
      headers: { Cookie: 'cart=1; mock-session=s1' },
    })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual(PRODUCTS)
    expect(response.headers.get('X-Shop')).toBe('odd')
    expect(response.headers.has('Sl-Violations')).toBe(false)
    expect(got[0]?.line).toBe('GET /api/products?sort=a%20b')
    expect(got[0]?.headers.cookie).toBe('cart=1')
    expect(got[0]?.headers.host).toBe(new URL(url).host)
  })

  it('is explained as a mistake only if its path is nearly an endpoint', async () => {
    const { server } = await startBoth()
    const explain = async (path: string): Promise<unknown> => {
      await (await fetch(server.url + path)).text()
      const listed = await fetch(`${server.url}/__admin/requests?limit=1`)
      const { requests } = (await listed.json()) as { requests: readonly { id: string }[] }
      return (await fetch(`${server.url}/__admin/requests/${requests[0]?.id}/explanation`)).json()
    }
    expect(await explain('/acme/resouce')).toMatchObject({
      cause: { kind: 'passed-through' },
      sentence:
        'GET /acme/resouce was passed through because it matches no operation. It is nearly GET /{projectKey}/resource (queryResources).',
      nearMisses: [{ operation: 'queryResources' }],
    })
    expect(await explain('/products')).toEqual({
      cause: { scenarios: [], warnings: [] },
      contract: expect.objectContaining({ kind: 'none' }),
      decisions: [],
    })
  })

  it('includes its body, and a Location is rewritten to the mock', async () => {
    const { server, got } = await startBoth()
    const response = await fetch(`${server.url}/@worker-1/products`, { method: 'POST', body: '{"name":"apron"}' })
    expect(response.status).toBe(201)
    expect(response.headers.get('Location')).toBe('/@worker-1/products/1')
    expect(got).toMatchObject([{ line: 'POST /api/products', body: '{"name":"apron"}' }])
  })

  it("is in its session's journal as passed through, not as unmatched", async () => {
    const { server } = await startBoth()
    await fetch(`${server.url}/@worker-1/products`)
    await fetch(`${server.url}/@worker-1/pages/1`)
    const requests = await server.mock.session('worker-1').requests({ method: 'GET' })
    expect(requests.map(({ url, isPassedThrough, response }) => [url, isPassedThrough, response.status])).toEqual([
      ['/@worker-1/products', true, 200],
      ['/@worker-1/pages/1', true, 404],
    ])
    expect(JSON.parse(requests[0]?.response.body ?? '')).toEqual(PRODUCTS)
    const unmatched = await fetch(`${server.url}/@worker-1/__admin/requests/unmatched`)
    expect(await unmatched.json()).toMatchObject({ requests: [] })
  })

  it.each([
    ['gzip', gzipSync, '{"user":"jo","password":"[redacted]"}'],
    ['deflate', deflateSync, '{"user":"jo","password":"[redacted]"}'],
    ['br', brotliCompressSync, '{"user":"jo","password":"[redacted]"}'],
    ['unknown', (body: string) => Buffer.from(body), ''],
  ])('is in the journal without its secrets if its encoding is %s', async (encoding, compress, shown) => {
    const { server } = await startBoth()
    await fetch(`${server.url}/pages/1`, {
      method: 'POST',
      headers: { 'Content-Encoding': encoding },
      body: new Uint8Array(compress('{"user":"jo","password":"s3cret"}')),
    })
    const [entry] = await server.mock.session('default').requests()
    expect(entry?.body).toBe(shown)
  })

  it('is 404 without --passthrough', async () => {
    const server = await start({})
    expect((await fetch(`${server.url}/products`)).status).toBe(404)
  })

  it('is 502 if the other service does not respond', async () => {
    const gone = await start({})
    await gone.close()
    const server = await start({ passthrough: gone.url })
    const response = await fetch(`${server.url}/products`)
    expect(response.status).toBe(502)
    expect(await response.text()).toContain(gone.url)
  })

  it('is 502 if it loops back to the mock', async () => {
    const { port, close } = await start({})
    await close()
    const server = await start({ port, passthrough: `http://127.0.0.1:${port}` })
    const response = await fetch(`${server.url}/products`)
    expect(response.status).toBe(502)
    expect(await response.text()).toContain('is this proxy itself')
  })
})

describe('a request for the mock', () => {
  it.each([
    ['GET', '/acme/resource', 200],
    ['DELETE', '/acme/resource', 405],
    ['GET', '/acme/resource/no-such-one', 404],
    ['GET', '/__admin/health', 200],
    ['GET', '/__admin/no-such-page', 404],
    ['POST', '/oauth/token', 401],
    ['GET', '/%ZZ', 400],
  ])('%s %s stays with the mock', async (method, path, status) => {
    const { server, got } = await startBoth()
    expect((await fetch(server.url + path, { method })).status).toBe(status)
    expect(got).toEqual([])
  })

  it('such as the preflight of a page on another origin stays with the mock', async () => {
    const { server, got } = await startBoth()
    const headers = { Origin: 'http://shop.example', 'Access-Control-Request-Method': 'POST' }
    const preflight = await fetch(`${server.url}/products`, { method: 'OPTIONS', headers })
    expect(preflight.status).toBe(204)
    const response = await fetch(`${server.url}/products`, { headers: { Origin: 'http://shop.example' } })
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('http://shop.example')
    expect(got).toHaveLength(1)
  })
})

describe('a scenario for a path that is passed through', () => {
  it('responds in place of the other service', async () => {
    const scenarios = { 'outage.json': rule({ answer: { status: 503 } }) }
    const { server, got } = await startBoth({ scenarios, scenario: 'outage' })
    const response = await fetch(`${server.url}/products/1`)
    expect(response.status).toBe(503)
    expect(response.headers.get('X-Mock-Scenario')).toBe('outage')
    expect(got).toEqual([])
    expect((await fetch(`${server.url}/acme/resource`)).status).toBe(200)
  })

  it('breaks the connection', async () => {
    const scenarios = { 'reset.json': rule({ fault: 'CONNECTION_RESET_BY_PEER' }) }
    const { server } = await startBoth({ scenarios, scenario: 'reset' })
    await expect(fetch(`${server.url}/products`)).rejects.toThrow()
  })

  it('truncates the response of the other service', async () => {
    const scenarios = { 'cut.json': rule({ fault: 'TRUNCATED_BODY' }) }
    const { server, got } = await startBoth({ scenarios, scenario: 'cut' })
    const response = await fetch(`${server.url}/products`)
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
    expect(got).toHaveLength(1)
  })

  it('delays and limits it, and relays it', async () => {
    const rules = [
      { match: { path: '/products' }, effect: { delay: { fixedDelayMilliseconds: 1 } } },
      { match: { path: '/products' }, effect: { rateLimit: { requests: 1, perSeconds: 1000 } } },
    ]
    const scenarios = { 'busy.json': JSON.stringify({ description: 'Busy', rules }) }
    const { server, got } = await startBoth({ scenarios, scenario: 'busy' })
    const response = await fetch(`${server.url}/products`)
    expect(response.status).toBe(200)
    expect(response.headers.get('X-Mock-Scenario')).toBe('busy')
    expect(response.headers.get('RateLimit-Remaining')).toBe('0')
    expect((await fetch(`${server.url}/products`)).status).toBe(429)
    expect(got).toHaveLength(1)
  })

  it('counts and compares bodies like any other', async () => {
    const match = { method: 'POST', path: '/products', body: { name: 'apron' } }
    const { server, got } = await startBoth()
    await server.mock.session('default').use({
      name: 'once',
      description: 'Once',
      rules: [{ match: { ...match, method: 'POST' }, times: 1, effect: { answer: { status: 500 } } }],
    })
    const post = async (name: string) =>
      (await fetch(`${server.url}/products`, { method: 'POST', body: JSON.stringify({ name }) })).status
    expect([await post('bowl'), await post('apron'), await post('apron')]).toEqual([201, 500, 201])
    expect(got.map(({ body }) => JSON.parse(body) as unknown)).toEqual([{ name: 'bowl' }, { name: 'apron' }])
  })

  it('must name a path: others apply to endpoints', async () => {
    const { server } = await startBoth({ scenario: 'offline' })
    expect((await fetch(`${server.url}/products`)).status).toBe(200)
  })

  it('is refused with advice without --passthrough', async () => {
    const scenarios = { 'outage.json': rule({ answer: { status: 503 } }, { path: '/products' }) }
    await expect(start({ scenarios })).rejects.toThrow(
      'rules[0].match.path: an endpoint path expected, such as /acme/resource/*, without session and base URL. Found "/products". To match paths of another service, start the mock with --passthrough <url>.',
    )
  })

  it.each([
    ['an effect on resources', { advanceVersion: 1 }, { path: '/products' }],
    ['an operation', { answer: { status: 503 } }, { path: '/products', operation: 'updateResource' }],
    ['a project', { answer: { status: 503 } }, { path: '/products', project: 'acme' }],
  ])('is refused with %s', async (_what, effect, match) => {
    const scenarios = { 'wrong.json': rule(effect, match) }
    await expect(startBoth({ scenarios })).rejects.toThrow(
      'must not have an operation or a project, and must have one of these effects',
    )
  })

  it.each(['/__admin/state', '/@worker-1/products', 'products', '/oauth/token'])('is refused for %s', async (path) => {
    const scenarios = { 'wrong.json': rule({ answer: { status: 503 } }, { path }) }
    await expect(startBoth({ scenarios })).rejects.toThrow(`Found ${JSON.stringify(path)}.`)
  })
})

it('the command relays what matches no endpoint, and prints the target', async () => {
  const { url } = await startOther()
  const mock = startCommand(['--port', '0', '--log', 'json', '--passthrough', url])
  const response = await fetch(`${await mock.ready}/products`)
  expect(await response.json()).toEqual(PRODUCTS)
  expect((await mock.notes()()).message).toContain(`Other paths are forwarded to ${url}`)
})

it("the command refuses a URL that is not a service's", async () => {
  const mock = startCommand(['--port', '0', '--passthrough', 'products'])
  expect(await mock.ended).toBe(2)
  expect(mock.output.stderr).toContain('--passthrough')
})
