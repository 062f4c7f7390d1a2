import { expect, test } from './shop.ts'

test('a guest looks around, and is told how to do more', async ({ page, shop }) => {
  await shop.open()
  await expect(page.getByRole('link', { name: 'New product' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Desk' }).click()
  await expect(page.getByText('Do you work here?')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Edit' })).toHaveCount(0)
})

test('a guest sees no versions and keys, and staff do', async ({ page, shop }) => {
  await shop.open()
  await page.getByRole('link', { name: 'Desk' }).click()
  await expect(page.getByText('Size')).toBeVisible()
  await expect(page.getByText(/^(Key|Article number|Version \d+)$/)).toHaveCount(0)
  await shop.signIn('Read only')
  await page.getByRole('link', { name: 'Desk' }).click()
  await expect(page.getByText(/^(Key|Article number|Version \d+)$/)).toHaveCount(3)
})

test('who may only read sees everything and changes nothing', async ({ page, mock, shop }) => {
  await shop.signIn('Read only')
  await expect(shop.notice).toHaveText('You are here as: Read only.')
  await page.getByRole('link', { name: 'Desk' }).click()
  await expect(page.getByText('You may read only.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Delete' })).toHaveCount(0)
  await expect(mock).toHaveReceived({
    urlPath: '/oauth/token',
    bodyPatterns: [{ contains: `scope=${encodeURIComponent('view_test:odd-shelf')}` }],
  })
})

test('a manager is one still after the page was loaded again', async ({ page, shop }) => {
  await shop.signIn('Manager')
  await page.reload()
  await expect(page.getByRole('link', { name: 'New product' })).toBeVisible()
})

test('a token without any scope shows nothing but how to get another', async ({ page, mock, shop }) => {
  await mock.use('missing-scope')
  await shop.open()
  await expect(shop.heading).toHaveText('Not for your access')
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await expect(shop.heading).toHaveText('Sign in')
})

test('a save that the scopes do not allow keeps what was entered', async ({ page, mock, shop }) => {
  await mock.use('read-only')
  await shop.edit('Side table')
  await page.getByLabel('Note to customers').fill('Back in May')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(shop.complaint).toContainText('It was not saved. Your access does not allow it.')
  await expect(page.getByLabel('Note to customers')).toHaveValue('Back in May')
})

test('an expired token is renewed, and nobody notices', async ({ mock, shop }) => {
  await mock.use('expired-token')
  await shop.open()
  await expect(shop.products).toHaveCount(12)
  const lists = await mock.requests({ operation: 'queryResources' })
  expect(lists.map(({ response }) => response.status)).toEqual([401, 200])
})

test('a sign-in that is no longer good leads to a new one', async ({ page, mock, shop }) => {
  await mock.use('unauthorized')
  await shop.open()
  await expect(shop.heading).toHaveText('You are signed out')
  await mock.use()
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(shop.products).toHaveCount(12)
})
