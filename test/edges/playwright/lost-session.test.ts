import { describe, expect, it } from 'vitest'
import { createAdminClient } from '../../../src/admin/client/admin-client.ts'
import { explainLostSession, readLatest } from '../../../src/edges/playwright/lost-session.ts'
import type { SessionBy } from '../../../src/edges/playwright/contexts.ts'
import { createMock } from '../../../src/mock.ts'

const AGENT = 'Mozilla/5.0 HeadlessChrome/156'
interface Trial {
  readonly sessionBy?: SessionBy
  readonly mockUrl?: string
  readonly baseURL?: string
  /** Headers of the request without a session; those of a page by default. */
  readonly headers?: Readonly<Record<string, string>>
  /** Whether the response was seen in a page, and its context had entered the session. */
  readonly isEntered?: boolean
  readonly hasSent?: boolean
  readonly hasFailed?: boolean
  /** Whether the test's own session received requests. */
  readonly hasRequests?: boolean
}

const fromPage = {
  Origin: 'http://localhost:5173',
  Host: 'localhost:4010',
  'Sec-Fetch-Mode': 'cors',
  'User-Agent': AGENT,
}

/** What a test is told after a request without a session. */
async function explain({
  sessionBy = 'cookie',
  mockUrl = 'http://localhost:4010',
  baseURL = 'http://localhost:5173',
  headers = fromPage,
  isEntered,
  hasSent = true,
  hasFailed = true,
  hasRequests = false,
}: Trial): Promise<string | undefined> {
  const mock = await createMock({ auth: 'off' })
  const admin = { baseUrl: 'http://127.0.0.1:4010', send: mock.fetch }
  const entry = { session: 'mine', mockUrl, baseURL, sessionBy }
  const received = { hasSent, ids: new Map<string, boolean>(), userAgents: new Set(hasSent ? [AGENT] : []) }
  const unnamed = createAdminClient(admin)
  await mock.fetch(`${mockUrl}/acme/resource/key=before`)
  const before = await readLatest(unnamed)
  const response = await mock.fetch(`${mockUrl}/acme/resource`, { headers })
  if (isEntered !== undefined) received.ids.set(response.headers.get('X-Correlation-ID') ?? '', isEntered)
  const ended = { before, after: await readLatest(unnamed), hasRequests, hasFailed }
  return explainLostSession({ entry, received, unnamed }, ended)
}

describe('a request of a page without its session', () => {
  it.each<[string, Trial, string]>([
    [
      'no credentials',
      {},
      'The page sent no cookie: give the app and the mock the same scheme and host name, and call',
    ],
    [
      'another host name of the mock',
      { headers: { ...fromPage, Host: '127.0.0.1:4010' } },
      'It was sent to 127.0.0.1:4010, but only http://localhost:4010 gets the session',
    ],
    [
      'another address of the mock, by header',
      { sessionBy: 'header', headers: { ...fromPage, Host: 'localhost:4011' } },
      'It was sent to localhost:4011, but only http://localhost:4010 gets the session',
    ],
    ['a route that continues', { sessionBy: 'header' }, 'call `fallback()` instead of `continue()` or `fetch()`'],
    ['a context that did not enter', { isEntered: false }, 'call `await mock.enter(context)`'],
    ['a server', { headers: {} }, "The app's server sent it: forward the Cookie header"],
  ])('is explained in one sentence: %s', async (_name, trial, cause) => {
    const lines = (await explain(trial))?.split('\n') ?? expect.fail('Nothing was told.')
    expect(lines).toHaveLength(4)
    expect(lines[1]).toContain('  GET /acme/resource')
    expect(lines[2]).toContain(cause)
    expect(lines[3]).toBe('See docs/playwright-setup.md#how-requests-find-their-session')
  })

  it('is told in a test that passed, too, if a page of the test received the response', async () => {
    expect(await explain({ hasFailed: false, isEntered: true })).toContain('The page sent no cookie')
    expect(await explain({ hasFailed: false })).toBeUndefined()
  })

  it.each([
    ["of somebody else's browser", { headers: { ...fromPage, 'User-Agent': 'Mozilla/5.0 Firefox/150' } }],
    ['while the test sent none itself', { hasSent: false }],
    ["while the test's session received others", { hasRequests: true }],
  ])("is not the test's: %s", async (_name, trial) => {
    expect(await explain(trial)).toBeUndefined()
  })
})
