import type { APIRequestContext, PlaywrightWorkerArgs } from '@playwright/test'
import { SESSION_COOKIE } from '../http/session-name.ts'

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
