import { request as openHttp } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { request as openHttps } from 'node:https'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { APIRequestContext } from '@playwright/test'
import { SESSION_COOKIE, SESSION_HEADER } from '../../service/http/request-head.ts'
import { sendByFetch } from '../../admin/client/reach.ts'
import type { Send } from '../../admin/client/reach.ts'
import type { Entry } from './contexts.ts'

// Requests of a test that no page sends.

/** Whether to accept any certificate: Playwright's option `ignoreHTTPSErrors`. */
type IgnoresHttpsErrors = boolean | undefined

/** Statuses after which `fetch` sends a request elsewhere: it follows them, from the start. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Sends a request with Node's client over a kept connection: half the work of `fetch`, which also writes headers and body apart. */
const createNodeSend =
  (ignoresHttpsErrors: IgnoresHttpsErrors): Send =>
  async (request) => {
    const { method, url, signal } = request
    const open = url.startsWith('https:') ? openHttps : openHttp
    const headers = Object.fromEntries(request.headers)
    const outgoing = open(url, { method, headers, signal, rejectUnauthorized: ignoresHttpsErrors !== true })
    const sent = await request.arrayBuffer()
    outgoing.end(Buffer.from(sent))
    // Node documents the arguments of the event.
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
    const { statusCode: status = 200, headersDistinct } = incoming
    if (REDIRECTS.has(status)) {
      incoming.resume()
      // Node's `fetch` cannot send bytes again.
      const body = sent.byteLength === 0 ? null : new Blob([sent])
      return sendByFetch(new Request(url, { method, headers, signal, body }))
    }
    const received = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    )
    // Node does not share the bytes it reads from a socket.
    const body =
      status === 204 || status === 304 ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array<ArrayBuffer>>)
    return new Response(body, { status, headers: received })
  }

/** How a test sends requests to a mock: its own as `fetch` does, and those to the admin API in the fastest way. */
export function createSends(
  mockUrl: string,
  ignoresHttpsErrors: IgnoresHttpsErrors,
): { readonly send: Send; readonly sendAdmin: Send } {
  const sendAdmin = createNodeSend(ignoresHttpsErrors)
  return { send: ignoresHttpsErrors === true && mockUrl.startsWith('https:') ? sendAdmin : sendByFetch, sendAdmin }
}

type PageRequestOptions = NonNullable<Parameters<APIRequestContext['fetch']>[1]>

/** The cookies that a request context would send to a URL, as pairs. */
async function listCookies(request: APIRequestContext, { hostname, pathname }: URL): Promise<readonly string[]> {
  const { cookies } = await request.storageState()
  return cookies
    .filter(({ domain, path }) => {
      const host = domain.replace(/^\./, '')
      return (hostname === host || (host !== domain && hostname.endsWith(domain))) && pathname.startsWith(path)
    })
    .map(({ name, value }) => `${name}=${value}`)
}

const PASSED_METHODS: ReadonlySet<string | symbol> = new Set(['fetch', 'delete', 'get', 'head', 'patch', 'post', 'put'])

/**
 * Puts the requests of a request context into a session. The context keeps its options, which may be those of another
 * package's fixture. Cookies cannot be added to it, so an app's own server, which may forward them, gets a header.
 */
export function inSession(request: APIRequestContext, { session, mockUrl, baseURL }: Entry): APIRequestContext {
  const mock = new URL(mockUrl)
  const app = baseURL === undefined ? undefined : new URL(baseURL)

  async function addSession(target: unknown, options: PageRequestOptions = {}): Promise<PageRequestOptions> {
    const isRequest = typeof target === 'object' && target !== null && 'headers' in target
    // The first argument of `fetch` is a URL, or a request of a page.
    const { url, headers } = (isRequest ? target : {}) as { url?(): string; headers?(): Record<string, string> }
    const text = url === undefined ? String(target) : url.call(target)
    if (!URL.canParse(text, baseURL)) return options
    const to = new URL(text, baseURL)
    const given = options.headers ?? headers?.call(target) ?? {}
    const names = new Set(Object.keys(given).map((name) => name.toLowerCase()))
    if (to.origin === mock.origin) {
      return names.has(SESSION_HEADER) ? options : { ...options, headers: { ...given, [SESSION_HEADER]: session } }
    }
    if (to.hostname !== mock.hostname && to.hostname !== app?.hostname) return options
    if (names.has('cookie')) return options
    const cookies = [...(await listCookies(request, to)), `${SESSION_COOKIE}=${session}`]
    return { ...options, headers: { ...given, Cookie: cookies.join('; ') } }
  }

  return new Proxy(request, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      if (!PASSED_METHODS.has(name)) return member.bind(target) as unknown
      return async (url: unknown, options?: PageRequestOptions): Promise<unknown> =>
        Reflect.apply(member, target, [url, await addSession(url, options)])
    },
  })
}
