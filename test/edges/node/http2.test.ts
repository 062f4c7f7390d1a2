import { once } from 'node:events'
import { connect, createServer } from 'node:http2'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createMock } from '../../../src/mock.ts'
import type { Mock } from '../../../src/mock.ts'
import { PATIENCE } from '../../support/patience.ts'
import { MOST_UNREAD } from '../../../src/edges/node/open-requests.ts'
import { createLargeList, createMeteredListener } from './metered-listener.ts'
import { listen } from '../../support/listen.ts'

/** Serves a mock over HTTP/2, and connects to it. */
async function start(mock: Mock) {
  onTestFinished(() => mock.close())
  const { listener, ...metered } = createMeteredListener(mock)
  // Vite serves a middleware of HTTP/1.1 over HTTP/2 in the same way.
  const session = connect(`http://127.0.0.1:${await listen(createServer(listener as never))}`)
  onTestFinished(() => session.destroy())
  return { session, ...metered }
}

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
