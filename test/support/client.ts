import { expect } from 'vitest'
import { stringifyJson } from '../../src/service/http/json.ts'
import type { Mock } from '../../src/mock.ts'
import type { MockOptions } from '../../src/app/options/options.ts'
import { holdToContract } from './conformance.ts'
import { reachMock } from './transport.ts'

/** Request headers; undefined removes a default header. */
export type CallHeaders = Readonly<Record<string, string | undefined>>

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body with exact integers; undefined if there is none. */
  readonly body: unknown
}

/** Sends requests to one mock and checks each response against the contract. Paths may also be absolute URLs. */
export interface Client {
  readonly mock: Mock
  /** Sends a body unchanged. */
  readonly send: (method: string, path: string, headers?: CallHeaders, body?: BodyInit) => Promise<Reply>
  readonly get: (path: string, headers?: CallHeaders) => Promise<Reply>
  readonly head: (path: string, headers?: CallHeaders) => Promise<Reply>
  readonly delete: (path: string, headers?: CallHeaders) => Promise<Reply>
  /** `post`, `put` and `patch` send JSON. */
  readonly post: (path: string, json: unknown, headers?: CallHeaders) => Promise<Reply>
  readonly put: (path: string, json: unknown, headers?: CallHeaders) => Promise<Reply>
  readonly patch: (path: string, json: unknown, headers?: CallHeaders) => Promise<Reply>
}

export interface ClientOptions extends MockOptions {
  /** Records of `resources.json`; none by default, so that a test sees only its own resources. */
  readonly resources?: readonly unknown[]
}

/** Default request headers. */
const USUAL: CallHeaders = { Authorization: 'Bearer any-token' }
const JSON_HEADERS: CallHeaders = { 'Content-Type': 'application/json' }

const toHeaders = (...all: readonly CallHeaders[]): Headers => {
  const headers = new Headers()
  for (const [name, value] of all.flatMap((one) => Object.entries(one))) {
    if (value === undefined) headers.delete(name)
    else headers.set(name, value)
  }
  return headers
}

/** Sends a request and checks the response against the contract. */
async function holdReply(request: Request, send: (request: Request) => Promise<Response>): Promise<Reply> {
  const { method } = request
  const response = await send(request)
  const { status, headers } = response
  const text = await response.text()
  return { status, headers, text, body: holdToContract({ method, status, headers, text }) }
}

/** Creates a fresh mock and a client for it. An internal error of the mock fails the test. */
export async function createClient({ resources = [], ...options }: ClientOptions = {}): Promise<Client> {
  const faults: unknown[] = []
  const { mock, send: reach } = await reachMock({
    onFault: (fault) => faults.push(fault),
    checkResponses: true,
    ...options,
    fixtures: { 'resources.json': stringifyJson(resources), ...options.fixtures },
  })
  const send: Client['send'] = async (method, path, headers = {}, body) => {
    const url = path.startsWith('/') ? `http://mock${path}` : path
    // The Fetch standard requires `duplex` for streams, but TypeScript's types lack it.
    const init = { method, headers: toHeaders(USUAL, headers), body: body ?? null, duplex: 'half' } as RequestInit
    const reply = await holdReply(new Request(url, init), reach)
    if (faults.length > 0) throw faults[0]
    return reply
  }
  const sendJson =
    (method: string) =>
    (path: string, json: unknown, headers: CallHeaders = {}) =>
      send(method, path, { ...JSON_HEADERS, ...headers }, stringifyJson(json))
  return {
    mock,
    send,
    get: (path, headers) => send('GET', path, headers),
    head: (path, headers) => send('HEAD', path, headers),
    delete: (path, headers) => send('DELETE', path, headers),
    post: sendJson('POST'),
    put: sendJson('PUT'),
    patch: sendJson('PATCH'),
  }
}

/** A draft with these arrays, and optionally a key. */
export const draft = (objectTypeProperty: object = {}, key?: string): object => ({
  ...(key === undefined ? {} : { key }),
  objectTypeProperty,
})

/** The id in the `Location` header of a write. */
export function idOf({ headers }: Reply): string {
  const id = headers.get('Location')?.split('/').at(-1)
  return id ?? expect.fail('the answer has no Location')
}

/** The members of a `results` entry that tests use; the response has already been checked against the contract. */
export interface Entry {
  readonly id: string
  readonly key?: string
  readonly version: number
  readonly someProperty?: string
  readonly lastModifiedAt: string
  readonly objectTypeProperty: Readonly<Record<string, readonly unknown[]>>
}

export const resultsOf = ({ body }: Reply): readonly Entry[] => (body as { readonly results: readonly Entry[] }).results

/** The keys of the results, in order. */
export const keysOf = (reply: Reply): readonly (string | undefined)[] => resultsOf(reply).map(({ key }) => key)

/** The status and the first error of a response. */
export function errorOf({ status, body }: Reply): Readonly<Record<string, unknown>> {
  const { errors } = body as { readonly errors?: readonly Readonly<Record<string, unknown>>[] }
  const [first] = errors ?? []
  return { status, ...(first ?? expect.fail(`${status} is no error`)) }
}
