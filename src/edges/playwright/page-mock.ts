import { createAdminClient } from '../../admin/client/admin-client.ts'
import { createAdminSend } from '../../admin/client/reach.ts'
import { connectMockBy } from '../../admin/client/session-client.ts'
import { enterSession } from './contexts.ts'
import type { Entry, SessionBy } from './contexts.ts'
import { watchForLostSession } from './lost-session.ts'
import type { LostSession, PageWatch } from './lost-session.ts'
import { inSession, toSend } from './requests.ts'
import { createJournalReader } from './server.ts'
import type { JournalReader, MockServer } from './server.ts'
import type { APIRequestContext, BrowserContext } from '@playwright/test'
import type { SessionHandle } from '../../admin/client/session-handle.ts'

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
  /** @internal Puts the requests of a request context into this session. */
  enterRequests(request: APIRequestContext): APIRequestContext
  /** @internal Used by the matchers and attachments. */
  readonly journal: JournalReader
  /** @internal Where the pages send their requests, for a session that received none. */
  readonly hint: string
  /** @internal Returns the page that shows what the mock saw; undefined if the mock cannot create it. */
  share(): Promise<string | undefined>
  /** @internal The names of the active scenarios. */
  activeScenarios(): Promise<readonly string[]>
  /** @internal Remembers the latest request without a session before the test. */
  watchForLostSession(pages: PageWatch): Promise<LostSession>
  /**
   * @internal Deletes the session permanently: requests from a page that outlive the test must not create it again (D90).
   */
  retire(): Promise<void>
}

/** How long a test waits for its share file, in milliseconds. */
const SHARE_FILE_TIMEOUT = 10_000

/** Creates the `mock` fixture of a test. */
export function createPageMock({
  server,
  name,
  baseURL,
  sessionBy,
  ignoresHttpsErrors,
}: {
  readonly server: MockServer
  readonly name: string
  /** The app's origin, whose server may forward requests to the mock. */
  readonly baseURL: string | undefined
  readonly sessionBy: SessionBy
  readonly ignoresHttpsErrors: boolean | undefined
}): PageMock {
  const { url, adminToken: token } = server
  const send = toSend(url, ignoresHttpsErrors)
  const handle = connectMockBy(send, url, token === undefined ? {} : { token }).session(name)
  const admin = { baseUrl: url, token, send: createAdminSend(url, send) }
  const entry: Entry = { session: name, mockUrl: url, baseURL, sessionBy, send }
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
    hint:
      sessionBy === 'header'
        ? `Does the page send its requests to ${url}?`
        : `Does the page send its requests to ${handle.url}, or to ${url} with the cookie mock-session?`,
    async share() {
      const signal = AbortSignal.timeout(SHARE_FILE_TIMEOUT)
      const request = new Request(`${url}/__admin/share.html?session=${name}`, { signal })
      if (token !== undefined) request.headers.set('Authorization', `Bearer ${token}`)
      const response = await send(request).catch(() => undefined)
      return response?.ok === true ? response.text() : undefined
    },
    watchForLostSession: (pages) =>
      watchForLostSession({ own, unnamed: createAdminClient(admin), entry, received: pages.begin() }),
    enter: (context) => enterSession(context, entry),
    enterRequests: (request) => inSession(request, entry),
  }
}

/** Whether a value is the `mock` fixture of a test. */
export const isPageMock = (value: unknown): value is PageMock =>
  typeof value === 'object' && value !== null && 'journal' in value && 'enter' in value
