import { chromium } from '@playwright/test'
import { expect, it, onTestFinished } from 'vitest'
import { chromiumLaunchOptions, describeInChromium } from '../../support/chromium.ts'
import { bundle } from './bundle.ts'
import { outcome } from './try-out.ts'

describeInChromium('the library in Chromium', () => {
  it('works in a page', async () => {
    const bundled = await bundle('try-out.ts')
    const browser = await chromium.launch(chromiumLaunchOptions)
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    await page.route('**/*', (route) => {
      const name = new URL(route.request().url()).pathname.slice(1)
      const file = bundled.files.find((one) => one.name === name)
      return route.fulfill(
        file === undefined
          ? { contentType: 'text/html', body: '<!doctype html><title>A page</title>' }
          : { contentType: 'text/javascript', body: file.text },
      )
    })
    await page.goto('http://page.localhost/')
    expect(await page.evaluate(`import('/entry.js').then(({ tryOut }) => tryOut())`)).toEqual(outcome)
  })
})
