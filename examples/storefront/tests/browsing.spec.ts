import { expect, test } from './shop.ts'

test('pages through the catalogue', async ({ page, mock, shop }) => {
  await shop.open()
  await expect(shop.products).toHaveCount(12)
  await expect(page.getByText('26 products')).toBeVisible()
  const first = await shop.products.allTextContents()

  await page.getByRole('link', { name: 'Next page' }).click()
  await expect(page.getByRole('link', { name: 'Page 2' })).toHaveAttribute('aria-current', 'page')
  await expect(shop.products).not.toHaveText(first)
  await expect(mock).toHaveReceived({
    urlPath: '/odd-shelf/resource',
    queryParameters: { offset: { equalTo: '12' }, limit: { equalTo: '12' } },
  })

  await page.getByRole('link', { name: 'Page 3' }).click()
  await expect(shop.products).toHaveCount(2)
  await expect(page.getByRole('link', { name: 'Next page' })).toHaveCount(0)
})

test('stays on the same page after a reload', async ({ page, shop }) => {
  await shop.open('?page=2')
  await expect(shop.products).toHaveCount(12)
  const second = await shop.products.allTextContents()
  await page.reload()
  await expect(shop.products).toHaveText(second)
})

test('searches words in both languages, and tolerates a typo', async ({ page, shop }) => {
  await shop.open()
  const search = page.getByRole('searchbox')
  await search.fill('Messing')
  await search.press('Enter')
  await expect(shop.heading).toHaveText('Results for “Messing”')
  await expect(shop.products).toHaveText(['Pendant lamp', 'Table lamp'])
  await expect(shop.notice).toHaveText('2 products found.')

  await search.fill('walnit')
  await search.press('Enter')
  await expect(shop.products).toHaveText(['Desk'])
})

test('narrows the catalogue to a room', async ({ page, shop }) => {
  await shop.open()
  await page.getByRole('link', { name: 'Dining room' }).click()
  await expect(shop.products).toHaveText(['Dining table', 'Chair'])
})

test('links from a search without results to the whole catalogue', async ({ page, shop }) => {
  await shop.open('?q=submarine')
  await expect(page.getByText('No products match.')).toBeVisible()
  await page.getByRole('link', { name: 'Show everything' }).click()
  await expect(shop.products).toHaveCount(12)
})

test('shows that the shop is empty', async ({ page, mock, shop }) => {
  await mock.use('empty')
  await shop.open()
  await expect(page.getByText('The shop is empty.')).toBeVisible()
  await expect(page.getByText('0 products')).toBeVisible()
})

test('shows only the page numbers that a large catalogue needs', async ({ page, mock, shop }) => {
  await mock.use('large-catalog')
  await shop.open()
  await expect(page.getByText('2,026 products')).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Pages' })).toHaveText('12…169→')
  await page.getByRole('link', { name: 'Page 169' }).click()
  await expect(shop.products).toHaveCount(10)
})

test('shows a product to guests, and its stock, article number and key to staff', async ({ page, shop }) => {
  const facts = ['140 × 74 cm', '33 kg']
  await shop.open('?q=desk')
  await page.getByRole('link', { name: 'Desk' }).click()
  await expect(shop.heading).toHaveText('Desk')
  await expect(page).toHaveTitle('Desk · Odd Shelf')
  await expect(page.getByText('€529.00')).toBeVisible()
  await expect(page.getByRole('definition')).toHaveText(facts)

  await shop.signIn('Read only')
  await shop.open('?q=desk')
  await page.getByRole('link', { name: 'Desk' }).click()
  await expect(page.getByRole('definition')).toHaveText([...facts, '5 of 6', '1120', 'walnut-desk'])
})

test('reports that a product no longer exists, and links back', async ({ page, mock, shop }) => {
  await shop.open()
  await expect(shop.products).toHaveCount(12)
  await mock.use('not-found')
  await page.getByRole('link', { name: 'Desk' }).click()
  await expect(shop.heading).toHaveText('Nothing here')
  await page.getByRole('link', { name: 'Back to the shop' }).click()
  await expect(shop.products).toHaveCount(12)
})

test('reports an unknown address', async ({ shop }) => {
  await shop.open('cellar')
  await expect(shop.heading).toHaveText('Nothing here')
})
