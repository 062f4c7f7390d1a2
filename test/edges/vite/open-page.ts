import { chromium } from '@playwright/test'
import type { Page } from '@playwright/test'
import { expect, onTestFinished } from 'vitest'
import { chromiumLaunchOptions } from '../../support/chromium-launch.ts'

/** A page of a dev server. */
interface Opened {
  readonly page: Page
  /** Resolves once the page has connected that many times: it misses reload messages before that. */
  readonly untilConnected: (times: number) => Promise<void>
  /** Resolves once the page shows a text, however often it is reloaded meanwhile. */
  readonly untilShown: (text: string) => Promise<void>
}

/** Opens a page of a dev server in a browser that ends with the test. */
export async function openPage(url: string): Promise<Opened> {
  const browser = await chromium.launch(chromiumLaunchOptions)
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  let connections = 0
  page.on('console', (message) => {
    // Vite's client logs this once the server has greeted it.
    if (message.text() === '[vite] connected.') connections += 1
  })
  await page.goto(url)
  return {
    page,
    untilConnected: async (times) => expect.poll(() => connections).toBeGreaterThanOrEqual(times),
    untilShown: (text) => page.locator('body', { hasText: text }).waitFor(),
  }
}
