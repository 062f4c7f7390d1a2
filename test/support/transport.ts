import { request as sendRequest } from 'node:http'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { afterAll, inject } from 'vitest'
import { createMock } from '../../src/mock.ts'
import type { Mock } from '../../src/mock.ts'
import { startServer } from '../../src/node.ts'
import { redisStore } from '../../src/redis.ts'
import type { MockOptions } from '../../src/options/options.ts'

declare module 'vitest' {
  // The interface is what Vitest's `provide` and `inject` are typed by.
  interface ProvidedContext {
    /** How tests of the service reach their mock; vitest.config.ts has a project for each. */
    readonly transport: 'in-process' | 'socket' | 'redis'
  }
}

/** A mock, and what sends requests to it by the transport that the test runs over. */
export interface Reached {
  readonly mock: Mock
  readonly send: (request: Request) => Promise<Response>
}

/** The response as `fetch` would give it; statuses that allow no body have none. */
async function toResponse(incoming: IncomingMessage): Promise<Response> {
  const { statusCode = 0, rawHeaders } = incoming
  const bytes = await buffer(incoming)
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  return new Response(bytes.length === 0 ? null : new Uint8Array(bytes), { status: statusCode, headers })
}

/** Sends a body with its length if it comes in one piece, else in chunks, as long as the other end reads it. */
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

/** Sends a request to a port of this machine as it is: no header but `Host` and those that frame the body is added. */
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

/** A store with keys of its own in the engine of all tests. */
const createStore = () => redisStore({ url: `${inject('storeUrl')}?prefix=${crypto.randomUUID()}` })

const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  await Promise.all(closing.map((close) => close()))
})

/** Creates a fresh mock, which is gone when the file's tests have ended, and reaches it in-process or over a socket. */
export async function reachMock(options: MockOptions): Promise<Reached> {
  if (inject('transport') === 'in-process') {
    const mock = await createMock(options)
    return { mock, send: (request) => mock.fetch(request) }
  }
  // What is kept by other means is not kept in a store as well.
  const isShared = inject('transport') === 'redis' && options.persistence === undefined
  const store = isShared ? { store: createStore(), onNotice: () => undefined } : {}
  const { mock, port, close } = await startServer({ port: 0, ...store, ...options })
  closing.push(close)
  return { mock, send: (request) => sendOverSocket(port, request) }
}
