import { expect, test } from '../app-test.ts'

test.beforeEach(({ mock }) => mock.seed([{ key: 'mine', objectTypeProperty: {} }]))

test('the page sends the session as a cookie', async ({ page, mock }) => {
  await page.goto('/')
  await expect(page.getByRole('listitem')).toHaveText(['mine v1'])
  const [request] = await mock.requests({ operation: 'queryResources' })
  expect(request).toMatchObject({ session: mock.name, url: '/acme/resource?limit=500' })
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
