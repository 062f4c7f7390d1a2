import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from './shop.ts'
import type { Shop } from './shop.ts'

interface View {
  readonly name: string
  readonly scenario?: string
  readonly open: (shop: Shop, page: Page) => Promise<void>
  /** Visible once the view is loaded. */
  readonly title: string | RegExp
}

const views: readonly View[] = [
  { name: 'the catalogue', open: (shop) => shop.open(), title: 'Things for a calm home' },
  { name: 'an empty search', open: (shop) => shop.open('?q=submarine'), title: /^Results/ },
  { name: 'the cart', open: (shop) => shop.open('cart?locale=de-DE'), title: 'Ihr Warenkorb' },
  { name: 'the sign-in', open: (shop) => shop.open('sign-in'), title: 'Sign in' },
  { name: 'an error', scenario: 'offline', open: (shop) => shop.open(), title: 'You seem to be offline' },
  { name: 'the form of a product', open: (shop) => shop.edit('Side table'), title: 'Edit Side table' },
  {
    name: 'a product that can be changed',
    async open(shop, page) {
      await shop.signIn('Manager')
      await page.getByRole('link', { name: 'Desk' }).click()
    },
    title: 'Desk',
  },
  {
    name: 'the scenario switch',
    async open(shop, page) {
      await shop.open()
      await page.getByRole('button', { name: 'Scenario: none' }).click()
      await page.getByLabel('Lists and searches find nothing', { exact: true }).waitFor()
    },
    title: 'Things for a calm home',
  },
  {
    name: 'a conflict',
    scenario: 'conflict',
    async open(shop, page) {
      await shop.edit('Side table')
      await page.getByLabel('Note to customers').fill('Back in May')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('dialog').waitFor()
    },
    title: 'Edit Side table',
  },
  {
    name: 'a complaint',
    scenario: 'read-only',
    async open(shop, page) {
      await shop.edit('Side table')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('alert').waitFor()
    },
    title: 'Edit Side table',
  },
]

/** How far the page scrolls sideways, in pixels. */
const toOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test.describe('in light mode on a large screen, in dark mode on a small one', () => {
  // Wait until nothing is still fading in.
  test.use({ colorScheme: 'light', contextOptions: { reducedMotion: 'reduce' } })

  for (const { name, scenario, open, title } of views) {
    test(`${name} can be used by everyone`, async ({ page, mock, shop }) => {
      if (scenario !== undefined) await mock.use(scenario)
      await open(shop, page)
      // Behind a modal dialog, elements have no role.
      await expect(page.locator('h1')).toHaveText(title)
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])

      await page.emulateMedia({ colorScheme: 'dark' })
      await page.setViewportSize({ width: 360, height: 740 })
      expect(await toOverflow(page)).toBe(0)
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
    })
  }
})

test('finds, opens and leaves a product by keyboard alone', async ({ page, shop }) => {
  await shop.open()
  await expect(shop.products).toHaveCount(12)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(shop.heading).toBeFocused()

  await page.getByRole('searchbox').focus()
  await page.keyboard.type('desk')
  await page.keyboard.press('Enter')
  await expect(shop.products).toHaveText(['Desk'])
  // The search keeps the focus; the result is close.
  await expect(page.getByRole('searchbox')).toBeFocused()
  await page.getByRole('link', { name: 'Desk' }).focus()
  await page.keyboard.press('Enter')
  await expect(shop.heading).toHaveText('Desk')
  await expect(shop.heading).toBeFocused()
  await page.goBack()
  await expect(shop.heading).toHaveText('Results for “desk”')
})

test('moves the focus into a question, keeps it there and returns it', async ({ page, shop }) => {
  await shop.signIn('Manager')
  await page.getByRole('link', { name: 'Desk' }).click()
  const button = page.getByRole('button', { name: 'Delete' })
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Delete Desk?' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Delete' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(button).toBeFocused()
})

test('closes the switch in the corner with Escape', async ({ page, shop }) => {
  await shop.open()
  const toggle = page.getByRole('button', { name: 'Scenario: none' })
  await toggle.click()
  await expect(page.getByLabel('Everything is slow', { exact: true })).toBeVisible()
  await page.getByLabel('Everything works', { exact: true }).focus()
  await page.keyboard.press('Escape')
  await expect(toggle).toBeFocused()
  await expect(page.getByLabel('Everything is slow', { exact: true })).toBeHidden()
})
