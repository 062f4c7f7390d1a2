import type { BrowserContext } from '@playwright/test'
import { SESSION_HEADER } from '../http/session-name.ts'

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
