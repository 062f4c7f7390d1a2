import { request as sendRequest } from 'node:http'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { afterAll, inject } from 'vitest'
import { createMock } from '../../src/mock.ts'
import type { Mock } from '../../src/mock.ts'
import { startServer } from '../../src/node.ts'
import { redisStore } from '../../src/redis.ts'
import type { MockOptions } from '../../src/app/options/options.ts'

declare module 'vitest' {
  // Vitest's `provide` and `inject` are typed through this interface.
  interface ProvidedContext {
    /** How service tests reach their mock; vitest.config.ts has a project for each transport. */
    readonly transport: 'in-process' | 'socket' | 'redis'
  }
}

/** A mock, and a function that sends requests over the test's transport. */
export interface Reached {
  readonly mock: Mock
  readonly send: (request: Request) => Promise<Response>
}

/** Converts a response to the one `fetch` would return; some statuses allow no body. */
async function toResponse(incoming: IncomingMessage): Promise<Response> {
  const { statusCode = 0, rawHeaders } = incoming
  const bytes = await buffer(incoming)
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  return new Response(bytes.length === 0 ? null : new Uint8Array(bytes), { status: statusCode, headers })
}

/** Sends a single chunk with its length, or else chunked encoding until the other side stops reading. */
async function sendBody(outgoing: ClientRequest, body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader()
  const first = await reader.read()
  let next = await reader.read()
  if (next.done) {
    outgoing.end(first.value)
    return
  }
  const closed = once(outgoing, 'close').catch(() => undefined)
  outgoing.write(first.value)
  while (!next.done && !outgoing.destroyed) {
    if (!outgoing.write(next.value)) await Promise.race([once(outgoing, 'drain'), closed])
    next = await reader.read()
  }
  outgoing.end()
  await reader.cancel()
}

/** Sends a request to a local port, adding only `Host` and the framing headers. */
async function sendOverSocket(port: number, request: Request): Promise<Response> {
  const { host, pathname, search } = new URL(request.url)
  const outgoing = sendRequest({
    port,
    host: '127.0.0.1',
    agent: false,
    method: request.method,
    path: pathname + search,
    headers: { ...Object.fromEntries(request.headers), Host: host },
  })
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>
  if (request.body === null) outgoing.end()
  else void sendBody(outgoing, request.body)
  const [incoming] = await answered
  const response = await toResponse(incoming)
  outgoing.destroy()
  return response
}

/** A store with its own key prefix on the shared store server. */
const createStore = () => redisStore({ url: `${inject('storeUrl')}?prefix=${crypto.randomUUID()}` })

const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  await Promise.all(closing.map((close) => close()))
})

/** Creates a fresh mock, in-process or over a socket. It is closed after the tests of the file. */
export async function reachMock(options: MockOptions): Promise<Reached> {
  if (inject('transport') === 'in-process') {
    const mock = await createMock(options)
    return { mock, send: (request) => mock.fetch(request) }
  }
  // The options persistence and store are mutually exclusive.
  const isShared = inject('transport') === 'redis' && options.persistence === undefined
  const store = isShared ? { store: createStore(), onNotice: () => undefined } : {}
  const { mock, port, close } = await startServer({ port: 0, ...store, ...options })
  closing.push(close)
  return { mock, send: (request) => sendOverSocket(port, request) }
}
