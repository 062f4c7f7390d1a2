import { mergeTests, test as base } from '@playwright/test'
import type { Page } from '@playwright/test'
import { expect, test } from '../app-test.ts'

test.beforeEach(({ mock }) => mock.seed([{ key: 'mine', objectTypeProperty: {} }]))

test('the page sends the session as a cookie', async ({ page, mock }) => {
  await page.goto('/')
  await expect(page.getByRole('listitem')).toHaveText(['mine v1'])
  const [request] = await mock.requests({ operation: 'queryResources' })
  expect(request).toMatchObject({ session: mock.name, url: '/acme/resource?limit=500' })
})

test('a page returns to the session when the test enters it again after it removed all cookies', async ({
  page,
  context,
  mock,
}) => {
  await context.clearCookies()
  await mock.enter(context)
  await page.goto('/')
  await expect(page.getByRole('listitem')).toHaveText(['mine v1'])
})

test('a shared worker uses the session', async ({ page }) => {
  await page.goto('/')
  const keys = page.evaluate(
    () =>
      new Promise((resolve) => {
        const { port } = new SharedWorker('/shared.js')
        port.addEventListener('message', ({ data }) => resolve(data))
        port.start()
        port.postMessage('list')
      }),
  )
  expect(await keys).toBe('mine')
})

test('a page may save with keepalive while it is left', async ({ page, mock, mockServer }) => {
  await page.goto('/')
  await page.evaluate((url) => {
    addEventListener('pagehide', () => {
      const headers = { Authorization: 'Bearer any', 'Content-Type': 'application/json' }
      const body = JSON.stringify({ key: 'saved', objectTypeProperty: {} })
      void fetch(url, { method: 'POST', keepalive: true, credentials: 'include', headers, body })
    })
  }, `${mockServer.url}/acme/resource`)
  await page.goto('about:blank')
  await expect(mock).toHaveReceived({ operation: 'createResource', bodyPatterns: [{ contains: 'saved' }] })
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
      await shared.goto('/')
      await expect(shared.getByRole('listitem')).toHaveText([`${key} v1`])
    })
  }
})

test.describe("with another package's request fixture", () => {
  const withKey = base.extend({
    request: async ({ playwright }, use) => {
      const extraHTTPHeaders = { Authorization: 'Bearer any', 'X-Shop': 'own' }
      const context = await playwright.request.newContext({ extraHTTPHeaders })
      await use(context)
      await context.dispose()
    },
  })
  const merged = mergeTests(withKey, test)

  merged('the request keeps its headers, in the session', async ({ request, mock, mockServer, app }) => {
    await mock.seed([{ key: 'mine', objectTypeProperty: {} }])
    await request.get(`${mockServer.url}/acme/resource`)
    const [seen] = await mock.requests()
    expect(seen?.headers).toMatchObject({ 'x-shop': 'own' })
    expect(await (await request.get(`${app.url}/rendered`)).text()).toContain('<li>mine</li>')
  })
})

test('a server that forwards the cookie renders the session', async ({ page }) => {
  await page.goto('/rendered')
  await expect(page.getByRole('listitem')).toHaveText(['mine'])
})

test("a server configured with the session's URL renders it, whatever the cookie", async ({ context, mock }) => {
  await context.clearCookies()
  const page = await context.newPage()
  await page.goto(`/rendered?api=${encodeURIComponent(mock.url)}`)
  await expect(page.getByRole('listitem')).toHaveText(['mine'])
  const [request] = await mock.requests()
  expect(request?.url).toBe(`/@${mock.name}/acme/resource?limit=500`)
})

test.describe('a request sent by the test itself', () => {
  test.use({ extraHTTPHeaders: { Authorization: 'Bearer any' } })

  test('uses the session', async ({ request, mock, mockServer }) => {
    const response = await request.get(`${mockServer.url}/acme/resource`)
    expect(((await response.json()) as { total: number }).total).toBe(1)
    await expect(mock).toHaveReceived({ operation: 'queryResources' }, { times: 1 })
  })
})

test('a page may still send requests when its test ends', async ({ page, mock }) => {
  await page.goto('/')
  await page.evaluate((url) => {
    const ask = async () => {
      await fetch(url, { headers: { Authorization: 'Bearer any' } })
      void ask()
    }
    for (let asker = 0; asker < 6; asker += 1) void ask()
  }, `${mock.url}/acme/resource`)
  await expect(mock).toHaveReceived({ operation: 'queryResources' })
})

test('a page in a context that is never closed may also still send requests', async ({ browser, mock, mockServer }) => {
  const other = await browser.newContext()
  await mock.enter(other)
  const page = await other.newPage()
  await page.goto(`${mockServer.url}/acme/resource`)
  await page.evaluate((url) => {
    const ask = async () => {
      await fetch(url, { headers: { Authorization: 'Bearer any' } })
      void ask()
    }
    void ask()
  }, `${mock.url}/acme/resource`)
  await expect(mock).toHaveReceived({ operation: 'queryResources' })
})

test.describe('hooks that use the same fixtures as tests', () => {
  test.beforeAll(async ({ request, mock, mockServer }) => {
    await request.get(`${mockServer.url}/acme/resource`)
    await expect(mock).toHaveReceived({ operation: 'queryResources' }, { times: 1 })
  })
  test.afterAll(async ({ request, mock, mockServer }) => {
    await request.get(`${mockServer.url}/acme/resource`)
    await expect(mock).toHaveReceived({ operation: 'queryResources' }, { times: 1 })
  })

  test("have their own sessions, separate from the test's", async ({ request, mock, mockServer }) => {
    await expect(mock).not.toHaveReceived()
    await request.get(`${mockServer.url}/acme/resource`)
    await expect(mock).toHaveReceived({ operation: 'queryResources' }, { times: 1 })
  })
})

test('a page may be in no session', async ({ browser, mock, baseURL }) => {
  const page = await browser.newPage({ baseURL: baseURL ?? '' })
  await page.goto('/')
  await expect(page.getByRole('status')).toHaveText('Listed')
  await expect(mock).not.toHaveReceived()
  await page.close()
})

test('the session starts without requests', async ({ mock }) => {
  await expect(mock).not.toHaveReceived()
})

test('a second user enters the session', async ({ browser, page, mock, baseURL }) => {
  const other = await browser.newContext(baseURL === undefined ? {} : { baseURL })
  await mock.enter(other)
  const second = await other.newPage()
  await second.goto('/')
  await second.getByRole('button', { name: 'Save' }).click()
  await expect(second.getByRole('status')).toHaveText('Saved')
  await page.goto('/')
  await expect(page.getByRole('listitem')).toHaveText(['mine v2'])
  await other.close()
})

test('the session has the title of the test, and a unique name', async ({ mock }) => {
  expect(mock.name).toMatch(/^the-session-has-the-title-of-[0-9a-f]{16}-[0-9a-f]{8}$/)
  expect(mock.url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/@${mock.name}$`))
})
