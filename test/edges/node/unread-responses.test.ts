import { once } from 'node:events'
import { createServer, request as sendRequest } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createMock } from '../../../src/mock.ts'
import { startServer } from '../../../src/node.ts'
import { openSocket } from '../../support/raw-request.ts'
import { PATIENCE } from '../../support/patience.ts'
import { createMeteredListener, listen } from './metered-listener.ts'

const MEGABYTE = 1024 * 1024
const LIST = '/acme/resource?limit=500&secret=s3cret'
/** Far more than the system buffers for an unread response. */
const LENGTH = 24 * MEGABYTE

/** A mock with a list of 24 MB behind its own server, whose clock moves only on request. */
async function start(mostBytes: number) {
  const mock = await createMock({ auth: 'off', maxBody: '10mb', onNotice: () => undefined })
  const body = JSON.stringify({ objectTypeProperty: { arrayOfStringExample: ['x'.repeat(LENGTH / 3)] } })
  const headers = { 'Content-Type': 'application/json' }
  for (let at = 0; at < 3; at += 1) {
    expect((await mock.fetch('/acme/resource', { method: 'POST', headers, body })).status).toBe(201)
  }
  const { listener, ...metered } = createMeteredListener(mock, mostBytes)
  const { unread } = metered
  const server = createServer(listener)
  const port = await listen(server)
  onTestFinished(async () => {
    server.closeAllConnections()
    await mock.close()
  })

  /** Waits until the system's buffers are full. */
  async function settle(): Promise<void> {
    for (let taken = 1; taken > 0;) {
      const before = unread.bytes
      for (let turn = 0; turn < 20; turn += 1) await setImmediate()
      taken = before - unread.bytes
    }
    unread.check()
  }

  /** Sends a request, reads nothing of its response, and waits until more than the given number of bytes are queued. */
  async function sendUnread(path: string, waiting = LENGTH / 2) {
    const before = unread.bytes
    const socket = await openSocket(port)
    socket.pause()
    socket.on('error', () => undefined)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    if (waiting > 0) await vi.waitFor(() => expect(unread.bytes).toBeGreaterThan(before + waiting), PATIENCE)
    await settle()
    return socket
  }

  /** Sends a request, and resolves to its unread response. */
  const send = (path: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      sendRequest({ port, host: '127.0.0.1', path, agent: false }, resolve).on('error', reject).end()
    })

  return { mock, port, send, sendUnread, ...metered }
}

it('the slowest clients are disconnected if too much unread data is queued, with a line in the log', async () => {
  const { unread, notices, send, sendUnread, advance } = await start(LENGTH)
  const slowest = await sendUnread(LIST)
  advance(1000)
  const other = await sendUnread(LIST)
  unread.check()
  expect(notices).toEqual([])
  advance(2500)
  const closed = once(slowest, 'close')
  unread.check()
  expect(notices).toEqual([
    expect.stringMatching(
      /^Disconnected a slow client: \d+ MB of responses were unread\. The slowest client had read nothing for 4 s: GET \/acme\/resource from 127\.0\.0\.1\.$/,
    ),
  ])
  expect(unread.bytes).toBeLessThan(LENGTH)
  slowest.resume()
  await closed
  other.destroy()
  const response = await send(LIST)
  expect((await buffer(response)).length).toBe(Number(response.headers['content-length']))
  expect(notices).toHaveLength(1)
  await vi.waitFor(() => expect(unread.bytes).toBe(0), PATIENCE)
})

it('twice as much may be queued for clients that keep reading', async () => {
  const { unread, notices, sendUnread } = await start(LENGTH / 2)
  await sendUnread(LIST)
  unread.check()
  expect(notices).toEqual([])
  await sendUnread(LIST, 0)
  await vi.waitFor(() => expect(notices).toHaveLength(1), PATIENCE)
  expect(unread.bytes).toBeLessThanOrEqual(LENGTH)
})

it('a client may read a response of any size while nothing else is queued', async () => {
  const { notices, send } = await start(MEGABYTE)
  const response = await send(LIST)
  expect((await buffer(response)).length).toBeGreaterThan(LENGTH)
  expect(notices).toEqual([])
})

it('a client that reads slowly but steadily is not disconnected, and one that has stopped is', async () => {
  const { unread, notices, send, sendUnread, advance } = await start(1000 * MEGABYTE)
  const stopped = await sendUnread(LIST)
  const closed = once(stopped, 'close')
  const response = await send(LIST)
  let length = 0
  while (notices.length === 0) {
    const before = unread.bytes
    // The system reports room for more only after some of it was read.
    while (unread.bytes === before) {
      length += ((response.read() as Buffer | null) ?? '').length
      await setImmediate()
    }
    advance(100_000)
    unread.check()
  }
  expect(notices).toEqual([expect.stringMatching(/^Disconnected a slow client: /)])
  stopped.resume()
  await closed
  length += (await buffer(response)).length
  expect(length).toBe(Number(response.headers['content-length']))
})

it('unread event streams are disconnected, and the others continue', async () => {
  const { mock, unread, notices, send, sendUnread, advance } = await start(MEGABYTE)
  for (let at = 0; at < 4; at += 1) await sendUnread('/__admin/events', 0)
  const read = await send('/__admin/events')
  let requests = 0
  read.on('data', (chunk: Buffer) => (requests += chunk.toString('latin1').split('event: request\n').length - 1))
  const body = JSON.stringify('x'.repeat(60_000))
  const headers = { 'Content-Type': 'application/json' }
  let sent = 0
  while (unread.bytes < MEGABYTE) {
    await mock.fetch('/acme/resource/namespace-action', { method: 'POST', headers, body })
    sent += 1
    // A request in the same process gives sockets no turn.
    await setImmediate()
  }
  await vi.waitFor(() => expect(requests).toBe(sent), PATIENCE)
  unread.check()
  advance(2500)
  unread.check()
  expect(notices).toEqual([expect.stringMatching(/GET \/__admin\/events from 127\.0\.0\.1\.$/)])
  await mock.fetch('/acme/resource/namespace-action', { method: 'POST', headers, body })
  await vi.waitFor(() => expect(requests).toBe(sent + 1), PATIENCE)
})

it("another service's response is counted too, and the metrics report it", async () => {
  const upstream = createServer((_request, response) => response.end(Buffer.alloc(LENGTH)))
  const server = await startServer({ port: 0, passthrough: `http://127.0.0.1:${await listen(upstream)}` })
  onTestFinished(async () => {
    await server.close()
    upstream.closeAllConnections()
  })
  const readMetric = async (): Promise<number> => {
    const text = await (await fetch(`${server.url}/__admin/metrics`)).text()
    return Number(/^resource_mock_unread_response_bytes (\d+)$/m.exec(text)?.[1])
  }
  const socket = await openSocket(server.port)
  socket.pause()
  socket.write('GET /other/service HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await vi.waitFor(async () => expect(await readMetric()).toBeGreaterThan(0), PATIENCE)
  socket.destroy()
  await vi.waitFor(async () => expect(await readMetric()).toBe(0), PATIENCE)
})
