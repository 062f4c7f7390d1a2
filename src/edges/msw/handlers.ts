import { isRead } from '../../service/http/request-head.ts'
import { problem, SetupError } from '../../errors.ts'
import { isNetworkFault } from '../../service/http/connection.ts'
import { toEnvelope } from '../../service/http/envelope.ts'
import { showValue } from '../../service/http/json.ts'
// MSW 1 does not have these exports: a named import would fail before the version is checked.
import * as msw from 'msw'
import type { HttpHandler } from 'msw'
import { createMock } from '../../mock.ts'
import { parseOptions } from '../../app/options/options.ts'
import type { MockOptions } from '../../app/options/options.ts'
import { expectPeer } from '../../util/peer.ts'
import { escapeExpression } from '../../util/quote.ts'

expectPeer({ entry: 'resource-mock/msw', name: 'msw', title: 'MSW', least: '2.7' })

/** Response headers that contain a location as a path (D5). */
const LOCATION_NAMES = ['Location', 'Content-Location']

/**
 * Converts a request to one at the root of the host, as the mock expects. Removes the Host header, which has no meaning
 * without a network.
 */
export async function toMockRequest(request: Request, { url, path }: BaseAddress): Promise<Request> {
  const { method, signal } = request
  const headers = new Headers(request.headers)
  headers.delete('Host')
  const target = request.url.slice(url.length).replace(/^\//, '')
  const root = url.slice(0, url.length - path.length)
  // A request cannot be copied with its body in every browser, so the body is read.
  const body = isRead(method) ? null : await request.arrayBuffer()
  return new Request(`${root}/${target}`, { method, headers, signal, body })
}

/** The base URL of the API that an app calls. */
export interface BaseAddress {
  /** Such as `https://api.example.com/v1`, without a trailing slash. */
  readonly url: string
  /** Only the path, such as `/v1`; an empty string if there is none. */
  readonly path: string
}

const noBase = (value: unknown): SetupError =>
  new SetupError(
    `${showValue(value)} is not a valid base URL for an API. Use one such as https://api.example.com, or in a browser a path such as /api.`,
  )

/**
 * Parses a base URL: an absolute URL, or in a browser a path.
 *
 * @throws {SetupError} for anything else.
 */
export function parseBase(value: string | URL): BaseAddress {
  const text = value instanceof URL ? value.href : value
  // Callers without TypeScript may pass anything.
  if (typeof text !== 'string') throw noBase(text)
  // In a browser, a worker or jsdom.
  const { location } = globalThis as { readonly location?: { readonly href: string } }
  const page = text.startsWith('/') ? location?.href : undefined
  const url = URL.canParse(text, page) ? new URL(text, page) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') throw noBase(text)
  if (/\/@/.test(url.pathname)) {
    throw new SetupError(
      `The base URL ${text} names a session. Remove it from the URL, and pass the session instead of the mock: handlers(url, mock.session(name)).`,
    )
  }
  const path = url.pathname.replace(/\/+$/, '')
  return { url: url.origin + path, path }
}

/** A mock, or one of its sessions. */
export interface Answering {
  fetch(request: Request): Promise<Response>
}

/** Anything without `fetch` is treated as options and validated. */
const isAnswering = (value: unknown): value is Answering =>
  typeof value === 'object' && value !== null && 'fetch' in value && typeof value.fetch === 'function'

/**
 * Creates handlers for MSW that send all requests below a base URL to a mock, including unknown paths. A connection fault
 * from a scenario becomes a network error, as does a request that the app aborts. Any other error is printed to the console,
 * and becomes a 500. Requires msw 2.7 or later, including 3, in Node or the browser.
 *
 * @param baseUrl the API's base URL in the app, such as `https://api.example.com`; in a browser, a path is allowed too
 * @param mock a mock, one of its sessions, or options for a new mock. With options, an invalid scenario or fixture causes
 * an unhandled rejection, because nothing awaits the new mock.
 * @throws {SetupError} for an invalid base URL or option.
 * @example
 * const server = setupServer(...handlers('https://api.example.com', { scenario: 'conflict-once' }))
 * @example
 * const mock = await createMock()
 * const server = setupServer(...handlers('https://api.example.com', mock))
 * server.use(...handlers('https://api.example.com', mock.session('checkout')))
 */
export function handlers(baseUrl: string | URL, mock: MockOptions | Answering = {}): HttpHandler[] {
  const base = parseBase(baseUrl)
  if (!isAnswering(mock)) parseOptions(mock)
  const opening = isAnswering(mock) ? mock : createMock(mock)
  // Matches the base URL and everything below it.
  return [
    msw.http.all(new RegExp(`^${escapeExpression(base.url)}(?:/|$)`), async ({ request }) => {
      try {
        const answering = await opening
        const response = await answering.fetch(await toMockRequest(request, base))
        if (base.path === '') return response
        for (const name of LOCATION_NAMES) {
          const location = response.headers.get(name)
          if (location?.startsWith('/') === true) response.headers.set(name, base.path + location)
        }
        return response
      } catch (error) {
        if (isNetworkFault(error) || request.signal.aborted) return msw.HttpResponse.error()
        // oxlint-disable-next-line no-console -- MSW would respond with a 500 and report nothing
        console.error(error)
        return msw.HttpResponse.json(toEnvelope(problem.internal()), { status: 500 })
      }
    }),
  ]
}
