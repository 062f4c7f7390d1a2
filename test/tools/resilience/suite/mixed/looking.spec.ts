import { expect, listAndSave, test } from '../app.ts'

test('opens', async ({ page }) => {
  await page.goto('/tells')
  await page.locator('body[data-step]').waitFor()
  expect(await page.title()).toBe('tells')
})

test('lists', ({ page }) => listAndSave(page, 'tells'))
