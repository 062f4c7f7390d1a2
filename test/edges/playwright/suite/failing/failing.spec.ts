import { expect, test } from '../app-test.ts'

test.beforeEach(({ mock }) => mock.seed([{ key: 'mine', objectTypeProperty: {} }]))

test('reports the nearest request', async ({ page, mock }) => {
  await page.goto('/')
  await page.getByLabel('Key').fill('linen-shirt')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('listitem')).toHaveCount(2)
  const pattern = {
    method: 'POST',
    urlPath: '/acme/resource',
    bodyPatterns: [{ equalToJson: { key: 'wool-shirt' }, ignoreExtraElements: true }],
  }
  await expect(mock).toHaveReceived(pattern, { timeout: 400 })
})

test('reports excess requests', async ({ page, mock }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('status')).toHaveText('Saved')
  await expect(mock).toHaveReceived({ method: 'GET' }, { times: 0, timeout: 400 })
})

test('reports unexpected requests', async ({ page, mock }) => {
  await page.goto('/')
  await expect(page.getByRole('status')).toHaveText('Listed')
  await expect(mock).not.toHaveReceived({ method: 'GET' }, { timeout: 400 })
})

test('reports the wrong order', async ({ page, mock }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('status')).toHaveText('Saved')
  await expect(mock).toHaveReceivedInOrder([{ method: 'POST' }, { method: 'GET' }], { timeout: 400 })
})

test('reports a missing recovery', async ({ page, mock }) => {
  await mock.use('conflict')
  await page.goto('/')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('status')).toHaveText('Saved after a conflict')
  await expect(mock).toHaveRecovered('conflict', { timeout: 400 })
})

test('reports a session without requests', async ({ mock }) => {
  await expect(mock).toHaveReceived({ method: 'GET' }, { timeout: 400 })
})

test('fails for an unrelated reason', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('status')).toHaveText('Listed')
  await expect(page.getByRole('listitem')).toHaveText(['another v1'], { timeout: 400 })
})

test('rejects an unknown scenario', async ({ mock }) => {
  await mock.use('conflit')
})

test('rejects an invalid list of records', async ({ mock }) => {
  // @ts-expect-error -- tests without TypeScript may do this
  await mock.seed(undefined)
})

test('rejects an invalid timeout', async ({ mock }) => {
  await expect(mock).toHaveReceived({ method: 'GET' }, { timeout: -5 })
})

test('explains a lost session', async ({ page }) => {
  await page.goto('/plain')
  await expect(page.getByRole('status')).toHaveText('Listed')
  await expect(page.getByRole('listitem')).toHaveText(['mine v1'], { timeout: 400 })
})

test('explains a context that did not enter', async ({ browser, baseURL }) => {
  const page = await browser.newPage({ baseURL: baseURL ?? '' })
  await page.goto('/')
  await expect(page.getByRole('status')).toHaveText('Listed')
  await expect(page.getByRole('listitem')).toHaveText(['mine v1'], { timeout: 400 })
})

test.describe('by header', () => {
  test.use({ sessionBy: 'header' })

  test('explains a route that continues', async ({ page }) => {
    await page.route('**/*', (route) => route.continue())
    await page.goto('/plain')
    await expect(page.getByRole('status')).toHaveText('Listed')
    await expect(page.getByRole('listitem')).toHaveText(['mine v1'], { timeout: 400 })
  })
})

test("fails before its first request, next to somebody else's tab", async ({ page, mock, mockServer, baseURL }) => {
  const headers = {
    Authorization: 'Bearer any',
    Origin: baseURL ?? '',
    'Sec-Fetch-Mode': 'cors',
    'User-Agent': 'Another',
  }
  await fetch(`${mockServer.url}/acme/resource`, { headers })
  expect(page.url()).toBe(mock.url)
})

test.describe('sessionBy', () => {
  // @ts-expect-error -- configurations without TypeScript may do this
  test.use({ sessionBy: 'query' })

  test('rejects an unknown value', async ({ page }) => {
    await page.goto('/plain')
  })
})
