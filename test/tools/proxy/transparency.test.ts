import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startServerOf } from '../../../src/edges/node/server.ts'
import { createHttpClient } from '../../../src/edges/node/http-client.ts'
import { createProxy } from '../../../src/tools/proxy/proxy.ts'
import { openSocket, sendRaw } from '../../support/raw-request.ts'
import { listen } from '../../support/listen.ts'

/** The upstream's behaviour on a connection, once the request head and the bytes sent with it have arrived. */
type Answer = (socket: Socket, request: string) => void

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

/** Starts a proxy on a socket, in front of a server. */
async function startProxyOf(upstream: Server) {
  const upstreamPort = await listen(upstream)
  const onFault = vi.fn()
  const proxy = await startServerOf(
    (options) =>
      createProxy({ ...options, upstream: `http://127.0.0.1:${upstreamPort}/base`, client: createHttpClient() }),
    { port: 0, onFault },
  )
  onTestFinished(() => proxy.close())
  return { port: proxy.port, upstreamPort, onFault }
}

/** Starts a proxy in front of a server that reads raw bytes, both on sockets. */
async function startRelay(answer: Answer | string = OK) {
  const requests: string[] = []
  const sockets = new Set<Socket>()
  const closed: Promise<unknown>[] = []
  const upstream = createServer((socket) => {
    sockets.add(socket)
    closed.push(once(socket, 'close'))
    let text = ''
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (!text.includes('\r\n\r\n')) return
      requests.push(text)
      if (typeof answer === 'string') socket.write(answer, 'latin1')
      else answer(socket, text)
      text = ''
    })
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  return { ...(await startProxyOf(upstream)), requests, closed }
}

const get = (port: number, target: string, headers = '', method = 'GET', body = '') =>
  sendRaw(port, `${method} ${target} HTTP/1.1\r\nHost: proxy\r\n${headers}Connection: close\r\n\r\n${body}`)

/** The head of a response without the headers that the proxy adds. */
const headOf = (answer: string) => answer.slice(0, answer.indexOf('\r\n\r\n')).split('\r\n')

