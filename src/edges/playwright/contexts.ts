import type { BrowserContext } from '@playwright/test'
import { SESSION_COOKIE } from '../../service/http/request-head.ts'
import type { Send } from '../../admin/client/reach.ts'
import { sendHeader } from './header.ts'

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
  /** Sends a request that a page cannot send itself. */
  readonly send: Send
}

/** The entries of contexts: tests may share a context, and each enters it with its own session. */
const entries = new WeakMap<BrowserContext, Entry>()

const addCookies = (context: BrowserContext, { session, mockUrl, baseURL }: Entry): Promise<void> =>
  context.addCookies(toSessionCookies(session, [mockUrl, baseURL]))

/** Lets the cookies of the session survive a test that removes all cookies. Older versions of Playwright have one of both. */
function keepCookies(context: BrowserContext): void {
  for (const name of ['clearCookies', 'setStorageState'] as const) {
    const remove = context[name] as ((...given: readonly unknown[]) => Promise<unknown>) | undefined
    if (remove === undefined) continue
    const keep = async (...given: readonly unknown[]): Promise<unknown> => {
      const removed = await Reflect.apply(remove, context, given)
      const entry = entries.get(context)
      if (entry !== undefined) await addCookies(context, entry)
      return removed
    }
    Object.assign(context, { [name]: keep })
  }
}

/** Puts all pages of a context into a session. They leave the one that the context was in. */
export async function enterSession(context: BrowserContext, entry: Entry): Promise<void> {
  const known = entries.get(context)
  entries.set(context, entry)
  if (known === undefined) keepCookies(context)
  const isNewlyByHeader = entry.sessionBy === 'header' && known?.sessionBy !== 'header'
  await Promise.all([
    addCookies(context, entry),
    isNewlyByHeader && sendHeader(context, entry.mockUrl, () => entries.get(context) ?? entry),
  ])
}

/** Whether a context is in a session. */
export const isEntered = (context: BrowserContext): boolean => entries.has(context)
