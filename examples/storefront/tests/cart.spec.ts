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
  await expect(page.locator('html')).toHaveAttribute('lang', 'de-DE')
  await expect(page.getByRole('banner')).toHaveText('Zum Inhalt springenOdd ShelfLadenWarenkorbAnmelden')
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

test('adds a product to the cart, in both languages', async ({ page, shop }) => {
  await shop.open('?q=desk')
  await page.getByRole('link', { name: 'Desk' }).click()
  for (const _ of [1, 2]) {
    await page.getByRole('button', { name: 'Add to cart' }).click()
    await expect(shop.notice).toHaveText('Desk was added to your cart.')
    await shop.notice.evaluate((notice) => notice.replaceChildren())
  }
  await page.getByRole('link', { name: 'Cart' }).click()
  const desk = page.getByRole('listitem').filter({ hasText: 'Desk' })
  await expect(desk).toContainText('2 × €529.00')
  await expect(desk).toContainText('€1,058.00')
  await expect(page.getByRole('strong')).toHaveText('€1,347.60')
  await page.getByRole('link', { name: 'Deutsch' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Schreibtisch' })).toContainText('1.058,00 €')
})

test('reports that a product was not added to the cart', async ({ page, mock, shop }) => {
  await shop.open('?q=desk')
  await page.getByRole('link', { name: 'Desk' }).click()
  await expect(shop.heading).toHaveText('Desk')
  await mock.use('offline')
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await expect(shop.complaint).toContainText('Desk was not added to your cart. Cannot reach the shop.')
})

test('shows the labels of a product in the language of the shop', async ({ page, shop }) => {
  await shop.open('?q=desk')
  await page.getByRole('link', { name: 'Desk' }).click()
  await expect(page.getByRole('list', { name: 'Labels' }).getByRole('listitem')).toHaveText([
    'walnut',
    'dark brown',
    'office',
  ])
})
