import { createServer, request as send } from 'node:http'
import { connect, createServer as createTcpServer } from 'node:net'
import { readFile } from 'node:fs/promises'
import { createServer as createSecureServer } from 'node:https'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { connectMock } from '../../../src/index.ts'
import { startProxy, startProxyOf } from './proxying.ts'
import { startServerOf } from '../../../src/edges/node/server.ts'
import { createProxy } from '../../../src/tools/proxy/proxy.ts'
import { sendRaw } from '../../support/raw-request.ts'
import { createHttpClient } from '../../../src/edges/node/http-client.ts'
import { listen } from '../../support/listen.ts'

/** Starts a forward proxy as companies have, for the absolute form and for tunnels, and lists what it was asked for. */
async function startForwardProxy() {
  const asked: string[] = []
  const server = createServer((incoming, outgoing) => {
    asked.push(`${incoming.method} ${incoming.url}`)
    const { method = 'GET', headers } = incoming
    const onward = send(incoming.url ?? '', { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.writeHead(502).end())
    incoming.pipe(onward)
  })
  server.on('connect', (incoming, client) => {
    asked.push(`CONNECT ${incoming.url}`)
    const { hostname, port } = new URL(`http://${incoming.url}`)
    const onward = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      client.pipe(onward).pipe(client)
    })
    onward.on('error', () => client.destroy())
    client.on('error', () => onward.destroy())
    onTestFinished(() => void onward.destroy())
  })
  return { port: await listen(server), asked }
}

beforeEach(() => {
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY']) {
    vi.stubEnv(name.toLowerCase(), undefined)
    vi.stubEnv(name, undefined)
  }
  return () => vi.unstubAllEnvs()
})

describe('a proxy that the environment names', () => {
  it('gets requests for http: in the absolute form', async () => {
    const { port, asked } = await startForwardProxy()
    vi.stubEnv('HTTP_PROXY', `http://127.0.0.1:${port}`)
    const { ask, url } = await startProxyOf((_incoming, outgoing) => outgoing.end('served'))
    expect(await ask('GET', '/acme/x?a=1')).toMatchObject({ status: 200, text: 'served' })
    expect(asked).toEqual([`GET ${url}/acme/x?a=1`])
  })

  it('gets all headers of a name, and its responses keep their reason phrase, bodies and headers', async () => {
    const seen: string[] = []
    const forwardProxy = createTcpServer((socket) =>
      socket.on('data', (chunk) => {
        seen.push(...chunk.toString().split('\r\n'))
        socket.end('HTTP/1.1 202 Accepted\r\nX-TWO: b\r\nx-Two: c\r\nContent-Length: 2\r\n\r\nok')
      }),
    )
    vi.stubEnv('HTTP_PROXY', `http://127.0.0.1:${await listen(forwardProxy)}`)
    const client = createHttpClient()
    const server = await startServerOf((options) => createProxy({ ...options, upstream: 'http://api.test', client }), {
      port: 0,
    })
    onTestFinished(() => server.close())
    const answer = await sendRaw(
      server.port,
      'GET /acme/x HTTP/1.1\r\nHost: proxy\r\nX-One: 1\r\nX-Two: a\r\nX-One: 2\r\nConnection: close\r\n\r\n',
    )
    expect(seen.filter((line) => /^x-(?:one|two):/i.test(line))).toEqual(['X-One: 1', 'X-One: 2', 'X-Two: a'])
    expect(answer).toMatch(/^HTTP\/1\.1 202 Accepted\r\nX-TWO: b\r\nx-Two: c\r\n[^]*\r\n\r\nok$/)
  })

  it('gets a tunnel for https:, whose certificate is still checked', async () => {
    const { port, asked } = await startForwardProxy()
    vi.stubEnv('HTTPS_PROXY', `http://127.0.0.1:${port}`)
    const [cert, key] = await Promise.all(
      ['cert', 'key'].map((name) => readFile(new URL(`../../edges/cli/tls/${name}.pem`, import.meta.url), 'utf8')),
    )
    const service = await listen(createSecureServer({ cert, key }))
    const upstream = `https://127.0.0.1:${service}`
    const { ask } = await startProxy(() => Response.error(), { upstream, client: createHttpClient() })
    expect(await ask('GET', '/acme/x')).toMatchObject({
      status: 502,
      text: expect.stringContaining(`over the proxy http://127.0.0.1:${port} of HTTPS_PROXY is not trusted`),
    })
    expect(asked).toEqual([`CONNECT 127.0.0.1:${service}`])
  })

  it.each(['*', '127.0.0.1', 'other.example, 127.0.0.1'])('gets no requests to hosts of NO_PROXY: %s', async (list) => {
    const { port, asked } = await startForwardProxy()
    vi.stubEnv('HTTP_PROXY', `http://127.0.0.1:${port}`)
    vi.stubEnv('NO_PROXY', list)
    const { ask } = await startProxyOf((_incoming, outgoing) => outgoing.end('served'))
    expect((await ask('GET', '/acme/x')).text).toBe('served')
    expect(asked).toEqual([])
  })

  it('is named by a 502 without its password', async () => {
    vi.stubEnv('HTTP_PROXY', 'http://me:secret@127.0.0.1:1')
    const { ask, url } = await startProxyOf((_incoming, outgoing) => outgoing.end('served'))
    const { status, text } = await ask('GET', '/acme/x')
    expect(status).toBe(502)
    expect(text).toContain(
      `The request to the upstream ${url} over the proxy http://127.0.0.1:1 of HTTP_PROXY failed: `,
    )
    expect(text).not.toContain('secret')
  })
})

describe('connectMock that fails', () => {
  it('names a proxy that applies to its address', async () => {
    vi.stubEnv('HTTP_PROXY', 'http://me:secret@proxy.example:8080')
    await expect(connectMock('http://127.0.0.1:1').session('one').reset()).rejects.toThrow(
      / HTTP_PROXY sends requests to 127\.0\.0\.1 over the proxy http:\/\/proxy\.example:8080\. Add 127\.0\.0\.1 to NO_PROXY\.$/,
    )
  })

  it('does not name a proxy that NO_PROXY excludes', async () => {
    vi.stubEnv('HTTP_PROXY', 'http://proxy.example:8080')
    vi.stubEnv('NO_PROXY', '127.0.0.1:1')
    await expect(connectMock('http://127.0.0.1:1').session('one').reset()).rejects.toThrow(/running one\.$/)
  })
})
