/**
 * Takes the picture of the demo storefront for the README: the catalogue in light mode, a version conflict in dark mode.
 * Clock and data are frozen, so that the picture changes only with the shop.
 *
 * Run it with: node scripts/screenshot-storefront.js. It needs Chromium: set CHROMIUM, or it searches for one.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { chromium } from '@playwright/test'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({ options: { out: { type: 'string', default: `${root}docs/images/storefront.png` } } })

const LOOKS = { viewport: { width: 1040, height: 800 }, reducedMotion: 'reduce' }
const CHROMIUM =
  process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((path) => existsSync(path))

/** Starts the shop, and returns its address. */
async function startShop() {
  const args = ['examples/storefront/server.mjs', '--port', '0', '--clock', '2026-01-31T12:00:00Z']
  const server = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(createInterface({ input: server.stdout }), 'line', { signal: AbortSignal.timeout(30_000) })
  return { server, url: /\((.+)\)$/.exec(line)?.[1] ?? '' }
}

const SIDE_TABLE = '#/product/df3775a4-90ef-4965-b751-d48698f3949f'

/** @returns {Promise<Buffer>} the catalogue */
async function photographCatalogue(browser, url) {
  const page = await browser.newPage({ ...LOOKS, colorScheme: 'light' })
  await page.goto(url)
  await page.getByRole('heading', { level: 2 }).first().waitFor()
  return page.screenshot()
}

/** @returns {Promise<Buffer>} the page that a manager sees after saving a product that someone else has changed */
async function photographConflict(browser, url) {
  const context = await browser.newContext({ ...LOOKS, colorScheme: 'dark' })
  await context.addInitScript(() => sessionStorage.setItem('odd-shelf-access', 'manager'))
  const [mine, theirs] = [await context.newPage(), await context.newPage()]
  for (const page of [mine, theirs]) {
    await page.goto(`${url}/${SIDE_TABLE}/edit`)
    await page.getByLabel('Price').waitFor()
  }
  await theirs.getByLabel('Price').fill('169')
  await theirs.getByLabel('Note').fill('Only while it lasts')
  await theirs.getByRole('button', { name: 'Save' }).click()
  await theirs.getByRole('heading', { level: 1, name: 'Side table', exact: true }).waitFor()

  await mine.getByLabel('Note').fill('Back in May')
  await mine.getByRole('button', { name: 'Save' }).click()
  await mine.getByRole('dialog').waitFor()
  await mine.evaluate(() => window.scrollTo(0, 0))
  return mine.screenshot()
}

const toImage = (picture) => `<img src="data:image/png;base64,${picture.toString('base64')}" alt="">`

/** Both side by side, with round corners, on any background colour of the README. */
async function compose(browser, pictures, path) {
  const page = await browser.newPage({ viewport: { width: 1600, height: 900 } })
  await page.setContent(`<!doctype html><style>
    body { display: flex; align-items: start; gap: 20px; margin: 0; padding: 10px; background: transparent }
    img { width: 780px; border-radius: 14px; box-shadow: 0 2px 10px rgb(0 0 0 / 35%) }
  </style>${pictures.map(toImage).join('')}`)
  await page.locator('body').screenshot({ path, omitBackground: true })
}

await promisify(execFile)('npx', ['vite', 'build', 'examples/storefront'], { cwd: root })
await mkdir(new URL('../docs/images/', import.meta.url), { recursive: true })
const { server, url } = await startShop()
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
try {
  const pictures = [await photographCatalogue(browser, url), await photographConflict(browser, url)]
  await compose(browser, pictures, values.out)
} finally {
  await browser.close()
  server.kill('SIGTERM')
}
