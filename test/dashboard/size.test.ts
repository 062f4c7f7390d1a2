import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { clientScript, clientStyle } from '../../src/dashboard/built-client.ts'
import { createMock } from '../../src/mock.ts'
import { describeInChromium } from '../support/chromium.ts'
import { useBrowser } from './visit.ts'

/** In bytes, compressed. */
const MOST = 60_000

const compress = (text: string): number => gzipSync(text).byteLength

it('a view is less than 60 kB in all, compressed', async () => {
  const mock = await createMock()
  const files = compress(clientScript) + compress(clientStyle)
  for (const view of ['requests', 'scenarios', 'data', 'sessions', 'contract']) {
    const response = await mock.fetch(
      new Request(`http://localhost/__admin?view=${view}`, { headers: { Accept: 'text/html' } }),
    )
    expect(files + compress(await response.text())).toBeLessThan(MOST)
  }
})

describeInChromium('a page', () => {
  const visit = useBrowser()

  it('is painted within 100 ms', async () => {
    const { page, go } = await visit()
    const paints: number[] = []
    for (let at = 0; at < 7; at += 1) {
      await go(`?view=scenarios&at=${at}`)
      const paint = await page.evaluate(
        () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.POSITIVE_INFINITY,
      )
      paints.push(paint)
    }
    // The best of some, since other tests may have the machine meanwhile.
    expect(Math.min(...paints)).toBeLessThan(100)
  })
})
