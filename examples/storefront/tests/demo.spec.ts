import { createShop, expect, test } from './shop.ts'

test('shows every state of the shop with the switch in the corner', async ({ page, shop }) => {
  await shop.open()
  await expect(shop.products).toHaveCount(12)
  await page.getByRole('button', { name: 'Scenario: none' }).click()
  await page.getByLabel('empty', { exact: true }).check()
  await expect(page.getByText('The shop is empty.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Scenario: empty' })).toBeVisible()

  await page.getByLabel('none', { exact: true }).check()
  await expect(shop.products).toHaveCount(12)
})

test('shows active scenarios in the switch, and offers only those that affect the shop', async ({
  page,
  mock,
  shop,
}) => {
  await mock.use('slow')
  await shop.open()
  await page.getByRole('button', { name: 'Scenario: slow' }).click()
  await expect(page.getByLabel('slow', { exact: true })).toBeChecked()
  await expect(page.getByLabel('custom1', { exact: true })).toHaveCount(0)
})

test('resets everything', async ({ page, mock, shop }) => {
  await mock.seed([])
  await mock.use('slow')
  await shop.open()
  await page.getByRole('button', { name: 'Scenario: slow' }).click()
  await page.getByRole('button', { name: 'Reset data and scenario' }).click()
  await expect(page.getByRole('button', { name: 'Scenario: none' })).toBeVisible()
  await expect(shop.products).toHaveCount(12)
})

test('isolates visitors from each other', async ({ browser, baseURL }) => {
  const [first, second] = await Promise.all(
    ['first', 'second'].map(async () => {
      const context = await browser.newContext(baseURL === undefined ? {} : { baseURL })
      const page = await context.newPage()
      return { page, shop: createShop(page) }
    }),
  )
  if (first === undefined || second === undefined) throw new Error('Two visitors are two.')
  await first.shop.open()
  await first.page.getByRole('button', { name: 'Scenario: none' }).click()
  await first.page.getByLabel('empty', { exact: true }).check()
  await expect(first.page.getByText('The shop is empty.')).toBeVisible()

  await second.shop.open()
  await expect(second.shop.products).toHaveCount(12)
})

test("leads to the page that presents the visitor's session, by a link and a QR code", async ({ browser, baseURL }) => {
  // Without the session of the test, like a visitor.
  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL })
  const page = await context.newPage()
  await createShop(page).open()
  await page.getByRole('button', { name: 'Scenario: none' }).click()
  await expect(page.getByRole('img', { name: 'QR code of the link to your session' })).toBeVisible()
  const opened = context.waitForEvent('page')
  await page.getByRole('link', { name: 'Present your session' }).click()
  const presented = await opened
  await expect(presented.getByRole('listitem').filter({ hasText: 'List shown' }).first()).toBeVisible()

  await presented.getByRole('switch', { name: 'empty' }).click()
  await expect(presented.getByRole('switch', { name: 'empty' })).toBeChecked()
  await page.reload()
  await expect(page.getByText('The shop is empty.')).toBeVisible()
  await context.close()
})

const adminCalls = [
  { path: '/scenarios', status: 200 },
  { path: '/images', status: 200 },
  { path: '/state', status: 401 },
  { path: '/requests', status: 401 },
  { path: '/sessions', status: 401 },
]

for (const { path, status } of adminCalls) {
  test(`a visitor gets ${status} from the admin API's ${path}`, async ({ request }) => {
    expect((await request.get(`/api/__admin${path}`)).status()).toBe(status)
  })
}

test('gives a visitor access only to their own session', async ({ request }) => {
  expect((await request.put('/api/@somebody/__admin/scenarios/active', { data: { active: [] } })).status()).toBe(401)
})
