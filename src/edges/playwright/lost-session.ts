import type { Browser, BrowserContext, Response } from '@playwright/test'
import * as z from 'zod'
import type { AdminClient } from '../../admin/client/admin-client.ts'
import { isEntered } from './contexts.ts'
import type { Entry } from './contexts.ts'

/** What the pages of a test received from the mock. */
interface Received {
  /** Whether a page sent any request. */
  hasSent: boolean
  /** The correlation ids of responses, and whether the page's context had entered a session. */
  readonly ids: Map<string, boolean>
  readonly userAgents: Set<string>
}

/** Watches the browser contexts of a worker, entered or not: their responses say which requests were theirs. */
export function createPageWatch() {
  const watched = new WeakSet<BrowserContext>()
  let current: Received | undefined

  function note(context: BrowserContext, response: Response): void {
    if (current === undefined) return
    const agent = response.request().headers()['user-agent']
    const id = response.headers()['x-correlation-id']
    current.hasSent = true
    if (agent !== undefined) current.userAgents.add(agent)
    if (id !== undefined) current.ids.set(id, isEntered(context))
  }

  function watchContext(context: BrowserContext): void {
    if (watched.has(context)) return
    watched.add(context)
    context.on('response', (response) => note(context, response))
  }

  return {
    watchContext,
    watchBrowser(browser: Browser): void {
      for (const context of browser.contexts()) watchContext(context)
      // Older versions of Playwright have no such event.
      browser.on('context', watchContext)
    },
    /** Starts a test. */
    begin(): Received {
      current = { hasSent: false, ids: new Map(), userAgents: new Set() }
      return current
    },
  }
}

export type PageWatch = ReturnType<typeof createPageWatch>

/** The parts of journal entries that identify a request and its sender. */
const newest = z.object({
  requests: z.array(
    z.object({
      id: z.string(),
      correlationId: z.string(),
      request: z.object({ method: z.string(), url: z.string(), headers: z.record(z.string(), z.unknown()) }),
    }),
  ),
})
type Lost = z.output<typeof newest>['requests'][number]

interface LostSessionParts {
  readonly entry: Entry
  readonly received: Received
  /** A client for the default session, which receives requests without a session. */
  readonly unnamed: AdminClient
}

const read = async (client: AdminClient, query = ''): Promise<readonly Lost[]> =>
  newest.parse(await client.send('GET', `/requests${query}`)).requests

/** The id of the latest request of a session. */
export const readLatest = async (client: AdminClient): Promise<string | undefined> =>
  (await read(client, '?limit=1'))[0]?.id

const headerOf = ({ request: { headers } }: Lost, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

const isFromBrowser = (one: Lost): boolean =>
  headerOf(one, 'origin') !== undefined || headerOf(one, 'sec-fetch-mode') !== undefined

const toLine = (one: Lost): string => {
  const from = headerOf(one, 'origin') ?? headerOf(one, 'referer')
  return `  ${one.request.method} ${one.request.url}${from === undefined ? '' : ` from ${from}`}`
}

/** The maximum number of requests listed in a message. */
const MOST_SHOWN = 3

const USE_HEADER = "set sessionBy: 'header' in `use` of the Playwright configuration, which needs no change in the app"

/** Says why a request had no session, and what to do. */
function explain(one: Lost, { entry, received }: LostSessionParts): string {
  const { mockUrl, baseURL, sessionBy } = entry
  const mock = new URL(mockUrl)
  if (received.ids.get(one.correlationId) === false) {
    return 'A browser context that the test created has not entered the session. Call `await mock.enter(context)`.'
  }
  if (!isFromBrowser(one)) {
    return "It came from a server, not from a page. Let the app's server forward the Cookie header of the incoming request, such as with forwardSession."
  }
  const host = headerOf(one, 'host')
  const isOther =
    host !== undefined &&
    (sessionBy === 'header' ? host !== mock.host : new URL(`http://${host}`).hostname !== mock.hostname)
  if (isOther && host !== (baseURL === undefined ? undefined : new URL(baseURL).host)) {
    return `It was sent to ${host}, but mockUrl is ${mockUrl}, and only that address gets the session. Use the same address in both.`
  }
  if (sessionBy === 'header') {
    return "Playwright cannot add the header to it, such as to the request of a page's sendBeacon or of a worker from a blob. Use mock.url as the base URL of the API there."
  }
  const from = headerOf(one, 'origin') ?? headerOf(one, 'referer')
  const page = from !== undefined && URL.canParse(from) ? new URL(from) : undefined
  if (page?.protocol === 'https:' && mock.protocol === 'http:') {
    return `A page with https sends no cookies to a mock with http. Start the mock with --tls-cert and --tls-key, or ${USE_HEADER}.`
  }
  if (page !== undefined && page.hostname !== mock.hostname) {
    return `The app is at ${page.hostname} and the mock at ${mock.hostname}, so the browser withholds the cookie. Use one host name for both, or ${USE_HEADER}.`
  }
  return `The page sends no cookies to another origin. In the app, call fetch(url, { credentials: 'include' }), or ${USE_HEADER}.`
}

/** A test that has ended, as far as its lost requests depend on it. */
export interface EndedTest {
  /** The id of the latest request without a session before the test. */
  readonly before: string | undefined
  /** The id of the latest one after it. */
  readonly after: string | undefined
  /** Whether its own session has received any request. */
  readonly hasRequests: boolean
  /** Whether to suspect requests, too, that were sent at the same time and are not known to be another's. */
  readonly hasFailed: boolean
}

/**
 * Finds the requests of a test that were answered from the default session.
 *
 * @returns a paragraph with the cause and the remedy; undefined if no request was lost
 */
export async function explainLostSession(
  parts: LostSessionParts,
  { before, after, hasRequests, hasFailed }: EndedTest,
): Promise<string | undefined> {
  const { received, unnamed } = parts

  /** A test that sent nothing has lost nothing, and a browser with another name is somebody else's. */
  const isSuspect = (one: Lost): boolean =>
    isFromBrowser(one) ? received.hasSent && received.userAgents.has(headerOf(one, 'user-agent') ?? '') : true

  async function findLost(): Promise<readonly Lost[]> {
    if (after === before || (!hasFailed && received.ids.size === 0)) return []
    const requests = await read(unnamed)
    const end = requests.findIndex(({ id }) => id === before)
    const recent = end === -1 ? requests : requests.slice(0, end)
    const known = recent.filter(({ correlationId }) => received.ids.has(correlationId))
    return known.length > 0 || !hasFailed || hasRequests ? known : recent.filter(isSuspect)
  }

  const lost = await findLost()
  if (lost.length === 0) return undefined
  const shown = [...new Set(lost.map(toLine))]
  const more = shown.length - MOST_SHOWN
  return [
    'The mock received requests without this test\'s session while the test ran, and answered them from the session "default":',
    ...shown.slice(0, MOST_SHOWN),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...new Set(lost.map((one) => explain(one, parts))),
  ].join('\n')
}
