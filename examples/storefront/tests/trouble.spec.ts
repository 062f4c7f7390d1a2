import type { Route } from '@playwright/test'
import { expect, hold, test } from './shop.ts'

test('shows that a slow response is loading', async ({ page, mock, shop }) => {
  await mock.use('slow')
  const goOn = await hold(page, /\/odd-shelf\/resource\?/)
  await shop.open()
  await expect(page.getByRole('main')).toHaveAttribute('aria-busy', 'true')
  await expect(shop.notice).toHaveText('Loading…')
  goOn()
  await expect(shop.products).toHaveCount(12)
  await expect(shop.notice).toBeEmpty()
})

test('does not bring a user back with a slow response', async ({ page, mock, shop }) => {
  await mock.use({ rules: [{ match: { operation: 'queryResources' }, effect: { fault: 'TIMEOUT' } }] })
  await shop.open()
  await page.getByRole('link', { name: 'Cart' }).click()
  await expect(shop.heading).toHaveText('Your cart')
})

test('reports a lost connection, and works again after a retry', async ({ page, mock, shop }) => {
  await mock.use('offline')
  await shop.open()
  await expect(shop.heading).toHaveText('You seem to be offline')
  await mock.use()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(shop.products).toHaveCount(12)
  await expect(shop.heading).toBeFocused()
})

test('keeps earlier data visible without a connection', async ({ page, mock, shop }) => {
  await shop.open()
  await expect(shop.products).toHaveCount(12)
  await page.getByRole('link', { name: 'Cart' }).click()
  await expect(shop.heading).toHaveText('Your cart')

  await mock.use('offline')
  await page.getByRole('link', { name: 'Shop', exact: true }).click()
  await expect(shop.products).toHaveCount(12)
  await expect(shop.notice).toHaveText('You seem to be offline. You see the data from your last visit.')
})

test('says that a response was incomplete when it shows earlier data', async ({ page, mock, shop }) => {
  await shop.open()
  await expect(shop.products).toHaveCount(12)
  await page.getByRole('link', { name: 'Cart' }).click()
  await expect(shop.heading).toHaveText('Your cart')

  await mock.use('truncated')
  await page.getByRole('link', { name: 'Shop', exact: true }).click()
  await expect(shop.products).toHaveCount(12)
  await expect(shop.notice).toHaveText('The response was incomplete. You see the data from your last visit.')
})

test('says that the response to the sign-in was incomplete', async ({ mock, shop }) => {
  await mock.use({ rules: [{ match: { operation: 'token' }, effect: { fault: 'TRUNCATED_BODY' } }] })
  await shop.open()
  await expect(shop.heading).toHaveText('The response was incomplete')
})

test('reloads when the browser is online again', async ({ page, context, shop }) => {
  await shop.open('cart')
  await expect(shop.heading).toHaveText('Your cart')
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Shop', exact: true }).click()
  await expect(shop.heading).toHaveText('You seem to be offline')
  await context.setOffline(false)
  await expect(shop.products).toHaveCount(12)
})

test('keeps the form after a save without a connection', async ({ page, mock, shop }) => {
  await shop.edit('Side table')
  await mock.use('offline')
  await page.getByLabel('Note to customers').fill('Back in May')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(shop.complaint).toContainText('Your input is not lost')
  await mock.use()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Back in May')).toBeVisible()
})

test('retries a truncated response once, and then reports it', async ({ mock, shop }) => {
  await mock.use('truncated')
  await shop.open()
  await expect(shop.heading).toHaveText('The response was incomplete')
  await expect(mock).toHaveReceived({ operation: 'queryResources' }, { times: 2 })
})

test('hides a response that is truncated once', async ({ mock, shop }) => {
  await mock.use({ rules: [{ times: 1, effect: { fault: 'TRUNCATED_BODY' } }] })
  await shop.open()
  await expect(shop.products).toHaveCount(12)
})

test('recovers from a short outage', async ({ mock, shop }) => {
  await mock.use('unavailable-twice')
  await shop.open()
  await expect(shop.notice).toHaveText('The shop is busy. Trying again in 1 s.')
  await expect(shop.products).toHaveCount(12)
  await expect(mock).toHaveReceived({ operation: 'queryResources' }, { times: 3 })
})

test('gives up on a long outage after three retries', async ({ page, mock, shop }) => {
  await mock.use('unavailable')
  await shop.open()
  await expect(shop.heading).toHaveText('Closed for a moment')
  await expect(mock).toHaveReceived({ operation: 'queryResources' }, { times: 4 })
  await mock.use()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(shop.products).toHaveCount(12)
})

test('shows a page of HTML from the gateway as an outage', async ({ page, mock, shop }) => {
  await mock.use('gateway-html')
  await shop.open()
  await expect(shop.heading).toHaveText('Closed for a moment')
  await expect(page.getByRole('main')).not.toContainText('doctype')
  await expect(page.getByRole('main')).not.toContainText('JSON')
  await mock.use()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(shop.products).toHaveCount(12)
})

test('hides occasional failures', async ({ page, mock, shop }) => {
  await mock.use('flaky')
  await shop.open()
  for (const name of ['Page 2', 'Page 3', 'Page 1']) {
    await page.getByRole('link', { name }).click()
    await expect(page.getByRole('link', { name })).toHaveAttribute('aria-current', 'page')
    await expect(shop.products).not.toHaveCount(0)
  }
  const answers = await mock.requests({ operation: 'queryResources' })
  expect(answers.map(({ response }) => response.status)).toContain(503)
})

test('waits when the rate limit is reached, and then continues', async ({ page, mock, shop }) => {
  await shop.open()
  await expect(shop.products).toHaveCount(12)
  await mock.use('rate-limited')
  const headers = { Authorization: 'Bearer view_test:odd-shelf' }
  const asking = async (route: Route): Promise<void> => {
    // Two seconds later, one more request is allowed, so other requests use up the limit when the page sends its own.
    await Promise.all(Array.from({ length: 5 }, () => mock.fetch('/odd-shelf/resource', { headers })))
    await route.continue()
  }
  await page.route(/\/odd-shelf\/resource\?/, asking, { times: 1 })

  await page.getByRole('link', { name: 'Page 3' }).click()
  await expect(shop.notice).toHaveText(/^The shop is busy. Trying again in \d s.$/)
  await expect(shop.products).toHaveCount(2)
  const lists = await mock.requests({ operation: 'queryResources' })
  expect(lists.map(({ response }) => response.status).slice(-2)).toEqual([429, 200])
})

test('shows the reference for an error of the service', async ({ page, mock, shop }) => {
  await mock.use({ rules: [{ effect: { answer: { status: 500 } } }] })
  await shop.open()
  await expect(shop.heading).toHaveText('Something went wrong')
  const [request] = await mock.requests({ operation: 'queryResources' })
  await expect(page.getByRole('code')).toHaveText(request?.correlationId ?? 'none')
})

test('keeps errors visible on a phone', async ({ page, mock, shop }) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await shop.edit('Side table')
  await mock.use('offline')
  await page.getByLabel('Note to customers').fill('Back in May')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(shop.complaint).toBeVisible()
  await shop.complaint.scrollIntoViewIfNeeded()
  const isInSight = await shop.complaint.evaluate((complaint) => {
    const { left, top, right, bottom } = complaint.getBoundingClientRect()
    const points = [left + 4, (left + right) / 2, right - 4].flatMap((x) => [top + 4, bottom - 4].map((y) => [x, y]))
    return points.every(([x = 0, y = 0]) => complaint.contains(document.elementFromPoint(x, y)))
  })
  expect(isInSight).toBe(true)
})
