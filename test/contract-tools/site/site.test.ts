import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { extname, join, posix } from 'node:path'
import { chromium } from '@playwright/test'
import type { Page } from '@playwright/test'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { tmpdir } from 'node:os'
import { readPages, ROOT } from '../../../site/pages.ts'
import { chromiumLaunchOptions, describeInChromium } from '../../support/chromium.ts'
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

  it('opens a file linked from a page', async () => {
    const { page, seen } = await open('index.html')
    await page.getByRole('link', { name: 'licence' }).click()
    await page.waitForURL('**/files/LICENSE.txt')
    expect(seen).toEqual([])
  })
})
