import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { BrowserContext, Page, Request, Route } from '@playwright/test'
import { SESSION_HEADER } from '../../service/http/request-head.ts'
import type { Send } from '../../admin/client/reach.ts'
import { extendPage, extendWorker } from './page-scripts.ts'
import type { RelayedRequest } from './page-scripts.ts'

type Handler = Parameters<BrowserContext['route']>[1]
type Headers = Record<string, string>

/** Adds the header of the session to the headers of a request, given by a route or its own. */
type NameIn = (request: Request, given?: Headers) => Headers | undefined

/** Adds the header to what a test's own route continues or fetches. One that falls back reaches the route of the session. */
function addHeaderTo(route: Route, nameIn: NameIn): Route {
  for (const name of ['continue', 'fetch'] as const) {
    const send = route[name].bind(route) as (options: object) => Promise<unknown>
    const sendInSession = (options: { readonly headers?: Headers } = {}): Promise<unknown> => {
      const headers = nameIn(route.request(), options.headers)
      return send(headers === undefined ? options : { ...options, headers })
    }
    Object.assign(route, { [name]: sendInSession })
  }
  return route
}

/** Extends the routes that a test adds to a context or page later. */
function extendRoutes(target: BrowserContext | Page, nameIn: NameIn): void {
  const [route, unroute] = [target.route.bind(target), target.unroute.bind(target)]
  const extended = new WeakMap<Handler, Handler>()
  target.route = (url, handler, options) => {
    const own: Handler =
      extended.get(handler) ?? ((one, request) => handler(addHeaderTo(one, nameIn), request) as unknown)
    extended.set(handler, own)
    return route(url, own, options)
  }
  target.unroute = (url, handler) => unroute(url, handler && (extended.get(handler) ?? handler))
}

/** Opens a server that sends requests on which Playwright would lose, because their page is being left. */
async function openRelay(send: (request: RelayedRequest) => Promise<Response>) {
  // Other pages do not know it.
  const path = `/${crypto.randomUUID()}`
  const server = createServer((incoming, outgoing) => {
    async function relay(): Promise<void> {
      // Written by the script of the page.
      const response = await send(JSON.parse(await text(incoming)) as RelayedRequest)
      const { status, headers } = response
      outgoing.end(JSON.stringify({ status, headers: [...headers], body: await response.text() }))
    }
    outgoing.setHeader('Access-Control-Allow-Origin', '*')
    if (incoming.url === path) relay().catch(() => outgoing.destroy())
    else outgoing.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The address of a server on a TCP port is an object.
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}${path}`, close: () => void server.close() }
}

/** The end of the URL of a shared worker's script. */
const MARK = 'resource-mock-session'

/**
 * Adds the session header to a context's requests to the mock, and to no others. Playwright intercepts these requests, so
 * it also answers their preflights. Routes defined by the test take precedence.
 *
 * @param mockUrl without a trailing slash
 * @param find finds the session that the context is in at the moment
 */
export async function sendHeader(
  context: BrowserContext,
  mockUrl: string,
  find: () => { readonly session: string; readonly send: Send },
): Promise<void> {
  const { href, origin, pathname } = new URL(mockUrl)
  const isToMock = (url: URL): boolean => url.origin === origin && url.pathname.startsWith(pathname)
  const nameIn: NameIn = (request, given) =>
    isToMock(new URL(request.url())) ? { ...(given ?? request.headers()), [SESSION_HEADER]: find().session } : undefined

  async function extendScript(route: Route): Promise<void> {
    // Chromium takes a script that Playwright answers for one from another network, which needs it to call this machine.
    // Other browsers do not know the permission.
    await context.grantPermissions(['local-network-access']).catch(() => undefined)
    const response = await route.fetch({
      url: route
        .request()
        .url()
        .slice(0, -MARK.length - 1),
    })
    const inWorker = { mockUrl: href, header: SESSION_HEADER, session: find().session }
    // On one line, so that the lines of the script keep their numbers.
    const start = `(${String(extendWorker)})(${JSON.stringify(inWorker)});`.replaceAll('\n', ' ')
    await route.fulfill({ response, body: start + (await response.text()) })
  }

  const [route, unrouteAll] = [context.route.bind(context), context.unrouteAll.bind(context)]
  // Not functions, for which Playwright would intercept every request of a page.
  async function addRoutes(): Promise<void> {
    await Promise.all([
      route(new RegExp(`^${href.replaceAll(/\W/g, '\\$&')}`), async (one) => {
        const headers = nameIn(one.request())
        await one.fallback(headers === undefined ? {} : { headers })
      }),
      route(new RegExp(`[?&]${MARK}$`), extendScript),
    ])
  }
  context.unrouteAll = async (options) => {
    await unrouteAll(options)
    await addRoutes()
  }
  extendRoutes(context, nameIn)
  for (const page of context.pages()) extendRoutes(page, nameIn)
  context.on('page', (page) => extendRoutes(page, nameIn))

  const relay = ({ url, method, headers, body }: RelayedRequest): Promise<Response> => {
    const { session, send } = find()
    const init: RequestInit = { method, headers: [...headers, [SESSION_HEADER, session]], body: body ?? null }
    return send(new Request(url, init))
  }
  const [{ url: relayUrl, close }] = await Promise.all([openRelay(relay), addRoutes()])
  context.once('close', close)
  await context.addInitScript(extendPage, { mockUrl: href, mark: MARK, relayUrl })
}
