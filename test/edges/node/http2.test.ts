import { once } from 'node:events'
import { createServer as createUpstreamServer } from 'node:net'
import { connect, createServer } from 'node:http2'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createMock } from '../../../src/mock.ts'
import type { Mock } from '../../../src/mock.ts'
import { createUpstreamClient } from '../../../src/edges/node/upstream-client.ts'
import { createPassthrough } from '../../../src/tools/proxy/passthrough.ts'
import { PATIENCE } from '../../support/patience.ts'
import { MOST_UNREAD } from '../../../src/edges/node/open-requests.ts'
import { createLargeList, createMeteredListener, listen } from './metered-listener.ts'

/** Serves a mock over HTTP/2, and connects to it. */
async function start(mock: Mock) {
  onTestFinished(() => mock.close())
  const { listener, ...metered } = createMeteredListener(mock)
  // Vite serves a middleware of HTTP/1.1 over HTTP/2 in the same way.
  const session = connect(`http://127.0.0.1:${await listen(createServer(listener as never))}`)
  onTestFinished(() => session.destroy())
  return { session, ...metered }
}

it('relays what another service sends before its response, whichever 1xx it is', async () => {
  const informed = [
    'HTTP/1.1 102 Processing\r\nX-Step: 1\r\n\r\n',
    'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n',
    'HTTP/1.1 104 Upload Resumption Supported\r\nUpload-Offset: 5\r\n\r\n',
  ]
  const upstream = createUpstreamServer((socket) => {
    socket.once('data', () =>
      socket.end(`${informed.join('')}HTTP/1.1 200 OK\r\nX-Of: upstream\r\nContent-Length: 2\r\n\r\nok`),
    )
  })
  const passthrough = `http://127.0.0.1:${await listen(upstream)}`
  const { session } = await start(await createPassthrough({ passthrough, client: createUpstreamClient() }))
  const warn = vi.spyOn(process, 'emitWarning')
  onTestFinished(() => warn.mockRestore())
  const stream = session.request({ ':path': '/other/service' })
  const received: unknown[] = []
  stream.on('headers', (headers) => received.push(Object.fromEntries(Object.entries(headers))))
  const [headers] = await once(stream, 'response')
  expect(received).toEqual([
    { ':status': 102, 'x-step': '1' },
    { ':status': 103, link: '</a.css>; rel=preload' },
    { ':status': 104, 'upload-offset': '5' },
  ])
  expect(headers).toMatchObject({ ':status': 200, 'x-of': 'upstream' })
  expect(await text(stream)).toBe('ok')
  expect(warn).not.toHaveBeenCalled()
})

it('ends the stream that a client has stopped reading, and no other stream of its connection', async () => {
  const mock = await createMock({ auth: 'off', onNotice: () => undefined })
  await createLargeList(mock)
  const { session, openRequests, notices, advance } = await start(mock)
  const stopped = session.request({ ':path': '/acme/resource?limit=500&secret=s3cret' }).pause()
  await once(stopped, 'response')
  await vi.waitFor(() => expect(openRequests.unreadBytes).toBeGreaterThan(MOST_UNREAD), PATIENCE)
  openRequests.check()
  expect(notices).toEqual([])
  advance(30_000)
  const closed = once(stopped, 'close')
  openRequests.check()
  stopped.resume()
  await closed
  expect(notices).toEqual([
    expect.stringMatching(/^Disconnected 127\.0\.0\.1: it read nothing of GET \/acme\/resource for 30 s/),
  ])
  const [headers] = await once(session.request({ ':path': '/acme/resource?limit=1' }).resume(), 'response')
  expect(headers[':status']).toBe(200)
  await vi.waitFor(() => expect(openRequests.unreadBytes).toBe(0), PATIENCE)
})
