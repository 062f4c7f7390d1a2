import { inject, onTestFinished } from 'vitest'
import { startServer } from '../../../src/node.ts'
import type { RunningServer, ServerOptions } from '../../../src/node.ts'
import { redisStore } from '../../../src/redis.ts'

const HEADERS = { Authorization: 'Bearer any', 'Content-Type': 'application/json' }

export const base = '/acme/resource'
export const draft = (key: string) => ({ key, objectTypeProperty: {} })

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed JSON, typed as the test needs. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

export type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Reply>

/** Sends requests to a mock, with JSON if there is a body. */
export const caller =
  (url: string): Call =>
  async (method, path, body, headers = {}) => {
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(url + path, { method, headers: { ...HEADERS, ...headers }, ...init })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined }
  }

/** One of several mocks that share a store. */
export interface Replica {
  readonly server: RunningServer
  readonly call: Call
  /** Its messages to the user. */
  readonly notices: readonly string[]
}

/** The URL of a store with its own keys. */
export const newStoreUrl = (url: string = inject('storeUrl')): string => `${url}?prefix=${crypto.randomUUID()}`

/** Starts one more mock on a store; it ends with the test. */
export async function startReplica(url: string, options: ServerOptions = {}): Promise<Replica> {
  const notices: string[] = []
  const server = await startServer({
    port: 0,
    store: redisStore({ url, timeout: 30_000 }),
    onNotice: (sentence) => notices.push(sentence),
    ...options,
  })
  onTestFinished(server.close)
  return { server, call: caller(server.url), notices }
}

/** Starts three mocks that share a new store. */
export async function startThree(options: ServerOptions = {}): Promise<readonly [Replica, Replica, Replica]> {
  const url = newStoreUrl()
  return Promise.all([startReplica(url, options), startReplica(url, options), startReplica(url, options)])
}

/** Creates a resource and returns its id. */
export async function create(call: Call, key: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const { headers: answered } = await call('POST', base, draft(key), headers)
  return answered.get('location')?.split('/').at(-1) ?? ''
}

/** An update of a version. */
export const update = (version: number) => ({
  version,
  actions: [{ action: 'changeSomeProperty', someProperty: `after ${version}` }],
})

interface Listening {
  readonly query?: string
  /** The id of the last event received. */
  readonly lastId?: string | undefined
}

/** Subscribes to the events of a mock, from the start or after an event. */
export async function listen({ server }: Replica, { query = '', lastId }: Listening = {}) {
  const response = await fetch(`${server.url}/__admin/events${query}`, {
    headers: lastId === undefined ? {} : { 'Last-Event-ID': lastId },
  })
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  return {
    /** All events received, once they match. */
    async until(pattern: RegExp): Promise<string> {
      for (;;) {
        if (pattern.test(text)) return text
        // oxlint-disable-next-line no-await-in-loop -- one part after the other
        const { value, done } = await reader.read()
        if (done) throw new Error(`The stream has ended: ${text}`)
        text += decoder.decode(value, { stream: true })
      }
    },
    end: () => reader.cancel(),
  }
}
