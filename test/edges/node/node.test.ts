import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { get as getSecurely } from 'node:https'
import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ListenError, SetupError, startServer } from '../../../src/node.ts'
import type { RunningServer, ServerOptions } from '../../../src/node.ts'
import { listen } from '../../support/listen.ts'

const HEAD = 'Host: mock\r\nAuthorization: Bearer any\r\n'

async function start(options: ServerOptions = {}): Promise<RunningServer> {
  const server = await startServer({ port: 0, ...options })
  onTestFinished(() => server.close())
  return server
}

async function open({ port }: RunningServer): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

/** Returns everything that a socket receives until the other side closes it. */
async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => undefined)
  await once(socket, 'close')
  return Buffer.concat(chunks).toString()
}

async function exchange(server: RunningServer, text: string): Promise<string> {
  const socket = await open(server)
  socket.write(text)
  return readAll(socket)
}

/** Parses the responses on a connection: status and JSON body of each. */
function parseAnswers(text: string): readonly { readonly status: number; readonly body: unknown }[] {
  return text
    .split(/(?=HTTP\/1\.1 )/)
    .map((answer) => ({ status: Number(answer.slice(9, 12)), body: answer.slice(answer.indexOf('\r\n\r\n') + 4) }))
    .map(({ status, body }) => ({ status, body: body === '' ? undefined : JSON.parse(body) }))
}

const envelope = (statusCode: number) => ({
  statusCode,
  message: expect.stringMatching(/\S/),
  errors: [expect.objectContaining({ code: expect.stringMatching(/\S/), message: expect.stringMatching(/\S/) })],
})

