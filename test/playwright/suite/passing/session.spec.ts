import { expect, test } from '../app-test.ts'

test.beforeEach(({ mock }) => mock.seed([{ key: 'mine', objectTypeProperty: {} }]))

test('the page sends the session as a cookie', async ({ page, mock }) => {
  await page.goto('/')
  await expect(page.getByRole('listitem')).toHaveText(['mine v1'])
  const [request] = await mock.requests({ operation: 'queryResources' })
  expect(request).toMatchObject({ session: mock.name, url: '/acme/resource?limit=500' })
})

test('a server that passes the cookie on renders the session', async ({ page }) => {
  await page.goto('/rendered')
  await expect(page.getByRole('listitem')).toHaveText(['mine'])
})

test('a server that is configured with the url renders the session, whatever the cookie', async ({ context, mock }) => {
  await context.clearCookies()
  const page = await context.newPage()
  await page.goto(`/rendered?api=${encodeURIComponent(mock.url)}`)
  await expect(page.getByRole('listitem')).toHaveText(['mine'])
  const [request] = await mock.requests()
  expect(request?.url).toBe(`/@${mock.name}/acme/resource?limit=500`)
})

test.describe('a request of the test itself', () => {
  test.use({ extraHTTPHeaders: { Authorization: 'Bearer any' } })

  test('is one of the session', async ({ request, mock, mockServer }) => {
    const response = await request.get(`${mockServer.url}/acme/resource`)
    expect(((await response.json()) as { total: number }).total).toBe(1)
    await expect(mock).toHaveReceived({ operation: 'queryResources' }, { times: 1 })
  })
})

test('a page may still be asking when its test ends', async ({ page, mock }) => {
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

test('another page, too, may still be asking, in a context that nobody closes', async ({
  browser,
  mock,
  mockServer,
}) => {
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

test.describe('hooks that are asked what the tests are', () => {
  test.beforeAll(async ({ request, mock, mockServer }) => {
    await request.get(`${mockServer.url}/acme/resource`)
    await expect(mock).toHaveReceived({ operation: 'queryResources' }, { times: 1 })
  })
  test.afterAll(async ({ request, mock, mockServer }) => {
    await request.get(`${mockServer.url}/acme/resource`)
    await expect(mock).toHaveReceived({ operation: 'queryResources' }, { times: 1 })
  })

  test('have a session each, and leave the test its own', async ({ request, mock, mockServer }) => {
    await expect(mock).not.toHaveReceived()
    await request.get(`${mockServer.url}/acme/resource`)
    await expect(mock).toHaveReceived({ operation: 'queryResources' }, { times: 1 })
  })
})

test('nothing has been received before anything is sent', async ({ mock }) => {
  await expect(mock).not.toHaveReceived()
})

test('a second person enters the session', async ({ browser, page, mock, baseURL }) => {
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

test('the session has the name of the test, and no other has it', async ({ mock }) => {
  expect(mock.name).toMatch(/^the-session-has-the-name-of-[0-9a-f]{16}-[0-9a-f]{8}$/)
  expect(mock.url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/@${mock.name}$`))
})
