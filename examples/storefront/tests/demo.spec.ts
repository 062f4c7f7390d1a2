import type { Page } from '@playwright/test'
import jsQR from 'jsqr'
import { createShop, expect, test } from './shop.ts'

test('shows every state of the shop with the switch in the corner', async ({ page, shop }) => {
  await shop.open()
  await expect(shop.products).toHaveCount(12)
  await page.getByRole('button', { name: 'Scenario: none' }).click()
  await page.getByLabel('Lists and searches find nothing', { exact: true }).check()
  await expect(page.getByText('The shop is empty.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Scenario: empty' })).toBeVisible()

  await page.getByLabel('Everything works', { exact: true }).check()
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
  await expect(page.getByLabel('Everything is slow', { exact: true })).toBeChecked()
  await expect(page.getByLabel('A submission gets the first special answer', { exact: true })).toHaveCount(0)
})

test('shows a scenario that was activated elsewhere as soon as its effect is visible', async ({ page, mock, shop }) => {
  await shop.open()
  await expect(page.getByRole('button', { name: 'Scenario: none' })).toBeVisible()
  await mock.use('empty', 'slow')
  await page.getByRole('link', { name: 'Kitchen' }).click()
  await page.getByRole('button', { name: 'Scenario: empty, slow' }).click()
  await expect(page.getByLabel('Everything works', { exact: true })).not.toBeChecked()
})

test('keeps what was typed when a scenario is chosen', async ({ page, mock, shop }) => {
  await shop.edit('Side table')
  await page.getByLabel('Note to customers').fill('Back in May')
  await page.getByRole('searchbox').fill('oak')
  await page.getByRole('button', { name: 'Scenario: none' }).click()
  await page.getByLabel('Someone else saves first, once', { exact: true }).check()
  await expect(page.getByRole('button', { name: 'Scenario: conflict-once' })).toBeVisible()
  await expect(shop.notice).toHaveText('Scenario conflict-once is active.')
  await expect(page.getByLabel('Note to customers')).toHaveValue('Back in May')
  await expect(page.getByRole('searchbox')).toHaveValue('oak')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Keep mine' }).click()
  await expect(page.getByText('Back in May')).toBeVisible()
  await expect(mock).toHaveReceived({ operation: 'updateResource' }, { times: 2 })
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
  await first.page.getByLabel('Lists and searches find nothing', { exact: true }).check()
  await expect(first.page.getByText('The shop is empty.')).toBeVisible()

  await second.shop.open()
  await expect(second.shop.products).toHaveCount(12)
})

/** Reads the QR code in a screenshot. */
async function readCode(page: Page, screenshot: Buffer): Promise<string | undefined> {
  const { data, width, height } = await page.evaluate(
    async (source) => {
      const image = new Image()
      image.src = source
      await image.decode()
      const canvas = new OffscreenCanvas(image.width, image.height)
      const context = canvas.getContext('2d')
      context?.drawImage(image, 0, 0)
      const pixels = context?.getImageData(0, 0, image.width, image.height).data ?? []
      return { data: [...pixels], width: image.width, height: image.height }
    },
    `data:image/png;base64,${screenshot.toString('base64')}`,
  )
  return jsQR(Uint8ClampedArray.from(data), width, height)?.data
}

test("leads to the dashboard of the visitor's session, by a link and a QR code", async ({ browser, baseURL }) => {
  // Without the session of the test, like a visitor.
  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL })
  const page = await context.newPage()
  await createShop(page).open()
  await page.getByRole('button', { name: 'Scenario: none' }).click()
  const code = page.getByRole('img', { name: 'QR code of the link to your session' })
  await expect(code).toBeVisible()
  const opened = context.waitForEvent('page')
  await page.getByRole('link', { name: 'Open your session' }).click()
  const dashboard = await opened
  expect(await readCode(await context.newPage(), await code.screenshot())).toBe(dashboard.url())
  await dashboard.getByRole('link', { name: 'Scenarios' }).click()
  await dashboard.getByRole('switch', { name: 'empty' }).click()
  await expect(dashboard.getByRole('switch', { name: 'empty' })).toBeChecked()
  await page.reload()
  await expect(page.getByText('The shop is empty.')).toBeVisible()

  await dashboard.getByRole('link', { name: 'Requests', exact: true }).click()
  await dashboard.getByRole('table', { name: 'Requests' }).getByRole('link', { name: '/resource' }).first().click()
  await expect(dashboard.getByRole('region', { name: 'Request details' }).getByText('curl')).toBeVisible()
  for (const [button, confirm] of [
    ['Clear…', 'Clear requests'],
    ['Reset session…', 'Reset session'],
  ] as const) {
    await dashboard.getByRole('button', { name: button }).click()
    await dashboard.getByRole('dialog').getByRole('button', { name: confirm }).click()
    await expect(dashboard.getByRole('dialog')).toHaveCount(0)
  }
  await dashboard.getByRole('link', { name: 'Tests' }).click()
  await expect(dashboard.getByText('No tests yet')).toBeVisible()
  await expect(dashboard.getByRole('alert')).toHaveCount(0)
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
