import { endpoints } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { Problem } from '../errors.ts'
import { parseJson, stringifyJson } from '../http/json.ts'
import { createAsk, toReason, createLimit, Stop } from './transport.ts'
import type { Transport } from './transport.ts'

/** Query parameters; those with a list of values are given several times. */
export type RequestQuery = Readonly<Record<string, string | readonly string[]>>

/** What a request is made of, apart from its method and path. */
export interface RequestContent {
  readonly query?: RequestQuery
  /** null: not sent, though it usually is. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** Sent as JSON, whole numbers exact. */
  readonly json?: unknown
  /** Sent as it is; without a Content-Type unless `headers` has one. */
  readonly body?: string | Uint8Array<ArrayBuffer>
  /** The header Authorization; null: none. Default: the usual token. */
  readonly authorization?: string | null
  /** What is special about the request, shown with its findings: `gzip`. */
  readonly label?: string
}

/** What a request to an operation is made of; its method and path come from the endpoint table. */
export interface Sending extends RequestContent {
  /** Instead of the operation's own. */
  readonly method?: string
  /** Values of the path's parameters; the project key is the usual one unless it is given. */
  readonly path?: Readonly<Record<string, string>>
}

/** What was answered, read to its end. */
export interface ProviderAnswer {
  /** What was asked: `GET /acme/resource?limit=1`. */
  readonly request: string
  /** The X-Correlation-ID that was sent. */
  readonly correlationId: string | undefined
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Whole numbers exact; undefined for what is not JSON. */
  readonly body: unknown
  /** Why the text is not JSON; undefined if it is. */
  readonly unreadable: string | undefined
}

/** The service that is verified. */
export interface Provider {
  /**
   * Sends a request to an operation.
   *
   * @throws {Stop} when no answer comes in time, or nothing is to be sent any more.
   */
  send(operation: OperationId, sending?: Sending): Promise<ProviderAnswer>
  /**
   * Sends a request to a path under the base URL.
   *
   * @throws {Stop} as {@link send} does.
   */
  request(method: string, path: string, content?: RequestContent): Promise<ProviderAnswer>
}

/** At most this many requests at once: several examinations go on side by side. */
const MOST_AT_ONCE = 8

function readBody(text: string): Pick<ProviderAnswer, 'body' | 'unreadable'> {
  if (text === '') return { body: undefined, unreadable: 'an empty body' }
  try {
    return { body: parseJson(text), unreadable: undefined }
  } catch (error) {
    const [item] = error instanceof Problem ? error.errors : []
    return { body: undefined, unreadable: `no JSON (${item?.detailedErrorMessage ?? 'unreadable'})` }
  }
}

/** Headers that every request has. */
const USUAL = { Accept: '*/*', 'User-Agent': 'resource-mock-verify' } as const

function toHeaders(
  { headers: given, json, body }: RequestContent,
  authorization: string | null,
  correlationId: string,
): Readonly<Record<string, string>> {
  const type = json !== undefined && body === undefined ? 'application/json' : null
  const headers = {
    ...USUAL,
    [CORRELATION]: correlationId,
    Authorization: authorization,
    'Content-Type': type,
    ...given,
  }
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

const CORRELATION = 'X-Correlation-ID'

/** Text as bytes: a request of the platform makes up a Content-Type for a text, and none for bytes. */
const toBytes = (body: string | Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
  typeof body === 'string' ? new TextEncoder().encode(body) : body

/** @throws {Stop} for half a surrogate pair, as a service's id may have it. */
function encode(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    throw new Stop(`verify cannot build a request itself: no URL can have ${JSON.stringify(text)}`)
  }
}

const toSearch = (query: RequestQuery): string =>
  Object.entries(query)
    .flatMap(([name, values]) => [values].flat().map((value) => [name, value].map(encode).join('=')))
    .join('&')

/** Creates what sends requests to a provider and reads its answers. */
export function createProvider(init: {
  /** Without a slash at its end. */
  readonly url: string
  readonly project: string
  /** The header of requests that say nothing else. */
  readonly authorization: string
  readonly transport: Transport
  /** Milliseconds that an answer may take. */
  readonly timeout: number
  /** A word that nobody else uses, which correlation ids start with. */
  readonly run: string
  /** Once aborted, no request is sent any more. */
  readonly signal?: AbortSignal | undefined
  /** Called when a request was sent again and again, as Retry-After asked, and was refused to the end. */
  readonly onVain?: () => void
}): Provider {
  const { url, project, timeout, run, signal } = init
  const limited = createLimit(MOST_AT_ONCE)
  // A request under way is not interrupted: what it writes would not be known, and could not be removed.
  const ask = createAsk({ transport: init.transport, timeout, interruption: signal, onVain: init.onVain })
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
      if (signal?.aborted === true) throw new Stop('interrupted before it was tried')
      try {
        const response = await ask({ url: url + target, method, headers, body })
        return { request: shown, correlationId: headers[CORRELATION], ...response, ...readBody(response.text) }
      } catch (error) {
        if (error instanceof Stop) throw error
        const reason = toReason(error, timeout)
        const about = { request: shown, at: 'status', expected: 'an answer', actual: reason }
        throw new Stop(`${shown} got no answer: ${reason}`, about)
      }
    })
  }

  return {
    request,
    async send(operation, { method = endpoints[operation].method, path = {}, ...content } = {}) {
      const values: Readonly<Record<string, string>> = { projectKey: project, ...path }
      const filled = endpoints[operation].path.replace(/\{(\w+)\}/g, (_, name: string) => encode(values[name] ?? ''))
      return request(method, filled, content)
    },
  }
}
