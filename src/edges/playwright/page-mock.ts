import * as z from 'zod'
import { SESSION_COOKIE, SESSION_HEADER } from '../../service/http/request-head.ts'
import { createAdminClient } from '../../admin/client/admin-client.ts'
import type { AdminClient } from '../../admin/client/admin-client.ts'
import { createAdminSend } from '../../admin/client/reach.ts'
import { connectMock } from '../../admin/client/session-client.ts'
import { createJournalReader } from './server.ts'
import type { JournalReader, MockServer } from './server.ts'
import type { APIRequestContext, PlaywrightWorkerArgs, BrowserContext } from '@playwright/test'
import type { SessionHandle } from '../../admin/client/session-handle.ts'

/** The parts of journal entries that identify a request and its sender. */
const newest = z.object({
  requests: z.array(
    z.object({
      id: z.string(),
      request: z.object({ method: z.string(), url: z.string(), headers: z.record(z.string(), z.unknown()) }),
    }),
  ),
})
type Lost = z.output<typeof newest>['requests'][number]

/** Detects, when a test fails, that its requests went to another session. */
export interface LostSession {
  /**
   * Returns a paragraph with the cause and the remedy; undefined if the test's session received requests or none went
   * elsewhere.
   */
  explain(): Promise<string | undefined>
}

interface LostSessionParts {
  /** A client for the test's session. */
  readonly own: AdminClient
  /** A client for the default session, which receives requests without a session. */
  readonly unnamed: AdminClient
  readonly mockUrl: string
  /** The app's origin. */
  readonly baseURL: string | undefined
}

const toLine = ({ request: { method, url, headers } }: Lost): string => {
  const from = headers['origin'] ?? headers['referer']
  return `  ${method} ${url}${typeof from === 'string' ? ` from ${from}` : ''}`
}

/** The maximum number of requests listed in a message. */
const MOST_SHOWN = 3

function explainCookie({ mockUrl, baseURL }: Pick<LostSessionParts, 'mockUrl' | 'baseURL'>): string {
  const [mock, app] = [new URL(mockUrl).hostname, baseURL === undefined ? undefined : new URL(baseURL).hostname]
  return app === undefined || app === mock
    ? '.'
    : `, and use one host name for both: the app is at ${app} and the mock at ${mock}, so the browser withholds the cookie.`
}

/** Remembers the latest request without a session before the test. */
export async function watchForLostSession(parts: LostSessionParts): Promise<LostSession> {
  const { own, unnamed } = parts
  const [last] = newest.parse(await unnamed.send('GET', '/requests?limit=1')).requests

  async function findLost(): Promise<readonly Lost[]> {
    if (newest.parse(await own.send('GET', '/requests?limit=1')).requests.length > 0) return []
    const { requests } = newest.parse(await unnamed.send('GET', '/requests'))
    const end = requests.findIndex(({ id }) => id === last?.id)
    return end === -1 ? requests : requests.slice(0, end)
  }

  return {
    async explain() {
      const lost = await findLost()
      if (lost.length === 0) return undefined
      const shown = [...new Set(lost.map(toLine))].slice(0, MOST_SHOWN)
      return [
        "The mock received no requests in this test's session, but did receive requests without a session while the test ran:",
        ...shown,
        'They were answered with data from the session "default". To send them in the test\'s session, do one of these:',
        "- Set sessionBy: 'header' in `use` of the Playwright configuration. The app needs no change.",
        `- In the app, call fetch(url, { credentials: 'include' })${explainCookie(parts)}`,
        '- If the app calls the mock from its own server, forward the Cookie header of the incoming request.',
        '- Use mock.url as the base URL of the API in the app.',
      ].join('\n')
    },
  }
}

/** A session cookie for one host. */
interface SessionCookie {
  readonly name: string
  readonly value: string
  readonly url: string
}

/** One cookie per host name, because cookies ignore ports (RFC 6265, section 8.5). */
export function toCookies(session: string, urls: readonly (string | undefined)[]): SessionCookie[] {
  const hosts = new Map(urls.filter((url) => url !== undefined).map((url) => [new URL(url).hostname, url]))
  return Array.from(hosts.values(), (url) => ({ name: SESSION_COOKIE, value: session, url: new URL('/', url).href }))
}