describe('startServer', () => {
  it('serves the mock over a socket', async () => {
    const { url, port } = await start()
    expect(url).toBe(`http://127.0.0.1:${port}`)
    const response = await fetch(`${url}/acme/resource?limit=1`, { headers: { Authorization: 'Bearer any' } })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ limit: 1, count: 1 })
  })

  it('serves the same mock in-process', async () => {
    const { url, mock } = await start({ auth: 'off' })
    const body = JSON.stringify({ key: 'written-in-process', objectTypeProperty: {} })
    await mock.fetch(
      new Request('http://mock/acme/resource', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body,
      }),
    )
    expect((await fetch(`${url}/acme/resource/key=written-in-process`)).status).toBe(200)
  })

  it('does not change the globals of its process', async () => {
    const before = [globalThis.Request, globalThis.Response]
    await start()
    expect([globalThis.Request, globalThis.Response]).toEqual(before)
  })

  it.each([
    ['::1', /^http:\/\/\[::1\]:\d+$/],
    ['::', /^http:\/\/\[::1\]:\d+$/],
    ['0.0.0.0', /^http:\/\/127\.0\.0\.1:\d+$/],
    ['localhost', /^http:\/\/localhost:\d+$/],
  ])('on %s has the URL %s', async (host, pattern) => {
    const { url } = await start({ host, auth: 'off' })
    expect(url).toMatch(pattern)
    expect((await fetch(`${url}/acme/resource`)).status).toBe(200)
  })

  it('serves HTTPS with a certificate', async () => {
    const [cert, key] = await Promise.all([
      readFile(new URL('../cli/tls/cert.pem', import.meta.url), 'utf8'),
      readFile(new URL('../cli/tls/key.pem', import.meta.url), 'utf8'),
    ])
    const { url } = await start({ auth: 'off', tls: { cert, key } })
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
    const [response] = await once(getSecurely(`${url}/acme/resource`, { ca: cert }), 'response')
    response.resume()
    expect(response.statusCode).toBe(200)
  })

  it('reports which port is in use, with the remedy', async () => {
    const port = await listen(createServer())
    const started = startServer({ port })
    await expect(started).rejects.toThrow(ListenError)
    await expect(started).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use.`)
    await expect(started).rejects.toThrow('--port 0 picks a free one')
  })

  it.each<readonly [string, ServerOptions, string]>([
    ['a host that is not an address of this machine', { host: '192.0.2.1' }, 'is not an address of this machine'],
    ['an invalid certificate', { tls: { cert: 'x', key: 'y' } }, 'Cannot read the TLS certificate.'],
    [
      'two options for storing the state',
      { persist: 'x', persistence: { read: async () => undefined, write: async () => undefined } },
      'persist and persistence are mutually exclusive',
    ],
    ['an invalid fixture', { fixtures: { 'resources.json': '{' } }, 'resources.json'],
    ['an invalid port', { port: 70_000 }, 'The option port must be a whole number from 0 to 65535, not 70000.'],
    ['a string instead of a certificate and key', { tls: 'x' as never }, 'The option tls must be an object with'],
    ['a number as a file', { persist: 5 as never }, 'The option persist must be a path, not 5.'],
    [
      'a string as a boolean',
      { lightweightGlobals: 'yes' as never },
      'lightweightGlobals must be true or false, not "yes"',
    ],
  ])('refuses %s', async (_what, options, sentence) => {
    const started = startServer({ port: 0, ...options })
    await expect(started).rejects.toThrow(SetupError)
    await expect(started).rejects.toThrow(sentence)
  })
})

describe('an invalid request gets the error envelope', () => {
  it.each([
    ['garbage', 'GARBAGE\r\n\r\n', 400],
    ['TLS on the plain port', '\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n', 400],
    ['a malformed header', `GET /acme/resource HTTP/1.1\r\nHost: mock\r\nbad header\r\n\r\n`, 400],
    [
      'two Content-Length headers',
      `POST /acme/resource HTTP/1.1\r\n${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`,
      400,
    ],
    [
      'both Content-Length and chunked encoding',
      `POST /acme/resource HTTP/1.1\r\n${HEAD}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
      400,
    ],
    ['headers over 64 KiB', `GET /acme/resource HTTP/1.1\r\n${HEAD}X: ${'x'.repeat(65_536)}\r\n\r\n`, 431],
    ['a request line over 64 KiB', `GET /acme/resource?a=${'x'.repeat(65_536)} HTTP/1.1\r\n${HEAD}\r\n`, 414],
    ['HTTP/1.1 without Host', 'GET /acme/resource HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['an invalid Host', 'GET /acme/resource HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400],
    ['an empty Host', 'GET /acme/resource HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n', 400],
    ['two Host headers', `GET /acme/resource HTTP/1.1\r\nhost: other\r\n${HEAD}Connection: close\r\n\r\n`, 400],
    ['a target that is not a path', `OPTIONS * HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`, 400],
    [
      'a chunk without a size',
      `POST /acme/resource HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`,
      400,
    ],
  ])('%s', async (_what, text, status) => {
    const onFault = vi.fn()
    const server = await start({ onFault })
    const answer = await exchange(server, text)
    expect(parseAnswers(answer)).toEqual([{ status, body: envelope(status) }])
    expect(answer).toMatch(/\r\nContent-Type: application\/json; charset=utf-8\r\n/i)
    expect(answer).toMatch(/\r\nX-Correlation-ID: \S{8,}\r\n/i)
    expect(answer).toMatch(/\r\nX-Content-Type-Options: nosniff\r\n/i)
    expect(onFault).not.toHaveBeenCalled()
  })

  it('an internal error becomes a 500, and its cause is only reported to onFault', async () => {
    const onFault = vi.fn()
    const server = await start({
      onFault,
      onRequest: () => {
        throw new Error('the log is broken')
      },
    })
    const answer = await exchange(server, `GET /acme/resource HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`)
    expect(parseAnswers(answer)).toEqual([{ status: 500, body: envelope(500) }])
    expect(answer).not.toContain('the log is broken')
    expect(onFault).toHaveBeenCalledWith(expect.objectContaining({ message: 'the log is broken' }), expect.any(String))
  })
})

