import type { Page, Route } from '@playwright/test'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '../app-test.ts'

test.beforeEach(({ mock }) => mock.seed([{ key: 'mine', objectTypeProperty: {} }]))

test('a page of another origin uses the session, including preflights', async ({ page, mock }) => {
  await mock.use('conflict-once')
  await page.goto('/plain')
  await expect(page.getByRole('listitem')).toHaveText(['mine v1'])
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('status')).toHaveText('Saved after a conflict')
  await expect(mock).toHaveReceived({ operation: 'updateResource' }, { times: 2 })
})

test('a page under another host name uses the session', async ({ page, baseURL }) => {
  await page.goto(`${baseURL?.replace('127.0.0.1', 'localhost')}/plain`)
  await expect(page.getByRole('listitem')).toHaveText(['mine v1'])
})

test('a popup uses the session', async ({ page }) => {
  await page.goto('/plain')
  const opening = page.waitForEvent('popup')
  await page.evaluate(() => void open('/plain'))
  const popup = await opening
  await expect(popup.getByRole('listitem')).toHaveText(['mine v1'])
})

test('a service worker uses the session', async ({ page }) => {
  await page.goto('/worker')
  await expect(page.getByRole('status')).toHaveText('mine')
})

test('a second context uses the session after it enters', async ({ browser, mock, baseURL }) => {
  const other = await browser.newContext({ baseURL: baseURL ?? '' })
  await mock.enter(other)
  const page = await other.newPage()
  await page.goto('/plain')
  await expect(page.getByRole('listitem')).toHaveText(['mine v1'])
  await other.close()
})

test("a test's own route that falls back keeps the session", async ({ page, context }) => {
  const handle = (route: Route): Promise<void> =>
    route.request().resourceType() === 'image' ? route.abort() : route.fallback()
  await page.route('**/*', handle)
  await context.route('**/*', handle)
  await page.goto('/plain')
  await expect(page.getByRole('listitem')).toHaveText(['mine v1'])
})

test('a page returns to the session when the test enters it again after it removed all routes', async ({
  page,
  context,
  mock,
}) => {
  await context.unrouteAll()
  await mock.enter(context)
  await page.goto('/plain')
  await expect(page.getByRole('listitem')).toHaveText(['mine v1'])
})

test.describe.serial('a page that tests share', () => {
  let shared: Page
  test.beforeAll(async ({ browser, app }) => {
    shared = await browser.newPage({ baseURL: app.url })
  })
  test.afterAll(() => shared.context().close())

  for (const key of ['first', 'second']) {
    test(`uses the session of the ${key} test`, async ({ mock }) => {
      await mock.enter(shared.context())
      await mock.seed([{ key, objectTypeProperty: {} }])
      await shared.goto('/plain')
      await expect(shared.getByRole('listitem')).toHaveText([`${key} v1`])
    })
  }
})

test("the test's own routes take precedence over the header", async ({ page, mock }) => {
  await page.route('**/acme/resource?*', (route) =>
    route.fulfill({ json: { results: [{ key: 'made up', version: 1 }] } }),
  )
  await page.goto('/plain')
  await expect(page.getByRole('listitem')).toHaveText(['made up v1'])
  await expect(mock).not.toHaveReceived()
})

test('other origins do not receive the header', async ({ page }) => {
  let seen: unknown
  const other = createServer((request, response) => {
    seen = request.headers['x-mock-session'] ?? 'none'
    response.setHeader('Access-Control-Allow-Origin', '*').end()
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  // The server listens on a TCP port, so the address is an object.
  const { port } = other.address() as AddressInfo
  await page.goto('/plain')
  await page.evaluate((url) => fetch(url).then(({ status }) => status), `http://127.0.0.1:${port}/`)
  expect(seen).toBe('none')
  other.closeAllConnections()
  other.close()
})

test('a server that forwards the cookie renders the session', async ({ page }) => {
  await page.goto('/rendered')
  await expect(page.getByRole('listitem')).toHaveText(['mine'])
})
