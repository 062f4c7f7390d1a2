import type { BrowserContext } from '@playwright/test'
import { createAdminClient } from '../client/admin-client.ts'
import { connectMock } from '../client/connect.ts'
import type { SessionHandle } from '../client/session-handle.ts'
import { createJournalReader } from './journal-reader.ts'
import type { JournalReader } from './journal-reader.ts'
import { watchForLostSession } from './lost-session.ts'
import type { LostSession } from './lost-session.ts'
import type { MockServer } from './server.ts'
import { toCookies } from './session-cookies.ts'
import { nameSessionInHeader } from './session-header.ts'

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

interface PageMockParts {
  readonly server: MockServer
  readonly name: string
  /** The app's own origin, which may pass requests on to the mock. */
  readonly baseURL: string | undefined
  readonly sessionBy: SessionBy
}

/** Creates what a test has of a mock. */
export function createPageMock({ server, name, baseURL, sessionBy }: PageMockParts): PageMock {
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