/** Converts a cookie to Playwright's storage state. */
const toStored = ({ name, value, url }: SessionCookie) => ({
  name,
  value,
  domain: new URL(url).hostname,
  path: '/',
  expires: -1,
  httpOnly: false,
  secure: false,
  sameSite: 'Lax' as const,
})

/**
 * Creates a copy of a request context with additional cookies, because they cannot be added to an existing one.
 *
 * @returns a context that the caller must dispose of
 */
export async function withCookies(
  playwright: PlaywrightWorkerArgs['playwright'],
  request: APIRequestContext,
  cookies: readonly SessionCookie[],
): Promise<APIRequestContext> {
  const state = await request.storageState()
  const storageState = { ...state, cookies: [...state.cookies, ...cookies.map(toStored)] }
  return playwright.request.newContext({ storageState })
}

/**
 * Adds the session header to a context's requests to the mock, and to no others. Playwright intercepts these requests, so
 * it also answers their preflights. Routes defined by the test take precedence.
 */
export async function nameSessionInHeader(context: BrowserContext, session: string, mockUrl: string): Promise<void> {
  const { origin, pathname } = new URL(mockUrl)
  await context.route(
    (url) => url.origin === origin && url.pathname.startsWith(pathname),
    async (route) => {
      await route.fallback({ headers: { ...route.request().headers(), [SESSION_HEADER]: session } })
    },
  )
}

/** How requests from a page name the session of its test. */
export type SessionBy = 'cookie' | 'header'

/**
 * The mock in a test: a session handle. All requests of the test's page use this session.
 *
 * @example
 * test('saves after a conflict', async ({ page, mock }) => {
 *   await mock.use('conflict-once')
 *   await page.goto('/')
 *   await page.getByRole('button', { name: 'Save' }).click()
 *   await expect(mock).toHaveReceived({ operation: 'updateResource' }, { times: 2 })
 * })
 */
export interface PageMock extends SessionHandle {
  /**
   * Makes all pages of a browser context use this session, like the pages of the `context` fixture. For tests with a second
   * user.
   *
   * @example
   * const other = await browser.newContext()
   * await mock.enter(other)
   */
  enter(context: BrowserContext): Promise<void>
  /** @internal Used by the matchers and attachments. */
  readonly journal: JournalReader
  /** @internal The names of the active scenarios. */
  activeScenarios(): Promise<readonly string[]>
  /** @internal Remembers the latest request without a session before the test. */
  watchForLostSession(): Promise<LostSession>
  /**
   * @internal Deletes the session permanently: requests from a page that outlive the test must not create it again (D90).
   */
  retire(): Promise<void>
}

/** Creates the `mock` fixture of a test. */
export function createPageMock({
  server,
  name,
  baseURL,
  sessionBy,
}: {
  readonly server: MockServer
  readonly name: string
  /** The app's origin, whose server may forward requests to the mock. */
  readonly baseURL: string | undefined
  readonly sessionBy: SessionBy
}): PageMock {
  const { url, adminToken: token } = server
  const handle = connectMock(url, token === undefined ? {} : { token }).session(name)
  const admin = { baseUrl: url, token, send: createAdminSend(url) }
  const own = createAdminClient({ ...admin, session: name })
  return {
    ...handle,
    async retire() {
      await createAdminClient(admin).send('DELETE', `/sessions/${name}?final=true`)
    },
    journal: createJournalReader(own),
    async activeScenarios() {
      // The response type of src/admin/api/scenarios.ts.
      const { active } = (await own.send('GET', '/scenarios/active')) as { readonly active: readonly string[] }
      return active
    },
    watchForLostSession: () => watchForLostSession({ own, unnamed: createAdminClient(admin), mockUrl: url, baseURL }),
    async enter(context) {
      // With either value of sessionBy, because the app's server may forward the cookie.
      await context.addCookies(toCookies(name, [url, baseURL]))
      if (sessionBy === 'header') await nameSessionInHeader(context, name, url)
    },
  }
}

/** Whether a value is the `mock` fixture of a test. */
export const isPageMock = (value: unknown): value is PageMock =>
  typeof value === 'object' && value !== null && 'journal' in value && 'enter' in value
