import type { BrowserContext, Route } from '@playwright/test'
import { SESSION_COOKIE, SESSION_HEADER } from '../../service/http/request-head.ts'
import { escapeExpression } from '../../util/quote.ts'

/** How requests from a page name the session of its test. */
export type SessionBy = 'cookie' | 'header'

/** A session cookie for one host. */
interface SessionCookie {
  readonly name: string
  readonly value: string
  readonly url: string
}

/** One cookie per host name, because cookies ignore ports (RFC 6265, section 8.5). */
function toSessionCookies(session: string, urls: readonly (string | undefined)[]): readonly SessionCookie[] {
  const hosts = new Map(urls.filter((url) => url !== undefined).map((url) => [new URL(url).hostname, url]))
  return Array.from(hosts.values(), (url) => ({ name: SESSION_COOKIE, value: session, url: new URL('/', url).href }))
}

/** The session that a browser context is in. */
export interface Entry {
  readonly session: string
  readonly mockUrl: string
  /** The app's origin, whose server may forward requests to the mock. */
  readonly baseURL: string | undefined
  readonly sessionBy: SessionBy
}

/**
 * Adds the session header to a context's requests to the mock, and to no others, for which the browser would ask by a
 * preflight. Playwright intercepts these requests, so it also answers their preflights. The test's own routes, which are
 * added later, take precedence.
 *
 * @returns a function that removes the route
 */
async function sendHeader(context: BrowserContext, { session, mockUrl }: Entry): Promise<() => Promise<void>> {
  // Not a function, for which Playwright would intercept every request of a page.
  const toMock = new RegExp(`^${escapeExpression(new URL(mockUrl).href)}`)
  const addHeader = (route: Route): Promise<void> =>
    route.fallback({ headers: { ...route.request().headers(), [SESSION_HEADER]: session } })
  await context.route(toMock, addHeader)
  return () => context.unroute(toMock, addHeader)
}

/** How contexts leave the session that they are in: tests may share a context, and each enters it with its own session. */
const entered = new WeakMap<BrowserContext, () => Promise<void>>()

/** Puts all pages of a context into a session. They leave the one that the context was in. */
export async function enterSession(context: BrowserContext, entry: Entry): Promise<void> {
  const { session, mockUrl, baseURL, sessionBy } = entry
  await entered.get(context)?.()
  entered.set(context, sessionBy === 'header' ? await sendHeader(context, entry) : () => Promise.resolve())
  await context.addCookies(toSessionCookies(session, [mockUrl, baseURL]))
}

/** Whether a context is in a session. */
export const isEntered = (context: BrowserContext): boolean => entered.has(context)
