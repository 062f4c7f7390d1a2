import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createMock } from '../../../src/index.ts'
import { filesOf, layOut } from './page.ts'

const BROWSER = { Accept: 'text/html' }
const JSON_TYPE = { 'Content-Type': 'application/json' }
const DRAFT = '{"objectTypeProperty":{}}'

/** A mock that is mounted under a path. */
async function createMounted(adminToken?: string) {
  const mock = await createMock({ auth: 'off', ...(adminToken === undefined ? {} : { adminToken }) })
  mock.setUrl('http://localhost:3000/mock/')
  return mock
}

const create = (path: string): Request =>
  new Request(`http://localhost:3000${path}`, { method: 'POST', headers: JSON_TYPE, body: DRAFT })

describe('a mock under a path', () => {
  it.each(['/mock/acme/resource', '/mock/@s1/acme/resource', '/mock/eu/gcp/acme/resource'])(
    'responds to %s with a Location under the path',
    async (path) => {
      const mock = await createMounted()
      const created = await mock.fetch(create(path))
      const location = created.headers.get('Location') ?? ''
      expect(location).toMatch(new RegExp(`^${path}/[0-9a-f-]{36}$`))
      expect((await mock.fetch(`http://localhost:3000${location}`)).status).toBe(200)
    },
  )

  it('has a dashboard whose links and cookies stay under the path', async () => {
    const mock = await createMounted('choose-one')
    const headers = { ...BROWSER, Authorization: 'Bearer choose-one' }
    const page = await (await mock.fetch('http://localhost:3000/mock/__admin', { headers })).text()
    const links = [...page.matchAll(/(?:href|src|action)="(\/[^"]*)"/g)].map(([, link = '']) => link)
    expect(links).toHaveLength(3)
    expect(links.filter((link) => !link.startsWith('/mock/__admin'))).toEqual([])
    const linked = await mock.fetch('http://localhost:3000/mock/__admin?token=choose-one')
    expect(linked.headers.get('Location')).toBe('/mock/__admin')
    expect(linked.headers.get('Set-Cookie')).toContain('Path=/mock/__admin')
  })

  it('redirects a browser from its root to its dashboard', async () => {
    const mock = await createMounted()
    for (const path of ['/mock', '/mock/']) {
      const response = await mock.fetch(`http://localhost:3000${path}`, { headers: BROWSER })
      expect(await response.text()).toContain('href="/mock/__admin"')
    }
  })

  it('serves its own sessions, whose URLs are under the path', async () => {
    const session = (await createMounted()).session('checkout')
    expect(session.url).toBe('http://localhost:3000/mock/@checkout')
    await session.use('unavailable')
    expect((await session.fetch('/acme/resource')).status).toBe(503)
    expect(await session.requests()).toHaveLength(1)
  })

  it('accepts a request whose path the server has already removed', async () => {
    const mock = await createMounted()
    expect((await mock.fetch('http://localhost:3000/acme/resource')).status).toBe(200)
    expect((await mock.fetch('http://localhost:3000/mockery/resource')).status).toBe(200)
  })

  it.each(['/mock', 'mock'])('cannot be at %s, which is not a URL', async (url) => {
    const mock = await createMock()
    expect(() => mock.setUrl(url)).toThrow(`setUrl was called with "${url}", which is not a URL.`)
  })
})

it('docs/library.md shows a route handler that serves the mock', async () => {
  const path = 'app/mock/[...path]/route.ts'
  const text = filesOf('docs/library.md').get(path) ?? expect.fail('The page shows no route handler.')
  const { folder, remove } = await layOut(new Map([['src/route.ts', text]]))
  onTestFinished(remove)
  const outfile = join(folder, 'route.mjs')
  const alias = { 'resource-mock': join(import.meta.dirname, '../../../src/index.ts') }
  const entryPoints = [join(folder, 'src/route.ts')]
  await build({ entryPoints, outfile, alias, bundle: true, packages: 'external', format: 'esm', platform: 'node' })
  // As the page describes.
  const { GET, POST } = (await import(/* @vite-ignore */ pathToFileURL(outfile).href)) as Readonly<
    Record<'GET' | 'POST', (request: Request) => Promise<Response>>
  >
  const authorized = { Authorization: 'Bearer any' }
  const created = await POST(new Request(create('/mock/acme/resource'), { headers: { ...JSON_TYPE, ...authorized } }))
  expect(created.headers.get('Location')).toMatch(/^\/mock\/acme\/resource\//)
  const location = `http://localhost:3000${created.headers.get('Location')}`
  expect((await GET(new Request(location, { headers: authorized }))).status).toBe(200)
})
