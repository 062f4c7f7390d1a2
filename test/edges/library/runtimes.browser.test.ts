import { chromium } from '@playwright/test'
import { expect, it, onTestFinished } from 'vitest'
import { describeInChromium } from '../../support/chromium.ts'
import { chromiumLaunchOptions } from '../../support/chromium-launch.ts'
import { startServer } from '../../../src/node.ts'
import { bundle } from './bundle.ts'
import { outcome, tryToConnect } from './try-out.ts'

describeInChromium('the library in Chromium', () => {
  /** Opens a page that can import the bundle. */
  async function openPage(permissions: string[] = []) {
    const bundled = await bundle('try-out.ts')
    const browser = await chromium.launch(chromiumLaunchOptions)
    onTestFinished(() => browser.close())
    const page = await browser.newPage({ permissions })
    await page.route('http://page.localhost/**', (route) => {
      const name = new URL(route.request().url()).pathname.slice(1)
      const file = bundled.files.find((one) => one.name === name)
      return route.fulfill(
        file === undefined
          ? { contentType: 'text/html', body: '<!doctype html><title>A page</title>' }
          : { contentType: 'text/javascript', body: file.text },
      )
    })
    await page.goto('http://page.localhost/')
    return page
  }

  it('works in a page', async () => {
    const page = await openPage()
    expect(await page.evaluate(`import('/entry.js').then(({ tryOut }) => tryOut())`)).toEqual(outcome)
  })

  it('connects a page to a mock that allows its origin, and otherwise says why not', async () => {
    const page = await openPage(['local-network-access'])
    const connect = (url: string) => page.evaluate(`import('/entry.js').then((one) => one.tryToConnect('${url}'))`)
    const closed = await startServer({ port: 0 })
    onTestFinished(() => closed.close())
    const open = await startServer({ port: 0, adminOrigins: ['http://page.localhost'] })
    onTestFinished(() => open.close())
    expect(await connect(open.url)).toBeUndefined()
    // Node has no such rule.
    expect(await tryToConnect(closed.url)).toBeUndefined()
    expect(await connect(closed.url)).toBe(
      `SetupError: The mock at ${closed.url} does not let pages of http://page.localhost use its admin API (CORS). Start it with --admin-origin http://page.localhost.`,
    )
    await closed.close()
    expect(await connect(closed.url)).toContain(`No mock responds at ${closed.url} (Failed to fetch). Start one`)
    const asked = await openPage()
    expect(await asked.evaluate(`import('/entry.js').then((one) => one.tryToConnect('${open.url}'))`)).toContain(
      "permissions: ['local-network-access'] in Playwright.",
    )
  })
})
