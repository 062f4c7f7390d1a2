import { EventEmitter, once } from 'node:events'
import type { Locator, Page } from '@playwright/test'
import { test as base } from 'resource-mock/playwright'

/** The shop, with the actions of a user. */
export interface Shop {
  /** Opens a page of the shop, such as `cart`; the catalogue by default. */
  open(place?: string): Promise<void>
  /** Signs in, and waits for the catalogue. */
  signIn(access: 'Manager' | 'Read only'): Promise<void>
  /** Signs in as manager, and opens the form of a product. */
  edit(name: string): Promise<void>
  readonly heading: Locator
  readonly products: Locator
  /** The shop's current notice. */
  readonly notice: Locator
  /** The error message at the failed action. */
  readonly complaint: Locator
}

/** Creates the shop for a page. */
export function createShop(page: Page): Shop {
  const heading = page.getByRole('heading', { level: 1 })

  async function open(place = ''): Promise<void> {
    await page.goto(`/#/${place}`)
  }

  async function signIn(access: string): Promise<void> {
    await open('sign-in')
    await page.getByLabel(access, { exact: true }).check()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await heading.filter({ hasText: 'Things for a calm home' }).waitFor()
  }

  async function edit(name: string): Promise<void> {
    await signIn('Manager')
    await page.getByRole('link', { name }).click()
    await page.getByRole('link', { name: 'Edit' }).click()
    await heading.filter({ hasText: `Edit ${name}` }).waitFor()
  }

  return {
    open,
    signIn,
    edit,
    heading,
    products: page.getByRole('main').getByRole('list').getByRole('heading', { level: 2 }),
    notice: page.getByRole('status'),
    complaint: page.getByRole('alert'),
  }
}

/**
 * Holds back requests to an address, so that a test can check the page in the meantime, however long it takes.
 *
 * @returns a function that releases them, and all later ones
 */
export async function hold(page: Page, address: RegExp): Promise<() => void> {
  const gate = new EventEmitter()
  const opened = once(gate, 'open')
  await page.route(address, async (route) => {
    await opened
    await route.continue()
  })
  return () => void gate.emit('open')
}

export const test = base.extend<{ shop: Shop }>({
  shop: ({ page }, use) => use(createShop(page)),
})

export { expect } from 'resource-mock/playwright'
