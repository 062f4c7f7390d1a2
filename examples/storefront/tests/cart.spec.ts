import { expect, test } from './shop.ts'

test('shows the cart in the chosen language, and prices in the currency of the catalogue', async ({
  page,
  mock,
  shop,
}) => {
  await shop.open('cart')
  await expect(shop.heading).toHaveText('Your cart')
  await expect(page.getByText('Four cushions for the price of three')).toBeVisible()
  await expect(page.getByRole('strong')).toHaveText('€289.60')

  await page.getByRole('link', { name: 'Deutsch' }).click()
  await expect(shop.heading).toHaveText('Ihr Warenkorb')
  await expect(shop.heading).toHaveAttribute('lang', 'de-DE')
  await expect(page.getByText('Vier Kissen zum Preis von drei')).toBeVisible()
  await expect(page.getByRole('strong')).toHaveText('289,60 €')
  await expect(mock).toHaveReceived({
    operation: 'getActionWithHeaders',
    headers: { 'Storefront-Locale': { equalTo: 'de-DE' } },
  })
})

test('shows a gift without a price', async ({ page, shop }) => {
  await shop.open('cart')
  const matches = page.getByRole('listitem').filter({ hasText: 'Box of matches' })
  await expect(matches).toContainText('A present from us')
  await expect(matches).toContainText('Free')
})