describe('a Host that is not valid in a URL', () => {
  it.each(['mock.1', 'mock.1:4010', '999.1.1.1', '1.2.3.4.5', 'xn--', 'localhost:99999'])(
    'is rejected before the request has any effect: %s',
    async (host) => {
      const onFault = vi.fn()
      const server = await start({ auth: 'off', onFault })
      const { results } = (await (await fetch(`${server.url}/acme/resource?limit=1`)).json()) as {
        readonly results: readonly { readonly id: string }[]
      }
      const path = `/acme/resource/${results[0]?.id}`
      const request = `DELETE ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
      expect(parseAnswers(await exchange(server, request))).toEqual([{ status: 400, body: envelope(400) }])
      expect((await fetch(server.url + path)).status).toBe(200)
      expect(onFault).not.toHaveBeenCalled()
    },
  )
})

describe('HTTP', () => {
  it.each(['../..', '%2e%2e', '%2E.', '.%2e'])(
    'resolves the segment %s as the parent, whatever the Host',
    async (up) => {
      const server = await start({ auth: 'off' })
      const body = '{"objectTypeProperty":{}}'
      for (const host of ['mock', 'MOCK']) {
        const answer = await exchange(
          server,
          `POST /a/b/${up}/${up}/acme/resource HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        )
        expect(answer).toMatch(/^HTTP\/1\.1 201 /)
        expect(answer).toMatch(/\r\nLocation: \/acme\/resource\/[\w-]+\r\n/i)
      }
    },
  )

  it('responds to HTTP/1.0 without Host', async () => {
    const answer = await exchange(await start({ auth: 'off' }), 'GET /acme/resource/namespace-action HTTP/1.0\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('sends 100 Continue to a client that waits for it, then reads the body', async () => {
    const socket = await open(await start())
    const body = '{"objectTypeProperty":{}}'
    socket.write(
      `POST /acme/resource HTTP/1.1\r\n${HEAD}Connection: close\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    const [first] = await once(socket, 'data')
    expect(String(first)).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    socket.write(body)
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 201 /)
  })

  it('refuses a body that is too large without 100 Continue', async () => {
    const answer = await exchange(
      await start({ maxBody: 100 }),
      `POST /acme/resource HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 101\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  })

  it('answers pipelined requests in order', async () => {
    const one = (path: string, more = '') => `GET ${path} HTTP/1.1\r\n${HEAD}${more}\r\n`
    const text =
      one('/acme/resource?limit=1') +
      one('/acme/resource/nothing') +
      one('/acme/resource?limit=2', 'Connection: close\r\n')
    const answers = parseAnswers(await exchange(await start(), text))
    expect(answers).toMatchObject([
      { status: 200, body: { limit: 1 } },
      { status: 404, body: envelope(404) },
      { status: 200, body: { limit: 2 } },
    ])
  })

  it('answers a valid request before garbage pipelined behind it', async () => {
    const answers = parseAnswers(
      await exchange(await start(), `GET /acme/resource?limit=1 HTTP/1.1\r\n${HEAD}\r\nGARBAGE\r\n\r\n`),
    )
    expect(answers).toMatchObject([
      { status: 200, body: { limit: 1 } },
      { status: 400, body: envelope(400) },
    ])
  })

  it('keeps running, and reports no errors, when clients disconnect midway', async () => {
    const onFault = vi.fn()
    const server = await start({ onFault, delay: { from: 30, to: 30 } })
    const texts = [
      `GET /acme/resource HTTP/1.1\r\n${HEAD}\r\n`,
      `POST /acme/resource HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
      `POST /acme/resource HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`,
      `POST /acme/resource HTTP/1.1\r\n${HEAD}Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`,
      'GET /acme/reso',
    ]
    for (const text of texts) {
      const socket = await open(server)
      socket.write(text, () => socket.resetAndDestroy())
      await once(socket, 'close')
    }
    const response = await fetch(`${server.url}/acme/resource`, { headers: { Authorization: 'Bearer any' } })
    expect(response.status).toBe(200)
    expect(onFault).not.toHaveBeenCalled()
  })
})

describe('close', () => {
  it('finishes open requests, and accepts no new ones', async () => {
    const server = await start()
    const socket = await open(server)
    const body = '{"objectTypeProperty":{}}'
    socket.write(
      `POST /acme/resource HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    // 100 Continue means that the request has started.
    await once(socket, 'data')
    const closed = server.close()
    await expect(fetch(`${server.url}/acme/resource`)).rejects.toThrow('fetch failed')
    socket.write(body)
    const answer = await readAll(socket)
    expect(answer).toMatch(/^HTTP\/1\.1 201 /)
    expect(answer).toMatch(/\r\nConnection: close\r\n/)
    await closed
  })

  it('does not wait for idle keep-alive connections', async () => {
    const server = await start({ auth: 'off' })
    const agent = new Agent({ keepAlive: true })
    onTestFinished(() => agent.destroy())
    const [response] = await once(get(`${server.url}/acme/resource`, { agent }), 'response')
    response.resume()
    await once(response, 'end')
    await open(server)
    const halfSent = await open(server)
    halfSent.write('GET /acme/resource HTTP/1.1\r\n')
    await server.close()
  })

  it('can be called again, and returns the same promise', async () => {
    const server = await start()
    await Promise.all([server.close(), server.close()])
    await server.close()
  })
})
