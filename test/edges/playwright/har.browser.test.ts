import { chromium } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../../src/node.ts'
import { createTemporaryFolder } from '../cli/temporary-folder.ts'
import { toPng } from '../../service/http/image-samples.ts'
import { describeInChromium } from '../../support/chromium.ts'
import { chromiumLaunchOptions } from '../../support/chromium-launch.ts'
import { PATIENCE } from '../../support/patience.ts'
import { serveApp } from './suite/app.ts'

/** Performs all actions of a visitor, and returns what they see. */
async function visit(page: Page, url: string): Promise<readonly (string | null)[]> {
  const seen: (string | null)[] = []
  const look = async (status: string): Promise<void> => {
    await page.getByRole('status').filter({ hasText: status }).waitFor()
    seen.push(status, ...(await page.getByRole('listitem').allTextContents()))
  }
  await page.goto(url)
  await look('Listed')
  await page.getByRole('button', { name: 'Save' }).click()
  await look('Saved after a conflict')
  return seen
}

/** Uploads an image from the page and returns the status; `no answer` after a timeout. */
const upload = (page: Page, api: string, bytes: readonly number[], timeout = PATIENCE): Promise<string> =>
  page.evaluate(
    async ({ url, bytes, timeout }) => {
      const headers = { Authorization: 'Bearer any', 'Content-Type': 'image/png' }
      const init = { method: 'POST', headers, body: new Uint8Array(bytes), signal: AbortSignal.timeout(timeout) }
      return fetch(url, init).then(
        ({ status }) => String(status),
        () => 'no answer',
      )
    },
    { url: `${api}/acme/resource/images`, bytes, timeout },
  )

describeInChromium("the journal's HAR", () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch(chromiumLaunchOptions)
  })
  afterAll(() => browser.close())

  async function openPage(har?: string): Promise<Page> {
    const context = await browser.newContext()
    onTestFinished(() => context.close())
    const page = await context.newPage()
    page.setDefaultTimeout(PATIENCE)
    if (har !== undefined) await page.routeFromHAR(har, { url: /\/@visitor\// })
    return page
  }

  it('is replayed by routeFromHAR without the mock', async () => {
    const server = await startServer({ port: 0 })
    onTestFinished(() => server.close())
    const session = server.mock.session('visitor')
    const app = await serveApp(session.url)
    onTestFinished(() => app.close())
    await session.seed([{ key: 'first', objectTypeProperty: {} }])
    await session.use('conflict-once')

    const recorded = await openPage()
    const seen = await visit(recorded, app.url)
    expect(seen).toEqual(['Listed', 'first v1', 'Saved after a conflict', 'first v1'])
    const image = [...toPng(2, 2)]
    expect(await upload(recorded, session.url, image)).toBe('200')
    await session.use('offline')
    expect(await upload(recorded, session.url, [...image, 0])).toBe('no answer')

    const har = join(await createTemporaryFolder(), 'visitor.har')
    const response = await fetch(`${session.url}/__admin/requests.har`)
    await writeFile(har, await response.text())
    await server.close()

    const replayed = await openPage(har)
    expect(await visit(replayed, app.url)).toEqual(seen)
    expect(await upload(replayed, session.url, image)).toBe('200')
    // Like Playwright's own recordings, a broken connection is replayed as one without data.
    expect(await upload(replayed, session.url, [...image, 0], 500)).toBe('no answer')
  })
})
