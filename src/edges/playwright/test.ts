import { test as base } from '@playwright/test'
import { expectPeer } from '../../util/peer.ts'
import type { MockTestFixtures, MockTestOptions, MockWorkerFixtures, MockWorkerOptions } from './fixtures.ts'
import './run.ts'

expectPeer({ entry: 'resource-mock/playwright', name: '@playwright/test', title: 'Playwright', least: '1.45' })

/** A fixture that extends one of Playwright's: another step in the report would say nothing, but take time. */
const INSIDE = { scope: 'test', box: 'self' } as const

// Loaded on demand: Playwright's runner imports every test, but only the workers run them. Once, because in a worker each
// import waits for the thread of Playwright's module loader.
const importFixtures = () => import('./fixtures.ts')
let loading: ReturnType<typeof importFixtures> | undefined
const load = () => (loading ??= importFixtures())

/**
 * Playwright's `test` with the fixture `mock`. The pages of each test and its `request` fixture use the test's session. If
 * the test fails, its report contains the session's journal, as data and as a page.
 *
 * @example
 * import { expect, test } from 'resource-mock/playwright'
 *
 * test('shows that the service is down', async ({ page, mock }) => {
 *   await mock.use('unavailable')
 *   await page.goto('/')
 *   await expect(page.getByRole('alert')).toBeVisible()
 * })
 */
export const test = base.extend<MockTestFixtures & MockTestOptions, MockWorkerFixtures & MockWorkerOptions>({
  mockUrl: [undefined, { scope: 'worker', option: true }],
  mockAdminToken: [undefined, { scope: 'worker', option: true }],
  mockOptions: [undefined, { scope: 'worker', option: true }],
  mockScenario: [undefined, { option: true, box: 'self' }],
  sessionBy: ['cookie', { option: true, box: 'self' }],

  mockServer: [
    async ({ mockUrl, mockAdminToken, mockOptions }, use, workerInfo) =>
      (await load()).provideServer({ mockUrl, mockAdminToken, mockOptions }, use, workerInfo),
    { scope: 'worker' },
  ],

  // Playwright requires the braces.
  // oxlint-disable-next-line no-empty-pattern
  mockWorker: [async ({}, use) => use((await load()).createWorker()), { scope: 'worker' }],

  browser: [
    async ({ browser, mockWorker: { pages } }, use) => {
      pages.watchBrowser(browser)
      await use(browser)
    },
    { scope: 'worker' },
  ],

  // Runs before the other fixtures of a test, but not before hooks that belong to several tests.
  mockTest: [
    async ({ mockWorker }, use, testInfo) => (await load()).provideTest(mockWorker, use, testInfo),
    { auto: true, box: 'self' },
  ],

  mock: async ({ mockServer, mockScenario, sessionBy, baseURL, ignoreHTTPSErrors, mockWorker }, use, testInfo) =>
    (await load()).provideMock(
      { mockServer, mockScenario, sessionBy, baseURL, ignoreHTTPSErrors, mockWorker },
      use,
      testInfo,
    ),

  // Fixtures are torn down in reverse order, so the session is deleted after its pages are closed and send no more
  // requests.
  context: [
    async ({ mock, context, mockWorker: { run } }, use) => {
      await mock.enter(context)
      await use(context)
      await run?.trial?.look()
    },
    INSIDE,
  ],

  request: [async ({ mock, request }, use) => use(mock.enterRequests(request)), INSIDE],
})
