import { endpoints } from '../../service/contract/endpoints.ts'
import type { OperationId } from '../../service/contract/endpoints.ts'
import { Problem } from '../../errors.ts'
import { parseJson, stringifyJson } from '../../service/http/json.ts'
import { createAsk, toReason, createLimit, Stop } from './transport.ts'
import type { Transport } from './transport.ts'

/** Query parameters; a list of values repeats the parameter. */
export type RequestQuery = Readonly<Record<string, string | readonly string[]>>

/** The parts of a request except its method and path. */
export interface RequestContent {
  readonly query?: RequestQuery
  /** null omits a default header. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** Sent as JSON, with exact integers. */
  readonly json?: unknown
  /** Sent unchanged; without a Content-Type unless `headers` has one. */
  readonly body?: string | Uint8Array<ArrayBuffer>
  /** The Authorization header; null omits it. Default: the usual token. */
  readonly authorization?: string | null
  /** What is special about the request, reported with its findings: `gzip`. */
  readonly label?: string
}

/** A request to an operation; its method and path come from the endpoint table. */
export interface Sending extends RequestContent {
  /** Replaces the operation's method. */
  readonly method?: string
  /** Values of the path parameters. Default for the project key: the verified project. */
  readonly path?: Readonly<Record<string, string>>
}

/** A response with its complete body. */
export interface ProviderAnswer {
  /** The request, as reported: `GET /acme/resource?limit=1`. */
  readonly request: string
  /** The operation of the request; undefined for a request to another path. */
  readonly operation?: OperationId
  /** The X-Correlation-ID of the request. */
  readonly correlationId: string | undefined
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** With exact integers; undefined if the text is not JSON. */
  readonly body: unknown
  /** Why the text is not JSON; undefined if it is. */
  readonly unreadable: string | undefined
}

/** The service under test. */
export interface Provider {
  /**
   * Sends a request to an operation.
   *
   * @throws {Stop} when no response arrives in time, or the run was interrupted.
   */
  send(operation: OperationId, sending?: Sending): Promise<ProviderAnswer>
  /**
   * Sends a request to a path under the base URL.
   *
   * @throws {Stop} as {@link send} does.
   */
  request(method: string, path: string, content?: RequestContent): Promise<ProviderAnswer>
}

/** Limits parallel requests, since subjects are checked concurrently. */
const MOST_AT_ONCE = 8

function readBody(text: string): Pick<ProviderAnswer, 'body' | 'unreadable'> {
  if (text === '') return { body: undefined, unreadable: 'an empty body' }
  try {
    return { body: parseJson(text), unreadable: undefined }
  } catch (error) {
    const [item] = error instanceof Problem ? error.errors : []
    return { body: undefined, unreadable: `not JSON (${item?.detailedErrorMessage ?? 'unreadable'})` }
  }
}

/** Headers of every request. */
const USUAL = { Accept: '*/*', 'User-Agent': 'resource-mock-verify' } as const

function toHeaders(
  { headers: ownHeaders, json, body }: RequestContent,
  authorization: string | null,
  correlationId: string,
): Readonly<Record<string, string>> {
  const type = json !== undefined && body === undefined ? 'application/json' : null
  const headers = {
    ...USUAL,
    [CORRELATION]: correlationId,
    Authorization: authorization,
    'Content-Type': type,
    ...ownHeaders,
  }
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

const CORRELATION = 'X-Correlation-ID'

/** Encodes text as bytes: `Request` adds a Content-Type to a string body, but not to bytes. */
const toBytes = (body: string | Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
  typeof body === 'string' ? new TextEncoder().encode(body) : body

/** @throws {Stop} for a lone surrogate, which an id returned by the service may contain. */
function encode(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    throw new Stop(`verify cannot build this request: a URL cannot contain ${JSON.stringify(text)}`)
  }
}

const toSearch = (query: RequestQuery): string =>
  Object.entries(query)
    .flatMap(([name, values]) => [values].flat().map((value) => [name, value].map(encode).join('=')))
    .join('&')

/** Creates the client that sends requests to a provider. */
export function createProvider(init: {
  /** Without a trailing slash. */
  readonly url: string
  readonly project: string
  /** The default Authorization header. */
  readonly authorization: string
  readonly transport: Transport
  /** Response timeout in milliseconds. */
  readonly timeout: number
  /** The unique run id; correlation ids start with it. */
  readonly run: string
  /** Once aborted, no more requests are sent. */
  readonly signal?: AbortSignal | undefined
  /** Called when the provider still refuses a request after the retries that Retry-After asked for. */
  readonly onGiveUp?: () => void
}): Provider {
  const { url, project, timeout, run, signal } = init
  const limited = createLimit(MOST_AT_ONCE)
  // A pending request is not aborted: whatever it writes would be unknown and could not be removed.
  const ask = createAsk({ transport: init.transport, timeout, interruption: signal, onGiveUp: init.onGiveUp })
  let count = 0

  async function request(method: string, path: string, content: RequestContent = {}): Promise<ProviderAnswer> {
    const { query = {}, json, label, authorization = init.authorization } = content
    const search = toSearch(query)
    const target = search === '' ? path : `${path}?${search}`
    const shown = `${method} ${target}${label === undefined ? '' : ` (${label})`}`
    count += 1
    const headers = toHeaders(content, authorization, `${run}-${count}`)
    const text = content.body ?? (json === undefined ? undefined : stringifyJson(json))
    const body = text === undefined ? undefined : toBytes(text)
    return limited(async () => {
      if (signal?.aborted === true) throw new Stop('interrupted before it was checked')
      try {
        const response = await ask({ url: url + target, method, headers, body })
        return { request: shown, correlationId: headers[CORRELATION], ...response, ...readBody(response.text) }
      } catch (error) {
        if (error instanceof Stop) throw error
        const reason = toReason(error, timeout)
        const about = { request: shown, at: 'status', expected: 'a response', actual: reason }
        throw new Stop(`${shown} got no response: ${reason}`, { finding: about })
      }
    })
  }

  return {
    request,
    async send(operation, { method = endpoints[operation].method, path = {}, ...content } = {}) {
      const values: Readonly<Record<string, string>> = { projectKey: project, ...path }
      const filled = endpoints[operation].path.replace(/\{(\w+)\}/g, (_, name: string) => encode(values[name] ?? ''))
      return { ...(await request(method, filled, content)), operation }
    },
  }
}