describe('a request through the proxy', () => {
  it('gets only Via and a correlation id added, and keeps the order, case and number of its headers', async () => {
    const { port, upstreamPort, requests } = await startRelay()
    await get(port, '/a', 'X-ONE: 1\r\nx-two: a\r\nX-One: 2\r\naccept-ENCODING: br;q=1, zstd\r\n')
    expect(headOf(requests[0] ?? '')).toEqual([
      'GET /base/a HTTP/1.1',
      `host: 127.0.0.1:${upstreamPort}`,
      'connection: keep-alive',
      'X-ONE: 1',
      'x-two: a',
      'X-One: 2',
      'accept-ENCODING: br;q=1, zstd',
      expect.stringMatching(/^X-Correlation-ID: \S+$/),
      expect.stringMatching(/^Via: 1\.1 resource-mock-\w+$/),
    ])
  })

  it.each([
    ['//a', '/base//a'],
    ['/a/../b', '/base/a/../b'],
    ['/a/./b', '/base/a/./b'],
    ['/%2e%2E/%61', '/base/%2e%2E/%61'],
    ['/a?', '/base/a?'],
    ['/a?b=c%20d&e=\'"|', '/base/a?b=c%20d&e=\'"|'],
    ['/@s1/a/../b?', '/base/a/../b?'],
    ['http://proxy/a//b', '/base/a//b'],
    ['/100%/%zz?a=%', '/base/100%/%zz?a=%'],
  ])('of %s goes to %s', async (target, sent) => {
    const { port, requests } = await startRelay()
    expect(await get(port, target)).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(headOf(requests[0] ?? '')[0]).toBe(`GET ${sent} HTTP/1.1`)
  })

  it('has no mock-only headers or parameters', async () => {
    const { port, requests } = await startRelay()
    const cookies = 'Cookie: a=1; mock-session=s1; b=2; mock-admin-token=secret\r\n'
    await get(port, '/a', `${cookies}X-Mock-Scenario: conflict\r\nx-mock-session: s2\r\nX-Mocking: 1\r\n`)
    await get(port, '/a', 'Cookie: mock-session=s1\r\n')
    expect(requests[0]).toContain('\r\nCookie: a=1; b=2\r\n')
    expect(requests.join('')).not.toMatch(/x-mock-|mock-session|secret/i)
    expect(requests[0]).toContain('X-Mocking: 1')
    expect(requests[1]).not.toMatch(/^cookie/im)
  })

  it.each(['GET', 'DELETE', 'POST'])('of %s includes its body', async (method) => {
    const { port, requests } = await startRelay()
    await get(port, '/a', 'Content-Length: 3\r\n', method, 'abc')
    expect(requests.join('')).toMatch(/\r\n\r\n(?:.*\r\n\r\n)?abc$/s)
  })

  it('with Expect: 100-continue gets its 100 from the proxy, which then sends the whole request', async () => {
    const { port, requests } = await startRelay()
    const client = await openSocket(port)
    client.write(
      'POST /a HTTP/1.1\r\nHost: proxy\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 6\r\n\r\n',
    )
    const [first] = await once(client, 'data')
    expect(String(first)).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    client.write('[]\r\n\r\n')
    expect(await text(client)).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(requests.join('')).toMatch(/^POST \/base\/a [^]*\r\n\r\n\[\]\r\n\r\n$/)
    expect(requests.join('')).not.toMatch(/^expect/im)
  })

  it('names its protocol in Via', async () => {
    const { port, requests } = await startRelay()
    expect(await sendRaw(port, 'GET /a HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(requests[0]).toMatch(/\r\nVia: 1\.0 resource-mock-\w+\r\n/)
  })

  it('does not announce missing trailers', async () => {
    const { port, requests } = await startRelay()
    await get(port, '/a', 'Transfer-Encoding: chunked\r\nTrailer: X-Sum\r\n', 'POST', '3\r\nabc\r\n0\r\n\r\n')
    expect(requests[0]).not.toMatch(/trailer/i)
    expect(requests.join('')).toMatch(/\r\ncontent-length: 3\r\n[^]*abc$/i)
  })

  it('keeps its correlation id, even one that the mock would refuse', async () => {
    const { port, requests } = await startRelay()
    await get(port, '/a', 'x-correlation-id: a b\r\n')
    expect(requests[0]?.match(/^x-correlation-id: .*$/gim)).toEqual(['x-correlation-id: a b'])
  })
})

describe('a response through the proxy', () => {
  it('keeps its reason phrase, and the order, case and number of its headers', async () => {
    const { port } = await startRelay(
      'HTTP/1.1 299 So it is\r\nX-TWO: caf\xc3\xa9\r\nDate: Sat, 31 Jan 2026 12:00:00 GMT\r\nset-cookie: a=1\r\nx-Two: c\r\nSet-Cookie: b=2\r\nAlt-Svc: h3=":443"\r\nContent-Length: 2\r\n\r\nok',
    )
    expect(headOf(await get(port, '/a'))).toEqual([
      'HTTP/1.1 299 So it is',
      'X-TWO: café',
      'Date: Sat, 31 Jan 2026 12:00:00 GMT',
      'set-cookie: a=1',
      'x-Two: c',
      'Set-Cookie: b=2',
      'Alt-Svc: h3=":443"',
      'Content-Length: 2',
      expect.stringMatching(/^X-Correlation-ID: /),
      expect.stringMatching(/^Sl-Violations: /),
      'Connection: close',
    ])
  })

  it.each(['/a', '//a', '/acme/resource'])('to %s gets no media type if it had none', async (target) => {
    const { port } = await startRelay()
    const answer = await get(port, target)
    expect(answer).toMatch(/\r\n\r\nok$/)
    expect(answer).not.toMatch(/^content-type/im)
  })

  it.each([
    ['HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 20\r\nContent-Type: application/json\r\n\r\n', '200 OK', '20'],
    ['GET', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 20\r\nETag: "1"\r\n\r\n', '304 Not Modified', '20'],
    ['GET', 'HTTP/1.1 204 No Content\r\nETag: "1"\r\n\r\n', '204 No Content', undefined],
  ])('to %s has no body if it had none: %j', async (method, raw, status, length) => {
    const { port } = await startRelay(raw)
    const answer = await get(port, '/acme/resource', '', method)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status}\r\n`))
    expect(answer).toMatch(/\r\n\r\n$/)
    expect(/^content-length: (.*)\r$/im.exec(answer)?.[1]).toBe(length)
  })

  it('includes its trailers, and earlier informational responses', async () => {
    const { port } = await startRelay(
      'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 1\r\n\r\n',
    )
    const answer = await get(port, '/a')
    expect(answer).toMatch(/^HTTP\/1\.1 103 Early Hints\r\nlink: <\/a\.css>; rel=preload\r\n\r\nHTTP\/1\.1 200 OK\r\n/i)
    expect(answer).toMatch(/\r\n2\r\nok\r\n0\r\nX-Sum: 1\r\n\r\n$/i)
  })

  it('ends only its own connection if Node refuses to send its status line', async () => {
    const rejected: unknown[] = []
    const note = (cause: unknown) => void rejected.push(cause)
    process.on('unhandledRejection', note)
    onTestFinished(() => void process.off('unhandledRejection', note))
    const { port } = await startRelay('HTTP/1.1 200 O\u0001K\r\nContent-Length: 2\r\n\r\nok')
    expect(await get(port, '/a')).not.toContain('\u0001')
    expect(rejected).toEqual([])
  })

  it.each([
    ['102 Processing', 'X-One: 1\r\nx-one: 2\r\n'],
    ['103 Early Hints', 'Link: </a.css>; rel=preload\r\nX-Hint: odd\r\n'],
    ['104', 'Upload-Offset: 5\r\n'],
  ])('after %j is relayed', async (status, headers) => {
    const { port } = await startRelay(`HTTP/1.1 ${status}\r\n${headers}\r\n${OK}`)
    const answer = await get(port, '/a')
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} ?\r\n`))
    expect(answer).toContain(`\r\n${headers}\r\nHTTP/1.1 200 OK\r\n`)
    expect(answer).toMatch(/\r\n\r\nok$/)
  })

  it('to an HTTP/1.0 client has no informational responses before it', async () => {
    const { port } = await startRelay(`HTTP/1.1 102 Processing\r\n\r\n${OK}`)
    expect(await sendRaw(port, 'GET /a HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  })

  it('sends informational responses in turn, behind the response to an earlier request', async () => {
    const waiting: Socket[] = []
    const { port } = await startRelay((socket, text) => {
      if (text.startsWith('GET /base/first')) waiting.push(socket)
      else {
        socket.write(`HTTP/1.1 102 Processing\r\n\r\n${OK}`)
        waiting[0]?.write('HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n')
      }
    })
    const second = 'GET /second HTTP/1.1\r\nHost: proxy\r\nConnection: close\r\n\r\n'
    const answers = await sendRaw(port, `GET /first HTTP/1.1\r\nHost: proxy\r\n\r\n${second}`)
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 102', 'HTTP/1.1 200'])
  })

  it.each([
    ['GET', 'HTTP/1.1', 'Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 1\r\n\r\n', true],
    ['GET', 'HTTP/1.0', 'Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 1\r\n\r\n', false],
    ['GET', 'HTTP/1.1', 'Content-Length: 2\r\n\r\nok', false],
    ['HEAD', 'HTTP/1.1', 'Transfer-Encoding: chunked\r\n\r\n', false],
  ])('to %s by %s announces trailers only if they can follow', async (method, version, rest, isAnnounced) => {
    const { port } = await startRelay(`HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\n${rest}`)
    const answer = await sendRaw(port, `${method} /a ${version}\r\nHost: proxy\r\nConnection: close\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(answer.includes('Trailer: X-Sum')).toBe(isAnnounced)
    if (method === 'GET') expect(answer).toContain('ok')
  })

  it.each([
    [
      'another protocol without an upgrade request',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
    ],
  ])('is 502 for %s', async (_what, raw) => {
    const { port } = await startRelay(raw)
    expect(await get(port, '/a')).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n/)
  })

  it("is cut off with the upstream's, and logs no error", async () => {
    const { port, onFault } = await startRelay((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbegun')
      setImmediate(() => socket.resetAndDestroy())
    })
    const told = vi.spyOn(console, 'error')
    const answer = await get(port, '/a')
    expect(answer).toMatch(/^HTTP\/1\.1 (?:200|502) /)
    expect(answer).not.toMatch(/\r\n0\r\n/)
    expect(onFault).not.toHaveBeenCalled()
    expect(told).not.toHaveBeenCalled()
  })

  it('is aborted once the client has disconnected', async () => {
    const { port, closed } = await startRelay((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbegun')
    })
    const client = await openSocket(port)
    client.write('GET /a HTTP/1.1\r\nHost: proxy\r\n\r\n')
    await once(client, 'data')
    client.destroy()
    await closed[0]
  })
})
