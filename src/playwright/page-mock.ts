import * as z from 'zod'
import { SESSION_COOKIE, SESSION_HEADER } from '../http/request-head.ts'
import { createAdminClient } from '../client/admin-client.ts'
import type { AdminClient } from '../client/admin-client.ts'
import { connectMock } from '../client/session-client.ts'
import { createJournalReader } from './server.ts'
import type { JournalReader, MockServer } from './server.ts'
import type { APIRequestContext, PlaywrightWorkerArgs, BrowserContext } from '@playwright/test'
import type { SessionHandle } from '../client/session-handle.ts'

/** What of the journal's newest requests says whose they were. */
const newest = z.object({
  requests: z.array(
    z.object({
      id: z.string(),
      request: z.object({ method: z.string(), url: z.string(), headers: z.record(z.string(), z.unknown()) }),
    }),
  ),
})
type Lost = z.output<typeof newest>['requests'][number]

/** Tells, of a test that failed, whether its requests went to another session. */
export interface LostSession {
  /** A paragraph that says so and how to fix it; undefined where the test's own session received something. */
  explain(): Promise<string | undefined>
}

interface LostSessionParts {
  /** Acts on the session of the test. */
  readonly own: AdminClient
  /** Acts on the session of requests that name none. */
  readonly unnamed: AdminClient
  readonly mockUrl: string
  /** The app's own origin. */
  readonly baseURL: string | undefined
}

const toLine = ({ request: { method, url, headers } }: Lost): string => {
  const from = headers['origin'] ?? headers['referer']
  return `  ${method} ${url}${typeof from === 'string' ? ` from ${from}` : ''}`
}

/** As many as a person reads. */
const MOST_SHOWN = 3

function explainCookie({ mockUrl, baseURL }: Pick<LostSessionParts, 'mockUrl' | 'baseURL'>): string {
  const [mock, app] = [new URL(mockUrl).hostname, baseURL === undefined ? undefined : new URL(baseURL).hostname]
  return app === undefined || app === mock
    ? '.'
    : `, and use one host name for both: the app is at ${app} and the mock at ${mock}, so the browser keeps the cookie back.`
}

/** Remembers which requests without a session were there before the test. */
export async function watchForLostSession(parts: LostSessionParts): Promise<LostSession> {
  const { own, unnamed } = parts
  const [last] = newest.parse(await unnamed.ask('GET', '/requests?limit=1')).requests

  async function findLost(): Promise<readonly Lost[]> {
    if (newest.parse(await own.ask('GET', '/requests?limit=1')).requests.length > 0) return []
    const { requests } = newest.parse(await unnamed.ask('GET', '/requests'))
    const end = requests.findIndex(({ id }) => id === last?.id)
    return end === -1 ? requests : requests.slice(0, end)
  }

  return {
    async explain() {
      const lost = await findLost()
      if (lost.length === 0) return undefined
      const shown = [...new Set(lost.map(toLine))].slice(0, MOST_SHOWN)
      return [
        "The mock received no requests in this test's session, but it did receive requests without a session while the test ran:",
        ...shown,
        'They were answered with the data of the session "default". To send them in the session of the test, do one of these:',
        "- Set sessionBy: 'header' in `use` of the Playwright configuration. The app stays as it is.",
        `- In the app, call fetch(url, { credentials: 'include' })${explainCookie(parts)}`,
        '- If the app calls the mock from its own server, pass on the Cookie header of the incoming request.',
        '- Give the app mock.url as the base URL of its API.',
      ].join('\n')
    },
  }
}

/** A session's cookie for one host. */
interface SessionCookie {
  readonly name: string
  readonly value: string
  readonly url: string
}

/** A cookie does not tell ports apart (RFC 6265, section 8.5), so one a host name. */
export function toCookies(session: string, urls: readonly (string | undefined)[]): SessionCookie[] {
  const hosts = new Map(urls.filter((url) => url !== undefined).map((url) => [new URL(url).hostname, url]))
  return Array.from(hosts.values(), (url) => ({ name: SESSION_COOKIE, value: session, url: new URL('/', url).href }))
}

/** As Playwright keeps a cookie that it is to start with. */
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
 * Makes what sends requests as another one does, with these cookies added; one that is there already takes no more.
 *
 * @returns what has to be disposed of
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
 * Adds the session's header to each request of a context that goes to the mock, and to no other request. The browser's
 * preflights are answered by Playwright, since it intercepts the requests. Routes of the test itself come first.
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

/** How the requests of a page name the session of its test. */
export type SessionBy = 'cookie' | 'header'

/**
 * What a test has of the mock: a session of its own, that of every request which the test's page sends to it.
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
   * Makes all pages of a browser context send their requests in this session, as those of the fixture `context` do. For
   * tests with a second person.
   *
   * @example
   * const other = await browser.newContext()
   * await mock.enter(other)
   */
  enter(context: BrowserContext): Promise<void>
  /** @internal What the matcher and the attachments read. */
  readonly journal: JournalReader
  /** @internal Remembers which requests named no session before the test began. */
  watchForLostSession(): Promise<LostSession>
  /** @internal Ends the session for good: what a page had under way when its test ended must not begin it again (D90). */
  retire(): Promise<void>
}

/** Creates what a test has of a mock. */
export function createPageMock({
  server,
  name,
  baseURL,
  sessionBy,
}: {
  readonly server: MockServer
  readonly name: string
  /** The app's own origin, which may pass requests on to the mock. */
  readonly baseURL: string | undefined
  readonly sessionBy: SessionBy
}): PageMock {
  const { url, adminToken: token } = server
  const handle = connectMock(url, token === undefined ? {} : { token }).session(name)
  const admin = { baseUrl: url, token, send: fetch }
  const own = createAdminClient({ ...admin, session: name })
  return {
    ...handle,
    async retire() {
      await createAdminClient(admin).ask('DELETE', `/sessions/${name}?final=true`)
    },
    journal: createJournalReader(own),
    watchForLostSession: () => watchForLostSession({ own, unnamed: createAdminClient(admin), mockUrl: url, baseURL }),
    async enter(context) {
      // In both cases: the app's own server may pass the cookie on.
      await context.addCookies(toCookies(name, [url, baseURL]))
      if (sessionBy === 'header') await nameSessionInHeader(context, name, url)
    },
  }
}

/** Whether a value is the mock of a test. */
export const isPageMock = (value: unknown): value is PageMock =>
  typeof value === 'object' && value !== null && 'journal' in value && 'enter' in value
