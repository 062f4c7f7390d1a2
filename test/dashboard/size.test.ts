import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { clientScript, viewStyle } from '../../src/dashboard/built-client.ts'
import { createMock } from '../../src/mock.ts'

/** In bytes, compressed. */
const MOST = 60_000

const compress = (text: string): number => gzipSync(text).byteLength

it('a view is less than 60 kB in all, compressed', async () => {
  const mock = await createMock()
  const files = compress(clientScript) + compress(viewStyle)
  for (const view of ['requests', 'scenarios', 'data', 'sessions', 'contract']) {
    const response = await mock.fetch(
      new Request(`http://localhost/__admin?view=${view}`, { headers: { Accept: 'text/html' } }),
    )
    expect(files + compress(await response.text())).toBeLessThan(MOST)
  }
})

it('a page waits for no stylesheet and no script before it is painted, and a view for one stylesheet', async () => {
  const mock = await createMock()
  const response = await mock.fetch(new Request('http://localhost/__admin', { headers: { Accept: 'text/html' } }))
  const html = await response.text()
  const [head = '', body = ''] = html.split('<body')
  expect(head).toContain('<style>')
  expect(head).not.toContain('rel="stylesheet"')
  expect(body.match(/<link[^>]+rel="stylesheet"/g)).toHaveLength(1)
  expect(body.indexOf('rel="stylesheet"')).toBeLessThan(body.indexOf('<main'))
  const scripts = html.match(/<script[^>]*>/g) ?? []
  expect(scripts.length).toBeGreaterThan(0)
  for (const script of scripts) expect(script).toMatch(/defer|async|type="module"/)
})
