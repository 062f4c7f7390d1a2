import type { Page } from '@playwright/test'
import { expect, hold, test } from './shop.ts'
import type { Shop } from './shop.ts'

test('adds a new product to the shop', async ({ page, mock, shop }) => {
  await shop.signIn('Manager')
  await page.getByRole('link', { name: 'New product' }).click()
  await page.getByLabel('Key').fill('clay-pot')
  await page.getByLabel('Name').fill('clay pot')
  await page.getByLabel('Price in euros').fill('18.50')
  await page.getByLabel('Units in the shop').fill('3')
  await page.getByLabel('Labels').fill('terracotta, garden')
  await page.getByLabel('Note to customers').fill('Thrown by hand')
  await page.getByRole('button', { name: 'Create' }).click()

  // The notice disappears after a while, whether the product is shown by then or not.
  await expect(shop.notice).toHaveText('clay pot was added.')
  await expect(shop.heading).toHaveText('Clay pot')
  await expect(page.getByText('Only 3 left')).toBeVisible()
  await expect(page.getByText('Thrown by hand')).toBeVisible()
  await expect(mock).toHaveReceived({
    operation: 'createResource',
    bodyPatterns: [
      {
        equalToJson: {
          key: 'clay-pot',
          objectTypeProperty: {
            arrayOfIntExample: [3],
            arrayOfFloatExample: [18.5],
            arrayOfStringExample: ['clay pot', 'terracotta', 'garden'],
          },
        },
      },
    ],
  })
})

test('does not overwrite a product whose key is in use', async ({ page, mock, shop }) => {
  await shop.signIn('Manager')
  await shop.open('new')
  await page.getByLabel('Key').fill('walnut-desk')
  await page.getByLabel('Name').fill('another desk')
  await page.getByLabel('Price in euros').fill('1')
  await page.getByLabel('Units in the shop').fill('1')
  await page.getByRole('button', { name: 'Create' }).click()

  await expect(page.getByLabel('Key')).toBeFocused()
  await expect(page.getByLabel('Key')).toHaveJSProperty(
    'validationMessage',
    'Another product has this key. Choose another.',
  )
  await expect(mock).not.toHaveReceived({ operation: 'createResource' })
})

test('saves a note with the version that the user saw', async ({ page, mock, shop }) => {
  await shop.edit('Side table')
  await page.getByLabel('Note to customers').fill('Back in May')
  await page.getByRole('button', { name: 'Save' }).click()

  await expect(shop.notice).toHaveText('Saved.')
  await expect(shop.heading).toHaveText('Side table')
  await expect(page.getByText('Back in May')).toBeVisible()
  await expect(page.getByText('Version 4')).toBeVisible()
  await expect(mock).toHaveReceived({
    operation: 'updateResource',
    bodyPatterns: [
      { equalToJson: { version: 3, actions: [{ action: 'changeSomeProperty', someProperty: 'Back in May' }] } },
    ],
  })
  await expect(mock).not.toHaveReceived({ operation: 'putResource' })
})

test('keeps everything else to the last digit when the price changes', async ({ page, mock, shop }) => {
  await shop.signIn('Manager')
  await shop.open('?q=extreme')
  await page.getByRole('link', { name: 'Number' }).click()
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByLabel('Price in euros').fill('5')
  await page.getByRole('button', { name: 'Save' }).click()

  await expect(page.getByText('€5.00')).toBeVisible()
  const [put] = await mock.requests({ operation: 'putResource' })
  expect(put?.body).toContain('"arrayOfIntExample":[9223372036854775807,-9223372036854775808,0]')
})

test('does not send an invalid price', async ({ page, mock, shop }) => {
  await shop.edit('Side table')
  await page.getByLabel('Price in euros').fill('cheap')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByLabel('Price in euros')).toBeFocused()
  await expect(mock).not.toHaveReceived({ operation: 'updateResource' })
})

test('sends a form only once, however often the user submits it', async ({ page, mock, shop }) => {
  await shop.edit('Side table')
  await mock.use('slow')
  const goOn = await hold(page, /\/odd-shelf\/resource\/[^/]+$/)
  await page.getByLabel('Note to customers').fill('Once')
  await page.getByRole('button', { name: 'Save' }).dblclick()
  await expect(page.getByRole('button', { name: 'Saving…' })).toBeVisible()
  goOn()
  await expect(shop.notice).toHaveText('Saved.')
  await expect(mock).toHaveReceived({ operation: 'updateResource' }, { times: 1 })
})

/** Saves a note on the side table, and opens the mirror before the response comes. */
async function leaveWhileSaving(page: Page, shop: Shop): Promise<() => void> {
  await shop.edit('Side table')
  const goOn = await hold(page, /\/odd-shelf\/resource\/df3775a4[^/]+$/)
  await page.getByLabel('Note to customers').fill('Late')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Saving…' }).waitFor()
  await page.getByRole('link', { name: 'Shop', exact: true }).click()
  await page.getByRole('link', { name: 'Desk' }).click()
  await expect(shop.heading).toHaveText('Desk')
  return goOn
}

test('stays on the page that a user has opened when a save ends late', async ({ page, mock, shop }) => {
  const goOn = await leaveWhileSaving(page, shop)
  await page.getByRole('button', { name: 'Delete' }).click()
  goOn()
  await expect(shop.notice).toHaveText('Saved.')
  await page.getByRole('dialog', { name: 'Delete Desk?' }).getByRole('button', { name: 'Delete' }).click()
  await expect(shop.notice).toHaveText('Desk was deleted.')
  await expect(mock).toHaveReceived({ method: 'DELETE' }, { times: 1 })
  await expect(mock).not.toHaveReceived({ method: 'DELETE', urlPattern: '.*df3775a4.*' })
})

test('reports a late save that failed on the page that a user has opened', async ({ page, mock, shop }) => {
  await mock.use('conflict')
  const goOn = await leaveWhileSaving(page, shop)
  goOn()
  await expect(shop.notice).toHaveText(/^Side table was not saved\. /)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(shop.heading).toHaveText('Desk')
})

test('closes a question when the user goes back', async ({ page, shop }) => {
  await shop.signIn('Manager')
  await page.getByRole('link', { name: 'Desk' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.goBack()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(shop.products).toHaveCount(12)
})

test('deletes a product after confirmation', async ({ page, mock, shop }) => {
  await shop.signIn('Manager')
  await page.getByRole('link', { name: 'Desk' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Desk?' })
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  await expect(mock).not.toHaveReceived({ method: 'DELETE' })

  await page.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(shop.notice).toHaveText('Desk was deleted.')
  await expect(page.getByText('25 products')).toBeVisible()
  await expect(mock).toHaveReceived({ method: 'DELETE', queryParameters: { version: { equalTo: '2' } } })
})
