import { expect } from 'vitest'
import { errorEnvelope } from '../../../src/service/contract/results.ts'
import type { Connection } from '../../../src/service/http/connection.ts'
import { parseJson, stringifyJson } from '../../../src/service/http/json.ts'
import type { Mock } from '../../../src/mock.ts'
import type { MockOptions } from '../../../src/app/options/options.ts'
import { reachMock } from '../../support/transport.ts'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Parsed with exact integers, typed as the test needs; undefined if not JSON. */
  readonly body: unknown
}

interface Sending {
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as it is. */
  readonly body?: BodyInit
  readonly connection?: Connection
}

/** Sends a request to a mock; paths may start with a host. */
export type Ask = (method: string, path: string, sending?: Sending) => Promise<Reply>

export interface Asking {
  readonly mock: Mock
  readonly ask: Ask
}

/** The client address of all requests, unless overridden. */
const HOST = 'http://localhost:4010'

async function read(response: Response): Promise<Reply> {
  const { status, headers } = response
  const text = await response.text()
  const isJson = headers.get('Content-Type') === 'application/json; charset=utf-8' && text !== ''
  const body = isJson ? parseJson(text) : undefined
  if (status >= 400 && text !== '') expect(errorEnvelope.parse(body).statusCode).toBe(status)
  return { status, headers, text, body }
}

/** Creates a fresh mock and a client for it. An internal error of the mock fails the test. */
export async function createAsk(options: MockOptions = {}): Promise<Asking> {
  const { mock, send } = await reachMock({
    auth: 'off',
    checkResponses: true,
    onFault: (fault) => {
      throw fault
    },
    ...options,
  })
  const ask: Ask = async (method, path, { headers = {}, json, body, connection } = {}) => {
    const request = new Request(path.startsWith('/') ? HOST + path : path, {
      method,
      headers: { ...(json === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
      body: body ?? (json === undefined ? null : stringifyJson(json)),
    })
    return read(await (connection === undefined ? send(request) : mock.serve(request, connection)))
  }
  return { mock, ask }
}

/** Creates a resource, and returns its path. */
export async function create(ask: Ask, prefix = '', key?: string): Promise<string> {
  const reply = await ask('POST', `${prefix}/acme/resource`, {
    json: { ...(key === undefined ? {} : { key }), objectTypeProperty: { arrayOfIntExample: [1] } },
  })
  return reply.headers.get('Location') ?? expect.fail(`nothing was created: ${reply.text}`)
}

/** Updates a resource from a version, and returns the status. */
export async function update(ask: Ask, path: string, version: number): Promise<number> {
  const reply = await ask('POST', path, { json: { version, actions: [{ action: 'doSomeThing' }] } })
  return reply.status
}
