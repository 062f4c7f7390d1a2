import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { extname, join, posix } from 'node:path'
import { chromium } from '@playwright/test'
import type { Page } from '@playwright/test'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { tmpdir } from 'node:os'
import { searchOptions } from '../../../site/search.ts'
import { readPages, ROOT } from '../../../site/pages.ts'
import { describeInChromium } from '../../support/chromium.ts'
import { chromiumLaunchOptions } from '../../support/chromium-launch.ts'
import { runTool } from '../openapi/tool.ts'

const pages = readPages()
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'resource-mock-site-'))
  const { status, output } = await runTool('npm', ['run', 'site', '--', '--outDir', folder], ROOT)
  expect({ status, output }).toMatchObject({ status: 0 })
  return () => rm(folder, { recursive: true, force: true })
})

const toHtml = (sitePath: string): string => sitePath.replace(/\.md$/, '.html')
const readBuilt = (path: string): string => readFileSync(join(folder, path), 'utf8')

/** Describes a broken link of a built page. */
function findFault(from: string, href: string): string | undefined {
  const [path = '', anchor] = href.split('#')
  const target = path === '' ? from : posix.join(posix.dirname(from), path)
  const file = target.endsWith('/') ? posix.join(target, 'index.html') : target
  if (!existsSync(join(folder, file))) return `${from} links to ${href}, but the site has no ${file}.`
  if (anchor === undefined || readBuilt(file).includes(`id="${decodeURIComponent(anchor)}"`)) return undefined
  return `${from} links to ${href}, but ${file} has no id "${anchor}".`
}

describe('the built site', () => {
  it('has all pages, with links to existing pages, anchors and files', () => {
    const faults = pages.flatMap(({ sitePath }) => {
      const from = toHtml(sitePath)
      const hrefs = Array.from(readBuilt(from).matchAll(/<a\b[^>]*? href="([^"]+)"/g), ([, href = '']) => href)
      expect(hrefs.length).toBeGreaterThan(pages.length)
      return hrefs.filter((href) => !/^[a-z]+:/.test(href)).flatMap((href) => findFault(from, href) ?? [])
    })
    expect([...new Set(faults)]).toEqual([])
  })

  it('has an icon on each page', () => {
    const without = pages.filter(
      ({ sitePath }) => !readBuilt(toHtml(sitePath)).includes('<link rel="icon" href="data:image/svg+xml,'),
    )
    expect(without).toEqual([])
  })

  it('lists the files of a linked folder', () => {
    const from = 'files/scenarios/index.html'
    const hrefs = Array.from(readBuilt(from).matchAll(/href="([^"]+)"/g), ([, href = '']) => href)
    expect(hrefs).toHaveLength(readdirSync(join(ROOT, 'scenarios')).length)
    expect(hrefs.flatMap((href) => findFault(from, href) ?? [])).toEqual([])
  })

  it('has llms.txt and llms-full.txt, with links to existing files', () => {
    const links = Array.from(readBuilt('llms.txt').matchAll(/\]\(([^)]+)\)/g), ([, link = '']) => link)
    expect(links).toHaveLength(pages.length)
    expect(links.filter((link) => !existsSync(join(folder, link)))).toEqual([])
    for (const { title } of pages) expect(readBuilt('llms-full.txt')).toContain(`\n# ${title}`)
  })
})

/** The search of the site, outside a browser. */
interface Search {
  search(query: string): readonly { readonly id: string }[]
}

async function loadSearch(): Promise<Search> {
  const chunks = join(folder, 'assets/chunks')
  const name = readdirSync(chunks).find((file) => file.startsWith('@localSearchIndexroot')) ?? expect.fail('no index')
  // The chunk exports the index as text.
  const { default: index } = (await import(join(chunks, name))) as { readonly default: string }
  // VitePress brings the package; it is not installed at the root.
  const path = join(ROOT, 'site/node_modules/minisearch/dist/es/index.js')
  const { default: MiniSearch } = (await import(path)) as {
    readonly default: { loadJSON(json: string, options: unknown): Search }
  }
  const fields = ['title', 'titles', 'text']
  return MiniSearch.loadJSON(index, { fields, storeFields: ['title', 'titles'], searchOptions })
}

