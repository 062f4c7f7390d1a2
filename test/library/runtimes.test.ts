import { chromium } from '@playwright/test'
import { Miniflare } from 'miniflare'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { chromiumLaunchOptions, describeInChromium } from '../support/chromium.ts'
import { bundle, sizeAtOnce } from './bundle.ts'
import type { Bundle } from './bundle.ts'
import { outcome, tryOut } from './try-out.ts'

/** In KiB, minified and compressed: whoever makes it larger should know. */
const MOST = 150

let bundled: Bundle

beforeAll(async () => {
  bundled = await bundle('try-out.ts')
})

describe('the library', () => {
  it('works in Node', async () => {
    expect(await tryOut()).toEqual(outcome)
  })

  it('is bundled for the browser without anything of Node', () => {
    expect(bundled.external).toEqual([])
    expect(bundled.files.map(({ text }) => text).join('\n')).not.toMatch(/(?:from|import|require)\s*\(?"node:/)
  })

  it(`adds at most ${MOST} KiB to what a page loads at once`, () => {
    expect(Math.ceil(sizeAtOnce(bundled) / 1024)).toBeLessThanOrEqual(MOST)
  })

  it('works in workerd', async () => {
    const worker = `import { tryOut } from './entry.js'
export default { fetch: async () => Response.json(await tryOut()) }`
    const modules = [{ name: 'worker.js', text: worker }, ...bundled.files].map(({ name, text }) => ({
      type: 'ESModule' as const,
      path: name,
      contents: text,
    }))
    const workerd = new Miniflare({ modules, compatibilityDate: '2025-01-01' })
    onTestFinished(() => workerd.dispose())
    const response = await workerd.dispatchFetch('http://worker/')
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(outcome)))
  })
})

describeInChromium('the library in Chromium', () => {
  it('works in a page', async () => {
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
