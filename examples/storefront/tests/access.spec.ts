import { expect, test } from './shop.ts'

test('lets a guest browse, and shows how to do more', async ({ page, shop }) => {
  await shop.open()
  await expect(page.getByRole('link', { name: 'New product' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Desk' }).click()
  await expect(page.getByText('Do you work here?')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Edit' })).toHaveCount(0)
})

test('shows versions and keys to staff, but not to guests', async ({ page, shop }) => {
  await shop.open()
  await page.getByRole('link', { name: 'Desk' }).click()
  await expect(page.getByText('Size')).toBeVisible()
  await expect(page.getByText(/^(Key|Article number|Version \d+)$/)).toHaveCount(0)
  await shop.signIn('Read only')
  await page.getByRole('link', { name: 'Desk' }).click()
  await expect(page.getByText(/^(Key|Article number|Version \d+)$/)).toHaveCount(3)
})

test('lets a read-only user see everything and change nothing', async ({ page, mock, shop }) => {
  await shop.signIn('Read only')
  await expect(shop.notice).toHaveText('Signed in as: Read only.')
  await page.getByRole('link', { name: 'Desk' }).click()
  await expect(page.getByText('You have read-only access.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Delete' })).toHaveCount(0)
  await expect(mock).toHaveReceived({
    urlPath: '/oauth/token',
    bodyPatterns: [{ contains: `scope=${encodeURIComponent('view_test:odd-shelf')}` }],
  })
})

test('keeps a manager signed in after a reload', async ({ page, shop }) => {
  await shop.signIn('Manager')
  await page.reload()
  await expect(page.getByRole('link', { name: 'New product' })).toBeVisible()
})

test('shows only the way to another token if the token has no scopes', async ({ page, mock, shop }) => {
  await mock.use('missing-scope')
  await shop.open()
  await expect(shop.heading).toHaveText('Access denied')
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await expect(shop.heading).toHaveText('Sign in')
})

test('keeps the form if the scopes do not allow a save', async ({ page, mock, shop }) => {
  await mock.use('read-only')
  await shop.edit('Side table')
  await page.getByLabel('Note to customers').fill('Back in May')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(shop.complaint).toContainText('Side table was not saved. You do not have permission.')
  await expect(page.getByLabel('Note to customers')).toHaveValue('Back in May')
})

test('renews an expired token unnoticed', async ({ mock, shop }) => {
  await mock.use('expired-token')
  await shop.open()
  await expect(shop.products).toHaveCount(12)
  const lists = await mock.requests({ operation: 'queryResources' })
  expect(lists.map(({ response }) => response.status)).toEqual([401, 200])
})

test('asks for a new sign-in if the current one is invalid', async ({ page, mock, shop }) => {
  await mock.use('unauthorized')
  await shop.open()
  await expect(shop.heading).toHaveText('You are signed out')
  await mock.use()
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(shop.products).toHaveCount(12)
})

for (const scenario of ['login-rejected', 'token-service-down']) {
  test(`says that the sign-in failed, and keeps the form: ${scenario}`, async ({ page, mock, shop }) => {
    await shop.open('sign-in')
    await mock.use(scenario)
    await page.getByLabel('Manager', { exact: true }).check()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(shop.complaint).toContainText('Sign-in failed.')
    await expect(page.getByLabel('Manager', { exact: true })).toBeChecked()
  })
}
