import { expect, hold, test } from './shop.ts'

test('a new product is on the shelf', async ({ page, mock, shop }) => {
  await shop.signIn('Manager')
  await page.getByRole('link', { name: 'New product' }).click()
  await page.getByLabel('Key').fill('clay-pot')
  await page.getByLabel('Name').fill('clay pot')
  await page.getByLabel('Price in euros').fill('18.50')
  await page.getByLabel('Units in the shop').fill('3')
  await page.getByLabel('Labels').fill('terracotta, garden')
  await page.getByLabel('Note to customers').fill('Thrown by hand')
  await page.getByRole('button', { name: 'Create' }).click()

  // The notice goes after a while, whether the product is shown by then or not.
  await expect(shop.notice).toHaveText('clay pot is on the shelf.')
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

test('a key that is taken is not overwritten', async ({ page, mock, shop }) => {
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

test('a note is saved by an update of the version that was seen', async ({ page, mock, shop }) => {
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

test('a new price leaves everything else as it was, to the last digit', async ({ page, mock, shop }) => {
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

test('what is no price is not sent', async ({ page, mock, shop }) => {
  await shop.edit('Side table')
  await page.getByLabel('Price in euros').fill('cheap')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByLabel('Price in euros')).toBeFocused()
  await expect(mock).not.toHaveReceived({ operation: 'updateResource' })
})

test('a form is sent once, however often it is asked to', async ({ page, mock, shop }) => {
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

test('a product is deleted once that is confirmed', async ({ page, mock, shop }) => {
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
