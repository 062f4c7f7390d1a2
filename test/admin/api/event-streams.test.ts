import { beforeEach, expect, it, vi } from 'vitest'
import { MOST_WAITING } from '../../../src/admin/api/events.ts'
import { KeptExchange } from '../../../src/sessions/journal/kept-exchange.ts'
import { hurry } from '../../support/hurry.ts'
import { createMock } from '../../../src/mock.ts'
import type { Mock } from '../../../src/mock.ts'

const STREAMS = 60

let mock: Mock
let notices: string[]
beforeEach(async () => {
  notices = []
  mock = await createMock({ auth: 'off', onNotice: (sentence) => notices.push(sentence) })
})

type Reader = ReadableStreamDefaultReader<Uint8Array>

const read = async (reader: Reader): Promise<Uint8Array> =>
  (await reader.read()).value ?? expect.fail('the stream ended')
const toText = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes)

/** Opens streams and reads their first event. */
const open = (count: number, fetch: (request: Request) => Response | Promise<Response>, lastId = '') =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const headers = new Headers(lastId === '' ? [] : [['Last-Event-ID', lastId]])
      const { body } = await fetch(new Request('http://localhost/__admin/events', { headers }))
      const reader = body?.getReader() ?? expect.fail('there is no stream')
      await read(reader)
      return reader
    }),
  )

/** Simulates a server that writes the streams to sockets. */
const overSocket = (request: Request) => mock.serve(request, { remoteAddress: '127.0.0.1' })
const inProcess = (request: Request) => mock.fetch(request)

/** The next event that is not about data. */
async function readRequest(reader: Reader): Promise<Uint8Array> {
  const bytes = await read(reader)
  return toText(bytes).startsWith('event: state\n') ? readRequest(reader) : bytes
}

const post = (text = 'x'.repeat(54_000)) =>
  mock.fetch('/acme/resource/namespace-action', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(text),
  })

it('event streams serialize a request once for all readers', async () => {
  const readers = await open(STREAMS, overSocket)
  await post()
  const [first, ...others] = await Promise.all(readers.map(readRequest))
  expect(toText(first)).toMatch(/^event: request\ndata: .{54000,}\nid: .*\n\n$/)
  for (const bytes of others) expect(bytes).toBe(first)
})

it('event streams copy the bytes for a reader in the same process', async () => {
  const [one, other] = await Promise.all(
    (await open(2, inProcess)).map((reader) => post('short').then(() => read(reader))),
  )
  one?.fill(0)
  expect(toText(other)).toMatch(/^event: state\n/)
})

it('event streams yield to other requests', async () => {
  const readers = await open(STREAMS, overSocket)
  const yields = hurry()
  await post()
  await Promise.all(readers.map(readRequest))
  expect(yields.mock.calls.length).toBeGreaterThanOrEqual(STREAMS)
})

it('event streams read a missed request when they send it, and serialize it once for all', async () => {
  for (let at = 0; at < 20; at += 1) await post('short')
  const entry = vi.spyOn(KeptExchange.prototype, 'entry', 'get')
  try {
    const readers = await open(STREAMS, overSocket, 'gone')
    expect(entry).not.toHaveBeenCalled()
    for (let at = 0; at < 20; at += 1) {
      expect(new Set(await Promise.all(readers.map(read))).size).toBe(1)
    }
    expect(entry).toHaveBeenCalled()
  } finally {
    entry.mockRestore()
  }
})

it('unread event streams are closed separately, each with a log line', async () => {
  const [reader] = await open(3, inProcess)
  for (let at = 0; at < MOST_WAITING + 10; at += 1) {
    await mock.fetch('/acme/resource/key=none')
    expect(reader && toText(await read(reader))).toMatch(/^event: request\n/)
  }
  const notice: unknown = expect.stringMatching(/^Ended an event stream whose client reads too slowly\. /)
  expect(notices).toEqual([notice, notice])
})
