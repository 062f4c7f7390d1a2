import { expect, test } from '../app-test.ts'

test.beforeEach(({ mock }) => mock.seed([{ key: 'mine', objectTypeProperty: {} }]))

test('the nearest request', async ({ page, mock }) => {
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

test('too many', async ({ page, mock }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('status')).toHaveText('Saved')
  await expect(mock).toHaveReceived({ method: 'GET' }, { times: 0, timeout: 400 })
})

test('not at all', async ({ page, mock }) => {
  await page.goto('/')
  await expect(page.getByRole('status')).toHaveText('Listed')
  await expect(mock).not.toHaveReceived({ method: 'GET' }, { timeout: 400 })
})

test('another order', async ({ page, mock }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('status')).toHaveText('Saved')
  await expect(mock).toHaveReceivedInOrder([{ method: 'POST' }, { method: 'GET' }], { timeout: 400 })
})

test('no recovery', async ({ page, mock }) => {
  await mock.use('conflict')
  await page.goto('/')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('status')).toHaveText('Saved after a conflict')
  await expect(mock).toHaveRecovered('conflict', { timeout: 400 })
})

test('a silent session', async ({ mock }) => {
  await expect(mock).toHaveReceived({ method: 'GET' }, { timeout: 400 })
})

test('something else', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('status')).toHaveText('Listed')
  await expect(page.getByRole('listitem')).toHaveText(['another v1'], { timeout: 400 })
})

test('an unknown scenario', async ({ mock }) => {
  await mock.use('conflit')
})

test('what is no list of records', async ({ mock }) => {
  // @ts-expect-error -- what a test without a compiler may say
  await mock.seed(undefined)
})

test('a time that is none', async ({ mock }) => {
  await expect(mock).toHaveReceived({ method: 'GET' }, { timeout: -5 })
})

test('a page that loses its session', async ({ page }) => {
  await page.goto('/plain')
  await expect(page.getByRole('listitem')).toHaveText(['mine v1'], { timeout: 5000 })
})

test.describe('a way that is none', () => {
  // @ts-expect-error -- what a configuration without a compiler may say
  test.use({ sessionBy: 'query' })

  test('to name the session', async ({ page }) => {
    await page.goto('/plain')
  })
})
