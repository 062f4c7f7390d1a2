import { endpoints } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { Problem } from '../errors.ts'
import { parseJson, stringifyJson } from '../http/json.ts'
import { ask, toReason } from './ask.ts'
import type { Fetch } from './ask.ts'
import { Stop } from './bench.ts'

/** What a request to an operation is made of; its method and path come from the endpoint table. */
export interface Sending {
  /** Instead of the operation's own. */
  readonly method?: 'HEAD'
  /** Values of the path's parameters, but for the project key. */
  readonly path?: Readonly<Record<string, string>>
  readonly query?: readonly (readonly [name: string, value: string])[]
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON, whole numbers exact. */
  readonly json?: unknown
  /** Sent as it is. */
  readonly body?: string | Uint8Array<ArrayBuffer>
  /** The header Authorization; null: none. Default: the usual token. */
  readonly authorization?: string | null
}

/** What was answered, read to its end. */
export interface Answer {
  /** What was asked: `GET /acme/resource?limit=1`. */
  readonly request: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Whole numbers exact; undefined for what is no JSON. */
  readonly body: unknown
  /** Why the text is no JSON; undefined where it is. */
  readonly unreadable: string | undefined
}

/** The service that is verified. */
export interface Provider {
  /** @throws {Stop} when no answer comes in time, or nothing is to be sent any more. */
  send(operation: OperationId, sending?: Sending): Promise<Answer>
}

interface ProviderInit {
  /** Without a slash at its end. */
  readonly url: string
  readonly project: string
  /** The header of requests that say nothing else. */
  readonly authorization: string
  readonly fetch: Fetch
  /** Milliseconds that an answer may take. */
  readonly timeout: number
  /** Once aborted, no request is sent any more. */
  readonly signal?: AbortSignal | undefined
}

function readBody(text: string): Pick<Answer, 'body' | 'unreadable'> {
  if (text === '') return { body: undefined, unreadable: 'an empty body' }
  try {
    return { body: parseJson(text), unreadable: undefined }
  } catch (fault) {
    const [error] = fault instanceof Problem ? fault.errors : []
    return { body: undefined, unreadable: `no JSON (${error?.detailedErrorMessage ?? 'unreadable'})` }
  }
}

function toTarget(operation: OperationId, project: string, { path = {}, query = [] }: Sending): string {
  const values: Readonly<Record<string, string>> = { projectKey: project, ...path }
  const filled = endpoints[operation].path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  )
  const search = query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
  return search === '' ? filled : `${filled}?${search}`
}

/** Creates what sends requests to a provider and reads its answers. */
export function createProvider(init: ProviderInit): Provider {
  const { url, project, timeout, signal } = init
  return {
    async send(operation, sending = {}) {
      if (signal?.aborted === true) throw new Stop('interrupted before it was tried')
      const method = sending.method ?? endpoints[operation].method
      const target = toTarget(operation, project, sending)
      const request = `${method} ${target}`
      const headers = new Headers(sending.headers)
      const { authorization = init.authorization, json } = sending
      if (authorization !== null) headers.set('Authorization', authorization)
      if (json !== undefined && !headers.has('Content-Type')) headers.set('Content-Type', 'application/json')
      const body = json === undefined ? (sending.body ?? null) : stringifyJson(json)
      try {
        // A request under way is not interrupted: what it writes would not be known, and could not be removed.
        const { response, text } = await ask({ fetch: init.fetch, url: url + target, timeout, method, headers, body })
        return { request, status: response.status, headers: response.headers, text, ...readBody(text) }
      } catch (fault) {
        const reason = toReason(fault, timeout)
        const about = { request, at: 'status', expected: 'an answer', actual: reason }
        throw new Stop(`${request} got no answer: ${reason}`, about)
      }
    },
  }
}
