import type { BrowserContext } from '@playwright/test'
import { createAdminClient } from '../sessions/admin-client.ts'
import { connectMock } from '../sessions/connect.ts'
import type { SessionHandle } from '../sessions/session-handle.ts'
import { createJournalReader } from './journal-reader.ts'
import type { JournalReader } from './journal-reader.ts'
import type { MockServer } from './server.ts'
import { toCookies } from './session-cookies.ts'

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
   * Has all pages of a browser context send their requests as this session, as those of the fixture `context` do. For
   * tests with a second person in them.
   *
   * @example
   * const other = await browser.newContext()
   * await mock.enter(other)
   */
  enter(context: BrowserContext): Promise<void>
  /** @internal What the matcher and the attachments read. */
  readonly journal: JournalReader
  /** @internal Ends the session for good: what a page had under way when its test ended must not begin it anew (D90). */
  retire(): Promise<void>
}

interface PageMockParts {
  readonly server: MockServer
  readonly name: string
  /** The app's own origin, which may pass requests on to the mock. */
  readonly baseURL: string | undefined
}

/** Creates what a test has of a mock. */
export function createPageMock({ server: { url, adminToken: token }, name, baseURL }: PageMockParts): PageMock {
  const handle = connectMock(url, token === undefined ? {} : { token }).session(name)
  const admin = { baseUrl: url, token, send: fetch }
  return {
    ...handle,
    async retire() {
      await createAdminClient(admin).ask('DELETE', `/sessions/${name}?final=true`)
    },
    journal: createJournalReader(createAdminClient({ ...admin, session: name })),
    enter: (context) => context.addCookies(toCookies(name, [url, baseURL])),
  }
}

/** Whether a value is the mock of a test. */
export const isPageMock = (value: unknown): value is PageMock =>
  typeof value === 'object' && value !== null && 'journal' in value && 'enter' in value
