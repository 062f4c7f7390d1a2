import { once } from 'node:events'
import { createServer, request as sendRequest } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { MOST_UNREAD } from '../../../src/edges/node/open-requests.ts'
import { createMock } from '../../../src/mock.ts'
import { startServer } from '../../../src/node.ts'
import { openSocket } from '../../support/raw-request.ts'
import { PATIENCE } from '../../support/patience.ts'
import { createLargeList, createMeteredListener } from './metered-listener.ts'
import { listen } from '../../support/listen.ts'

const LIST = '/acme/resource?limit=500&secret=s3cret'

/** A mock with a long list behind its own server, whose clock moves only on request. */
async function start(size = 30) {
  const mock = await createMock({ auth: 'off', onNotice: () => undefined })
  await createLargeList(mock, size)
  const { listener, ...metered } = createMeteredListener(mock)
  const { openRequests } = metered
  const server = createServer(listener)
  const port = await listen(server)
  onTestFinished(async () => {
    server.closeAllConnections()
    await mock.close()
  })

  /** Sends a request, reads nothing of its response, and waits until the system's buffers are full. */
  async function sendUnread(path: string) {
    const socket = await openSocket(port)
    socket.pause()
    socket.on('error', () => undefined)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    await vi.waitFor(() => expect(openRequests.unreadBytes).toBeGreaterThan(MOST_UNREAD), PATIENCE)
    for (let taken = 1; taken > 0;) {
      const before = openRequests.unreadBytes
      for (let turn = 0; turn < 20; turn += 1) await setImmediate()
      taken = before - openRequests.unreadBytes
    }
    openRequests.check()
    return socket
  }

  /** Sends a request, and resolves to its unread response. */
  const send = (path: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      sendRequest({ port, host: '127.0.0.1', path, agent: false }, resolve).on('error', reject).end()
    })

  return { send, sendUnread, ...metered }
}

it('a client that reads nothing of a large response for 30 seconds is disconnected, with a line in the log', async () => {
  const { openRequests, notices, send, sendUnread, advance } = await start()
  const stopped = await sendUnread(LIST)
  advance(29_000)
  openRequests.check()
  expect(notices).toEqual([])
  advance(1000)
  const closed = once(stopped, 'close')
  openRequests.check()
  expect(notices).toEqual([
    'Disconnected 127.0.0.1: it read nothing of GET /acme/resource for 30 s, and more than 16 MB were waiting for it.',
  ])
  stopped.resume()
  await closed
  await vi.waitFor(() => expect(openRequests.unreadBytes).toBe(0), PATIENCE)
  const response = await send(LIST)
  expect((await buffer(response)).length).toBe(Number(response.headers['content-length']))
})

it('a client that reads slowly but steadily is not disconnected', async () => {
  const { openRequests, notices, send, advance } = await start()
  const response = await send(LIST)
  let length = 0
  while (openRequests.unreadBytes > MOST_UNREAD) {
    const before = openRequests.unreadBytes
    // The system reports room for more only after some of it was read.
    while (openRequests.unreadBytes === before) {
      length += ((response.read() as Buffer | null) ?? '').length
      await setImmediate()
    }
    advance(100_000)
    openRequests.check()
  }
  length += (await buffer(response)).length
  expect(length).toBe(Number(response.headers['content-length']))
  expect(notices).toEqual([])
})

it('a client that has not read a small response stays connected', async () => {
  const { openRequests, notices, send, advance } = await start(5)
  const response = await send('/acme/resource?limit=5')
  for (let times = 0; times < 5; times += 1) {
    advance(30_000)
    openRequests.check()
  }
  expect(notices).toEqual([])
  expect((await buffer(response)).length).toBe(Number(response.headers['content-length']))
})

it("another service's response is counted too, and the metrics report it", async () => {
  const upstream = createServer((_request, response) => response.end(Buffer.alloc(2 * MOST_UNREAD)))
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
