import { describe, expect, it } from 'vitest'
import { createAdminClient } from '../../../src/admin/client/admin-client.ts'
import { explainLostSession, readLatest } from '../../../src/edges/playwright/lost-session.ts'
import type { SessionBy } from '../../../src/edges/playwright/contexts.ts'
import { createMock } from '../../../src/mock.ts'

const AGENT = 'Mozilla/5.0 HeadlessChrome/156'
const REMEDY =
  /sessionBy: 'header'|credentials|forwardSession|mock\.enter|Use the same address|Start the mock with|Use one host/g

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
  const entry = { session: 'mine', mockUrl, baseURL, sessionBy, send: mock.fetch }
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
  it.each<[string, Trial, string, readonly string[]]>([
    ['no credentials', {}, 'sends no cookies to another origin', ['credentials', "sessionBy: 'header'"]],
    [
      'another host name of the app',
      { headers: { ...fromPage, Origin: 'http://127.0.0.1:5173' } },
      'The app is at 127.0.0.1 and the mock at localhost, so the browser withholds the cookie.',
      ['Use one host', "sessionBy: 'header'"],
    ],
    [
      'another host name of the mock',
      { headers: { ...fromPage, Host: '127.0.0.1:4010' } },
      'It was sent to 127.0.0.1:4010, but mockUrl is http://localhost:4010',
      ['Use the same address'],
    ],
    [
      'another address of the mock, by header',
      { sessionBy: 'header', headers: { ...fromPage, Host: '127.0.0.1:4010' } },
      'It was sent to 127.0.0.1:4010, but mockUrl is http://localhost:4010',
      ['Use the same address'],
    ],
    [
      'another scheme',
      { headers: { ...fromPage, Origin: 'https://localhost:5173' } },
      'A page with https sends no cookies to a mock with http.',
      ['Start the mock with', "sessionBy: 'header'"],
    ],
    ['a worker that cannot be routed', { sessionBy: 'header' }, 'Playwright cannot add the header to it', []],
    ['a context that did not enter', { isEntered: false }, 'has not entered the session', ['mock.enter']],
    ['a server', { headers: {} }, 'It came from a server, not from a page.', ['forwardSession']],
  ])('is explained by its cause, with no remedy that is in place: %s', async (_name, trial, cause, remedies) => {
    const text = (await explain(trial)) ?? expect.fail('Nothing was told.')
    expect(text).toContain('\n  GET /acme/resource')
    expect(text).not.toContain('key=before')
    expect(text).toContain(cause)
    expect([...new Set(text.match(REMEDY) ?? [])].toSorted()).toEqual(remedies.toSorted())
  })

  it('is told in a test that passed, too, if a page of the test received the response', async () => {
    expect(await explain({ hasFailed: false, isEntered: true })).toContain('sends no cookies')
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