describe('the search of the site', () => {
  it.each([
    ['slow response', '/scenarios.html#slow-responses-and-timeouts'],
    ['timeout', '/scenarios.html#slow-responses-and-timeouts'],
    ['github actions', '/ci.html#continuous-integration-a-workflow-for-github-actions'],
    ['filter requests', '/journal.html#filtering-requests'],
    ['share file', '/sessions.html#share-files'],
    ['reset data between tests', '/sessions.html#resetting-data-between-tests'],
    ['custom fixtures', '/state.html#custom-fixtures'],
    ['optimistic locking', '/operations.html#optimistic-locking'],
    ['upload too large', '/recipes.html#400-413-415-the-upload-is-damaged-too-large-or-of-a-wrong-type'],
  ])('leads from %j to %s', async (query, id) => {
    expect((await loadSearch()).search(query)[0]?.id).toBe(id)
  })

  it.each(['mutation', 'requests', 'scenario', 'test', 'Redis'])(
    'lists contributing, changelog and benchmarks last for %j',
    async (query) => {
      const ids = (await loadSearch()).search(query).map(({ id }) => id)
      const isLast = (id: string) => /^\/(?:contributing|changelog|benchmarks)/.test(id)
      const others = ids.filter((id) => !isLast(id)).slice(0, 5)
      expect(ids.slice(0, others.length)).toEqual(others)
    },
  )
})

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.txt': 'text/plain',
}

/** Opens a page of the site; `seen` collects requests to other hosts and errors reported by the page. */
async function open(path: string): Promise<{ readonly page: Page; readonly seen: readonly string[] }> {
  const browser = await chromium.launch(chromiumLaunchOptions)
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  const seen: string[] = []
  page.on('pageerror', (fault) => seen.push(String(fault)))
  page.on('console', (message) => {
    if (message.type() === 'error') seen.push(message.text())
  })
  await page.route('**/*', async (route) => {
    const { host, pathname } = new URL(route.request().url())
    if (host !== 'site.test') seen.push(route.request().url())
    const file = join(folder, decodeURIComponent(pathname))
    if (!existsSync(file)) return route.fulfill({ status: 404 })
    return route.fulfill({
      body: await readFile(file),
      contentType: TYPES[extname(file)] ?? 'application/octet-stream',
    })
  })
  await page.goto(`http://site.test/${path}`)
  return { page, seen }
}

describeInChromium('the site in a browser', () => {
  it('finds text and opens its page, without requests to other hosts', async () => {
    const { page, seen } = await open('index.html')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('searchbox').fill('forwardSession')
    await page.getByRole('option').first().click()
    await page.getByRole('heading', { level: 1, name: 'Server-rendered apps' }).waitFor()
    expect(seen).toEqual([])
  })

  it('finds how to get started', async () => {
    const { page } = await open('index.html')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('searchbox').fill('getting started')
    await page.getByRole('option').first().click()
    await page.getByRole('heading', { level: 1, name: /^Getting started/ }).waitFor()
  })

  it('shows the product on the first screen, in the mode of the page', async () => {
    const { page } = await open('index.html')
    await page.setViewportSize({ width: 1440, height: 900 })
    const picture = page.locator('.vp-doc img:visible').first()
    const { y } = (await picture.boundingBox()) ?? expect.fail('no picture')
    expect(y).toBeLessThan(600)
    expect(await picture.getAttribute('src')).toContain('dashboard-requests-light')
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('html.dark').waitFor()
    expect(await picture.getAttribute('src')).toContain('dashboard-requests-dark')
  })

  it('expands only the group of the current page', async () => {
    const { page } = await open('scenarios.html')
    await page.setViewportSize({ width: 1440, height: 900 })
    const isExpanded = (group: string) =>
      page.locator('.VPSidebarItem.level-0', { hasText: group }).evaluate((item) => !item.matches('.collapsed'))
    await expect.poll(() => isExpanded('Recipes')).toBe(true)
    expect(await isExpanded('Getting started')).toBe(false)
  })

  it('wraps code on a phone', async () => {
    const { page } = await open('getting-started.html')
    await page.setViewportSize({ width: 390, height: 844 })
    const hidden = await page
      .locator('.vp-doc pre')
      .evaluateAll((blocks) => blocks.filter((block) => block.scrollWidth > block.clientWidth).length)
    expect(hidden).toBe(0)
  })

  it('prints the text without navigation, and whole commands', async () => {
    const { page } = await open('contract-testing.html')
    await page.setViewportSize({ width: 700, height: 900 })
    await page.emulateMedia({ media: 'print' })
    for (const part of ['.VPNav', '.VPSidebar', '.VPLocalNav', '.VPDocFooter']) {
      expect(await page.locator(part).first().isVisible()).toBe(false)
    }
    const cut = await page
      .locator('.vp-doc pre code')
      .evaluateAll((blocks) => blocks.filter((block) => block.getBoundingClientRect().right > innerWidth).length)
    expect(cut).toBe(0)
    expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true)
  })

  it('opens a file linked from a page', async () => {
    const { page, seen } = await open('index.html')
    await page.getByRole('link', { name: 'licence' }).click()
    await page.waitForURL('**/files/LICENSE.txt')
    expect(seen).toEqual([])
  })
})
