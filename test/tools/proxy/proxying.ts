import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { Dispatcher } from 'undici'
import { parseJson, stringifyJson } from '../../../src/service/http/json.ts'
import { toHeaders } from '../../../src/service/http/connection.ts'
import type { RawHeaders } from '../../../src/service/http/connection.ts'
import { createMock } from '../../../src/mock.ts'
import type { Mock } from '../../../src/mock.ts'
import { createHttpClient } from '../../../src/edges/node/http-client.ts'
import type { MockOptions } from '../../../src/app/options/options.ts'
import { createProxy } from '../../../src/tools/proxy/proxy.ts'
import type { ProxyOptions } from '../../../src/tools/proxy/proxy.ts'
import type { HttpClient } from '../../../src/tools/proxy/upstream.ts'
import type { ProxyViolation } from '../../../src/tools/proxy/proxied-request.ts'
import { listen } from '../../support/listen.ts'

export const UPSTREAM = 'https://api.example.com'

/** Shared parts of the tests: an upstream is anything that responds to requests. */
export type Upstream = (request: Request) => Response | Promise<Response>

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: unknown
  /** `Error request.body.version`, in order. */
  readonly violations: readonly string[]
  /** `D5 response.headers.ETag`, in order. */
  readonly differences: readonly string[]
}

interface Sending {
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly json?: unknown
  readonly body?: BodyInit
}

export type Ask = (method: string, path: string, sending?: Sending) => Promise<Reply>

function findViolations(headers: Headers): readonly string[] {
  const all = JSON.parse(headers.get('Sl-Violations') ?? '[]') as readonly ProxyViolation[]
  return all.map(({ severity, location }) => `${severity} ${location.join('.')}`)
}

/** Sends a request to a proxy or a mock. */
export const createAsk =
  ({ fetch }: Pick<Mock, 'fetch'>, differences: string[] = []): Ask =>
  async (method, path, { headers = {}, json, body } = {}) => {
    const request = new Request(`http://proxy${path}`, {
      method,
      headers: {
        Authorization: 'Bearer any',
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: body ?? (json === undefined ? null : stringifyJson(json)),
    })
    differences.length = 0
    const response = await fetch(request)
    const text = await response.text()
    const isJson = response.headers.get('Content-Type')?.startsWith('application/json') === true && text !== ''
    const { status } = response
    return {
      status,
      headers: response.headers,
      text,
      body: isJson ? parseJson(text) : undefined,
      violations: findViolations(response.headers),
      differences: [...differences],
    }
  }

/** A client for an in-process service, used like a server. */
export function createClient(upstream: Upstream): HttpClient {
  return {
    ...createHttpClient(),
    async send({ origin = '', path, method, headers, body, signal }) {
      // The Fetch standard requires `duplex` with a stream; TypeScript's types lack it.
      const init = { method, headers: toHeaders(headers as RawHeaders), signal, duplex: 'half' } as RequestInit
      const content = method === 'GET' || method === 'HEAD' ? null : ((body ?? null) as BodyInit | null)
      const answer = await upstream(new Request(String(origin) + path, { ...init, body: content }))
      const { headers: answered } = answer
      const usual = answered.has('X-Content-Type-Options') ? [] : ['X-Content-Type-Options', 'nosniff']
      return {
        statusCode: answer.status,
        statusText: answer.statusText,
        headers: [...usual, ...[...answered].flat()],
        body: answer,
        trailers: {},
      } as unknown as Dispatcher.ResponseData
    },
  }
}

/** Creates a proxy for an in-process service. */
export async function startProxy(upstream: Upstream, options: Partial<ProxyOptions> = {}) {
  const differences: string[] = []
  const proxy = await createProxy({
    upstream: UPSTREAM,
    client: createClient(upstream),
    differences: { add: (by, _operation, { location }) => void differences.push(`${by} ${location.join('.')}`) },
    onFault(fault) {
      throw fault
    },
    ...options,
  })
  return { proxy, ask: createAsk(proxy, differences) }
}

/** Creates a proxy in front of a mock. */
export async function startProxiedMock(options: Partial<ProxyOptions> = {}, mockOptions: MockOptions = {}) {
  const mock = await createMock(mockOptions)
  return { mock, ...(await startProxy((request) => mock.fetch(request), options)) }
}

/** Creates a proxy in front of a Node server, over sockets. */
export async function startProxyOf(listener: RequestListener, options: Partial<ProxyOptions> = {}) {
  const url = `http://127.0.0.1:${await listen(createServer(listener))}`
  return {
    url,
    ...(await startProxy(() => Response.error(), { upstream: url, client: createHttpClient(), ...options })),
  }
}

/** The first resource of the built-in fixtures. */
export const TABLE = '/acme/resource/df3775a4-90ef-4965-b751-d48698f3949f'
