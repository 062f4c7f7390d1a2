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

const toLostLine = (one: Lost): string => {
  const from = headerOf(one, 'origin') ?? headerOf(one, 'referer')
  return `  ${one.request.method} ${one.request.url}${from === undefined ? '' : ` from ${from}`}`
}

/** The maximum number of requests listed in a message. */
const MOST_LOST_SHOWN = 3

/** Says in one sentence why a request had no session, and what to do. */
function explainLoss(one: Lost, { entry: { mockUrl, baseURL, sessionBy }, received }: LostSessionParts): string {
  if (received.ids.get(one.correlationId) === false)
    return 'The test created this browser context itself: call `await mock.enter(context)`.'
  if (!isFromBrowser(one))
    return "The app's server sent it: forward the Cookie header of the incoming request, such as with forwardSession."
  const host = headerOf(one, 'host')
  // Cookies ignore ports.
  const part = sessionBy === 'header' ? 'host' : 'hostname'
  const known = [mockUrl, baseURL].flatMap((url) => (url === undefined ? [] : new URL(url)[part]))
  if (host !== undefined && !known.includes(new URL(`http://${host}`)[part]))
    return `It was sent to ${host}, but only ${mockUrl} gets the session: use the same address in both.`
  return sessionBy === 'header'
    ? "Playwright did not add the header: a test's own route has to call `fallback()` instead of `continue()` or `fetch()`, and a shared worker, `sendBeacon` or a page that is being left needs the cookie."
    : "The page sent no cookie: give the app and the mock the same scheme and host name, and call fetch(url, { credentials: 'include' }), or set sessionBy: 'header' in `use`."
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
  const shown = [...new Set(lost.map(toLostLine))]
  const more = shown.length - MOST_LOST_SHOWN
  return [
    'The mock received requests without this test\'s session while the test ran, and answered them from the session "default":',
    ...shown.slice(0, MOST_LOST_SHOWN),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...new Set(lost.map((one) => explainLoss(one, parts))),
    'See docs/playwright-setup.md#how-requests-find-their-session',
  ].join('\n')
}
