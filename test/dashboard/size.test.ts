import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { clientScript, viewStyle } from '../../src/dashboard/built-client.ts'
import { createMock } from '../../src/mock.ts'

/** In bytes, compressed. */
const MOST = 60_000

const compress = (text: string): number => gzipSync(text).byteLength

it('each view is smaller than 60 kB compressed, including script and style', async () => {
  const mock = await createMock()
  const files = compress(clientScript) + compress(viewStyle)
  for (const view of ['requests', 'scenarios', 'data', 'sessions', 'contract', 'coverage']) {
    const response = await mock.fetch(
      new Request(`http://localhost/__admin?view=${view}`, { headers: { Accept: 'text/html' } }),
    )
    expect(files + compress(await response.text())).toBeLessThan(MOST)
  }
})

it('a page is painted without waiting for a style sheet or script, and a view waits for one style sheet', async () => {
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
