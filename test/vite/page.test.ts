import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import type { Page } from '@playwright/test'
import { expect, it, onTestFinished } from 'vitest'
import { chromiumLaunchOptions, describeInChromium } from '../support/chromium.ts'
import { createFolder, startDevServer } from './dev-server.ts'

const HTML = `<!doctype html>
<body><script type="module">
  const { status } = await fetch('/api/acme/resource', { headers: { Authorization: 'Bearer any' } })
  document.body.textContent = 'answered ' + status
</script></body>`

async function openPage(url: string): Promise<Page> {
  const browser = await chromium.launch(chromiumLaunchOptions)
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  await page.goto(url)
  return page
}

const untilShown = (page: Page, text: string) =>
  page.waitForFunction((text) => document.body.textContent.includes(text), text)

describeInChromium('a page of the dev server', () => {
  it('reloads when the scenario is switched by the admin API', async () => {
    const root = await createFolder()
    await writeFile(join(root, 'index.html'), HTML)
    const { url } = await startDevServer({}, { root })
    const page = await openPage(url)
    await untilShown(page, 'answered 200')

    const body = JSON.stringify({ active: ['unavailable'] })
    await fetch(`${url}/api/__admin/scenarios/active`, { method: 'PUT', body })
    await untilShown(page, 'answered 503')

    await page.evaluate(() => void fetch('/api/__admin/reset', { method: 'POST' }))
    await untilShown(page, 'answered 200')
    expect(await page.textContent('body')).toContain('answered 200')
  })
})
