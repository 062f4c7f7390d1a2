import { expect, listAndSave, test } from '../app.ts'

test('saves', ({ page }) => listAndSave(page, 'tells'))

test('fails anyway', async ({ page }) => {
  await listAndSave(page, 'tells')
  expect(await page.title()).toBe('another app')
})

test('passes on a retry', async ({ page }, { retry }) => {
  await listAndSave(page, 'tells')
  expect(retry).toBe(1)
})

test.fail('is expected to fail', async ({ page }) => {
  await listAndSave(page, 'tells')
  expect(await page.title()).toBe('another app')
})

test.skip('is skipped', ({ page }) => listAndSave(page, 'tells'))
