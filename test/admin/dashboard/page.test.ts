import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { clientScript, clientStyle } from '../../../src/admin/dashboard/built-client.ts'
import { createAsk } from '../api/ask.ts'

const PAGE = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

/** The text of a page, without its markup. */
const toText = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll(/\s+/g, ' ')

describe('the page of the dashboard', () => {
  it('is one page for browsers, and a list of paths for others', async () => {
    const { ask } = await createAsk()
    const page = await ask('GET', '/__admin', { headers: PAGE })
    expect(page.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
    expect(page.text).toContain('The dashboard needs JavaScript.')
    expect((await ask('GET', '/__admin')).text).toContain('"paths":')
  })

  it('has no inline script or style, and allows none', async () => {
    const { ask } = await createAsk()
    const { headers, text } = await ask('GET', '/__admin', { headers: PAGE })
    expect(text).not.toMatch(/<style|style="|<script(?![^>]* src=)/)
    const policy = headers.get('Content-Security-Policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("trusted-types 'none'")
    expect(policy).not.toMatch(/unsafe|data:|https?:|\*/)
  })

  it('loads a compressed script and style sheet that the browser keeps', async () => {
    const { mock, ask } = await createAsk()
    const { text } = await ask('GET', '/@worker-1/__admin', { headers: PAGE })
    const files = [...text.matchAll(/(?:src|href)="([^"]+\.(?:js|css)[^"]*)"/g)].map(([, file = '']) => file)
    expect(files.map((file) => file.split('?')[0])).toEqual(['/__admin/dashboard.css', '/__admin/dashboard.js'])
    for (const file of files) {
      const request = new Request(`http://localhost${file}`, { headers: { 'Accept-Encoding': 'gzip' } })
      const response = await mock.fetch(request)
      expect(response.headers.get('Content-Encoding')).toBe('gzip')
      expect(response.headers.get('Cache-Control')).toContain('immutable')
      const body = gunzipSync(new Uint8Array(await response.arrayBuffer())).toString()
      expect([clientScript, clientStyle]).toContain(body)
    }
  })

  it('loads at most 70 kB, compressed', () => {
    expect(gzipSync(clientScript).byteLength + gzipSync(clientStyle).byteLength).toBeLessThan(70_000)
  })
})

describe('an error of the admin API', () => {
  it.each([
    ['an invalid session name', '/__admin?session=no%20name', 400, 'Invalid session name "no name".'],
    [
      'an invalid session name, on a subpath',
      '/__admin/requests?session=no%20name',
      400,
      'Invalid session name "no name".',
    ],
    ['an unknown path', '/__admin/snapshot', 404, 'Did you mean "/__admin/snapshots"?'],
    ['an unknown request', '/__admin/requests/none', 404, 'has no request "none"'],
    ['a malformed parameter', '/__admin/requests?limit=x', 400, 'is not a whole number of at least 0'],
    ['another session', '/@worker-1/__admin/snapshots/none', 404, 'has no snapshot'],
  ])('is a page with a link for browsers, and JSON for others: %s', async (_what, path, status, sentence) => {
    const { mock, ask } = await createAsk()
    const response = await mock.fetch(new Request(`http://localhost${path}`, { headers: PAGE }))
    expect(response.status).toBe(status)
    expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('Content-Security-Policy')).toContain("default-src 'none'")
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    const page = await response.text()
    expect(toText(page)).toContain(sentence)
    const [, home = ''] = /<a class="button" href="([^"]+)"/.exec(page) ?? []
    expect((await ask('GET', home, { headers: PAGE })).status).toBe(200)
    expect((await ask('GET', path)).text).toContain('"errors":')
  })

  it('leads away from a session whose name in the cookie is invalid', async () => {
    const { mock } = await createAsk()
    const headers = { ...PAGE, Cookie: 'mock-session=no name' }
    const refused = await mock.fetch(new Request('http://localhost/__admin', { headers }))
    expect(refused.status).toBe(400)
    const [, home = ''] = /<a class="button" href="([^"]+)"/.exec(await refused.text()) ?? []
    expect((await mock.fetch(new Request(`http://localhost${home}`, { headers }))).status).toBe(200)
  })

  it('is escaped in the page', async () => {
    const { mock } = await createAsk()
    const evil = encodeURIComponent('<script>window.ran=1</script>')
    const response = await mock.fetch(new Request(`http://localhost/__admin?session=${evil}`, { headers: PAGE }))
    expect(await response.text()).not.toContain('<script>')
  })
})
