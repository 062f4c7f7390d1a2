import { createShop, expect, test } from './shop.ts'

test('keeps my changes if somebody else was first', async ({ page, mock, shop }) => {
  await shop.edit('Side table')
  await mock.use('conflict-once')
  await page.getByLabel('Note to customers').fill('Back in May')
  await page.getByRole('button', { name: 'Save' }).click()

  const dialog = page.getByRole('dialog', { name: 'Someone else changed this product' })
  await expect(dialog).toContainText('You opened version 3; it is now version 4.')
  await expect(dialog.getByRole('row', { name: 'Note' })).toHaveText(
    'Note to customersemptyChanged by another writerBack in May',
  )
  await dialog.getByRole('button', { name: 'Keep mine' }).click()

  await expect(shop.notice).toHaveText('Saved.')
  await expect(page.getByText('Back in May')).toBeVisible()
  const updates = await mock.requests({ operation: 'updateResource' })
  expect(updates.map(({ response }) => response.status)).toEqual([409, 200])
})

test('keeps the changes of both users if they changed different fields', async ({ page, browser, mock, shop }) => {
  await shop.edit('Side table')
  await page.getByLabel('Note to customers').fill('Back in May')

  // A second user of the same shop.
  const elsewhere = await browser.newContext()
  await mock.enter(elsewhere)
  const otherPage = await elsewhere.newPage()
  const other = createShop(otherPage)
  await other.edit('Side table')
  await otherPage.getByLabel('Price in euros').fill('179')
  await otherPage.getByLabel('Note to customers').fill('On sale')
  await otherPage.getByRole('button', { name: 'Save' }).click()
  await expect(other.notice).toHaveText('Saved.')

  await page.getByRole('button', { name: 'Save' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('row', { name: 'Price' })).toHaveText('Price in euros189.90179.00unchanged')
  await expect(dialog.getByRole('row', { name: 'Note' })).toHaveText('Note to customersemptyOn saleBack in May')
  await dialog.getByRole('button', { name: 'Keep mine' }).click()

  await expect(page.getByText('Back in May')).toBeVisible()
  await expect(page.getByText('€179.00')).toBeVisible()
})

test('takes their changes if somebody else was first', async ({ page, mock, shop }) => {
  await shop.edit('Side table')
  await mock.use('conflict-once')
  await page.getByLabel('Note to customers').fill('Back in May')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Take theirs' }).click()

  await expect(shop.notice).toHaveText('Kept their changes and discarded yours.')
  await expect(shop.heading).toHaveText('Side table')
  await expect(page.getByText('Back in May')).toHaveCount(0)
  await expect(page.getByText('Changed by another writer')).toBeVisible()
})

test('asks each time if somebody else is always first', async ({ page, mock, shop }) => {
  await mock.use('conflict')
  await shop.edit('Side table')
  await page.getByLabel('Note to customers').fill('Back in May')
  await page.getByRole('button', { name: 'Save' }).click()

  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('You opened version 3; it is now version 4.')
  await dialog.getByRole('button', { name: 'Keep mine' }).click()
  await expect(dialog).toContainText('You opened version 4; it is now version 5.')

  // Escape leaves the question open: the form is still there, with the entered values.
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByLabel('Note to customers')).toHaveValue('Back in May')
  await expect(page.getByRole('button', { name: 'Save' })).toBeFocused()
})

test('deletes a changed product only after a second confirmation', async ({ page, mock, shop }) => {
  await shop.signIn('Manager')
  await page.getByRole('link', { name: 'Desk' }).click()
  await mock.use('conflict-once')
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()

  const dialog = page.getByRole('dialog', { name: 'Desk has changed' })
  await expect(dialog).toContainText('You opened version 2; it is now version 3.')
  await expect(dialog.getByRole('row', { name: 'Note' })).toContainText('Changed by another writer')
  await dialog.getByRole('button', { name: 'Delete anyway' }).click()
  await expect(shop.notice).toHaveText('Desk was deleted.')
})
