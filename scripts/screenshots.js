/**
 * Takes new pictures of the dashboard for docs/images/: every view, light and dark, on a screen and on a phone. Clock, ids
 * and durations are fixed, so that a picture changes only with the dashboard.
 *
 * Run it with: npm run screenshots. It needs a build, and Chromium: set the environment variable CHROMIUM, or it uses
 * /usr/bin/chromium.
 */
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { chromium } from '@playwright/test'

const TABLE = 'df3775a4-90ef-4965-b751-d48698f3949f'

/** What a view shows when its data have come. */
const CONTENT = '.rows-body .row, .table tbody tr, .versions li, .scenario, .operation'

/** @type {readonly { name: string, place: string, prepare?: (page: import('@playwright/test').Page) => Promise<void> }[]} */
const views = [
  {
    name: 'requests',
    place: '',
    async prepare(page) {
      await page.locator('.rows-body .row', { hasText: '409' }).first().getByRole('link').first().click()
      await page.locator('svg.story').waitFor()
    },
  },
  {
    name: 'tests',
    place: '?view=board',
    async prepare(page) {
      await page.locator('.rows-body .row', { hasText: 'failed' }).first().getByRole('link').click()
      await page.getByRole('region', { name: 'Test details' }).getByText('Received: 409').waitFor()
    },
  },
  { name: 'scenarios', place: '?view=scenarios' },
  { name: 'resource', place: `?view=data&project=acme&resource=${TABLE}` },
  { name: 'coverage', place: '?view=coverage' },
]

/** What the names of its pictures have, its window, and its pixels per CSS pixel. */
const devices = /** @type {const} */ ([
  ['', { width: 1440, height: 900 }, 1],
  ['-phone', { width: 390, height: 640 }, 1.5],
])

const folder = new URL('../docs/images/', import.meta.url)
await mkdir(folder, { recursive: true })
const worker = new Worker(new URL('./screenshots/mock.js', import.meta.url))
const [{ url, now }] = await once(worker, 'message')
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--font-render-hinting=none'],
})

try {
  for (const [device, viewport, deviceScaleFactor] of devices) {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      const context = await browser.newContext({
        viewport,
        deviceScaleFactor,
        colorScheme,
        locale: 'en-GB',
        timezoneId: 'UTC',
        reducedMotion: 'reduce',
      })
      const page = await context.newPage()
      await page.clock.setFixedTime(now)
      for (const { name, place, prepare } of views) {
        await page.goto(`${url}/__admin${place}`)
        await page.locator('h1').waitFor()
        await page.waitForLoadState('load')
        await page.locator(CONTENT).first().waitFor()
        if (name === 'requests') await page.getByText('Live', { exact: true }).waitFor()
        await prepare?.(page)
        await page.mouse.move(0, 0)
        await page.evaluate(() => Promise.all(Array.from(document.images, (image) => image.decode())))
        const file = new URL(`dashboard-${name}${device}-${colorScheme}.png`, folder)
        await page.screenshot({ path: file.pathname, animations: 'disabled', caret: 'hide' })
        console.log(file.pathname)
      }
      await context.close()
    }
  }
} finally {
  await browser.close()
  await worker.terminate()
}
