import { SetupError } from '../errors.ts'
import { showValue } from '../http/json.ts'
import { http, HttpResponse } from 'msw'
import type { HttpHandler } from 'msw'
import { createMock } from '../mock.ts'
import { parseOptions } from '../options/options.ts'
import type { MockOptions } from '../options/options.ts'

/** What an answer says of where things are, as a path (D5). */
const PLACES = ['Location', 'Content-Location']

/**
 * The request as the mock knows it, which stands at the root of its host. By which name a network found the way is
 * nothing to the mock: there was none.
 */
export async function toMockRequest(request: Request, { url, path }: BaseAddress): Promise<Request> {
  const { method, signal } = request
  const headers = new Headers(request.headers)
  headers.delete('Host')
  const target = request.url.slice(url.length).replace(/^\//, '')
  const root = url.slice(0, url.length - path.length)
  // Not in every browser is a request a template for another: not all of them tell its body.
  const body = method === 'GET' || method === 'HEAD' ? null : await request.arrayBuffer()
  return new Request(`${root}/${target}`, { method, headers, signal, body })
}

/** The answer as a client that asked below the base path knows it. */
export function withBasePath(response: Response, { path }: BaseAddress): Response {
  if (path === '') return response
  for (const name of PLACES) {
    const place = response.headers.get(name)
    if (place?.startsWith('/') === true) response.headers.set(name, path + place)
  }
  return response
}

/** The address of the API that an app calls. */
export interface BaseAddress {
  /** Such as `https://api.example.com/v1`, without a slash at its end. */
  readonly url: string
  /** Its path alone, such as `/v1`; the empty string for none. */
  readonly path: string
}

/** The address of the page, if there is one: in a browser, a worker or jsdom. */
const findPage = (): string | undefined => {
  const { location } = globalThis as { readonly location?: { readonly href: string } }
  return location?.href
}

const noBase = (given: unknown): SetupError =>
  new SetupError(
    `${showValue(given)} is not the base URL of an API. Give one such as https://api.example.com, or in a page a path such as /api.`,
  )

/**
 * Reads a base URL: an absolute one, or in a page a path.
 *
 * @throws {SetupError} for anything else.
 */
export function parseBase(given: string | URL): BaseAddress {
  const text = given instanceof URL ? given.href : given
  // Callers without TypeScript may pass anything.
  if (typeof text !== 'string') throw noBase(text)
  const page = text.startsWith('/') ? findPage() : undefined
  const url = URL.canParse(text, page) ? new URL(text, page) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw noBase(text)
  }
  if (/\/@/.test(url.pathname)) {
    throw new SetupError(
      `The base URL ${text} names a session. Remove the session from it, and pass the session instead of the mock: handlers(url, mock.session(name)).`,
    )
  }
  const path = url.pathname.replace(/\/+$/, '')
  return { url: url.origin + path, path }
}

/** Matches the base URL and everything below it. */
export const toPattern = ({ url }: BaseAddress): RegExp =>
  new RegExp(`^${url.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}(?:/|$)`)

/** What answers requests: a mock, or one session of it. */
export interface Answering {
  fetch(request: Request): Promise<Response>
}

/** Whatever has no `fetch` is held to be options, and has to be some. */
const isAnswering = (given: unknown): given is Answering =>
  typeof given === 'object' && given !== null && 'fetch' in given && typeof given.fetch === 'function'

/**
 * Creates handlers for MSW: all that an app asks below a base URL is answered by a mock, unknown paths too. What a
 * scenario does to the connection is a network error. For msw 2.7 and later, 3 included, in Node and in the browser.
 *
 * @param baseUrl where the app believes its API to be, such as `https://api.example.com`; with a page, a path too
 * @param mock a mock, one session of it, or options for one that is made here. A scenario or fixture that is wrong is an
 * unhandled rejection, since nobody waits for the mock.
 * @throws {SetupError} for a base URL that is none, and for an option that is none.
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
  return [
    http.all(toPattern(base), async ({ request }) => {
      const answering = await opening
      const asked = await toMockRequest(request, base)
      return answering.fetch(asked).then(
        (response) => withBasePath(response, base),
        (fault: unknown) => {
          // A session of a mock elsewhere, which has no way to this base URL.
          if (fault instanceof SetupError) throw fault
          // Else there is no answer: a scenario broke the connection, or the app went.
          return HttpResponse.error()
        },
      )
    }),
  ]
}
