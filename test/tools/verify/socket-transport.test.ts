import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { createSocketTransport } from '../../../src/edges/node/socket-transport.ts'
import type { TransportRequest } from '../../../src/tools/verify/transport.ts'
import { listen } from '../../support/listen.ts'

async function serve(listener: RequestListener) {
  const server = createServer(listener)
  let connections = 0
  server.on('connection', () => (connections += 1))
  const port = await listen(server)
  const send = createSocketTransport()
  return {
    url: `http://127.0.0.1:${port}/`,
    countConnections: () => connections,
    send: (request: Partial<TransportRequest> = {}) =>
      send({ url: `http://127.0.0.1:${port}/`, method: 'GET', headers: {}, timeout: 60_000, ...request }),
  }
}

const body = new TextEncoder().encode('{"a":"ö"}')

it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('sends the headers and the body of a %s request', async (method) => {
  const { send } = await serve((incoming, outgoing) => {
    outgoing.writeHead(201, { 'X-Own': incoming.headers['x-own'] ?? 'none' })
    incoming.pipe(outgoing)
  })
  const { status, headers, text } = await send({ method, headers: { 'X-Own': 'one two' }, body })
  expect([status, headers.get('X-Own'), text]).toEqual([201, 'one two', '{"a":"ö"}'])
})

it('reuses its connections', async () => {
  const { send, countConnections } = await serve((_, outgoing) => outgoing.end('{}'))
  for (let count = 0; count < 5; count += 1) await send()
  expect(countConnections()).toBeLessThan(3)
})

it('does not follow redirects', async () => {
  const { send } = await serve((_, outgoing) => outgoing.writeHead(308, { Location: '/elsewhere' }).end())
  expect((await send()).status).toBe(308)
})

it('requests an uncompressed body', async () => {
  const { send } = await serve(({ headers }, outgoing) => outgoing.end(headers['accept-encoding']))
  expect((await send()).text).toBe('identity')
})

it.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
])('still reads a body that is compressed with %s', async (encoding, compress) => {
  const { send } = await serve((_, outgoing) =>
    outgoing.writeHead(200, { 'Content-Encoding': encoding }).end(compress(body)),
  )
  expect((await send()).text).toBe('{"a":"ö"}')
})

it('rejects if the body is not compressed as its header says', async () => {
  const { send } = await serve((_, outgoing) => outgoing.writeHead(200, { 'Content-Encoding': 'gzip' }).end(body))
  await expect(send()).rejects.toThrow('incorrect header check')
})

it('rejects with a TimeoutError if the response does not arrive, or does not end, in time', async () => {
  const { send, url } = await serve((incoming, outgoing) => {
    if (incoming.url === '/half') outgoing.write('{')
  })
  await expect(send({ timeout: 1 })).rejects.toMatchObject({ name: 'TimeoutError' })
  await expect(send({ url: `${url}half`, timeout: 1 })).rejects.toMatchObject({ name: 'TimeoutError' })
})

it('rejects if the connection ends before the response does', async () => {
  const { send } = await serve((_, outgoing) => {
    outgoing.writeHead(200, { 'Content-Length': '10' }).write('{', () => outgoing.destroy())
  })
  await expect(send()).rejects.toMatchObject({ code: expect.stringMatching(/^(?:ECONNRESET|UND_ERR_SOCKET)$/) })
})

it('retries a GET, but not a POST, if the service closes an idle connection during reuse', async () => {
  const seen: string[] = []
  const { send, url } = await serve((incoming, outgoing) => {
    const request = `${incoming.method} ${incoming.url}`
    const isFirst = !seen.includes(request)
    seen.push(request)
    if (isFirst && request.endsWith('/closing')) incoming.socket.destroy()
    else outgoing.end('{}')
  })
  const closing = { url: `${url}closing` }
  await send()
  expect((await send(closing)).text).toBe('{}')
  await expect(send({ ...closing, method: 'POST' })).rejects.toMatchObject({
    code: expect.stringMatching(/^(?:ECONNRESET|UND_ERR_SOCKET)$/),
  })
  expect(seen).toEqual(['GET /', 'GET /closing', 'GET /closing', 'POST /closing'])
})

it('throws the problem of a request that it cannot build, and sends nothing', async () => {
  let seen = 0
  const { send } = await serve((_, outgoing) => {
    seen += 1
    outgoing.end()
  })
  expect(() => send({ headers: { 'X-Own': 'a\nb' } })).toThrow('Invalid character in header content')
  expect(seen).toBe(0)
})
