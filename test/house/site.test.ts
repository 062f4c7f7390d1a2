import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createMock } from '../../src/index.ts'
import { findTarget, toSiteMarkdown } from '../../site/links.ts'
import { toLlmsFullText, toLlmsText } from '../../site/llms.ts'
import { readGroups, readPages, ROOT } from '../../site/pages.ts'

const groups = readGroups()
const pages = readPages()
const linksOf = (text: string): readonly string[] =>
  Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) => link)

describe('the navigation of the site', () => {
  it('leads from the start to the tests, the scenarios and the reference', () => {
    expect(groups.map(({ title }) => title)).toEqual(['Start', 'Your tests', 'Scenarios', 'Reference'])
  })

  it('has each page of docs/ once, and the pages at the root', () => {
    const inDocs = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'))
    const expected = [...inDocs.map((name) => `docs/${name}`), 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md']
    expect(pages.map(({ path }) => path).toSorted()).toEqual(expected.toSorted())
  })

  it('names each page by its heading, without duplicates', () => {
    const titles = pages.map(({ title }) => title)
    expect(pages.filter(({ title, text }) => !text.startsWith(`# ${title}`) || title.length < 3)).toEqual([])
    expect(new Set(titles).size).toBe(titles.length)
    expect(titles).toEqual(expect.arrayContaining(['Scenarios', 'Playwright', 'vitest', 'jest', 'The command line']))
  })

  it('has a heading for each column of a table', () => {
    const isTable = (line: string, next = '') => line.startsWith('|') && /^\|(?:\s*:?-+:?\s*\|)+$/.test(next.trim())
    const unnamed = pages.flatMap(({ path, text }) => {
      const lines = text.replaceAll(/^```[^]*?^```$/gm, '').split('\n')
      const headings = lines.filter((line, at) => isTable(line, lines[at + 1]))
      return headings.filter((line) => /\| *\|/.test(line)).map((line) => `${path}: ${line}`)
    })
    expect(unnamed).toEqual([])
  })

  it('gives each page a different address', () => {
    expect(new Set(pages.map(({ sitePath }) => sitePath)).size).toBe(pages.length)
    expect(pages[0]?.sitePath).toBe('index.md')
  })
})

describe('llms.txt', () => {
  const text = toLlmsText('What it is.', groups)

  it('has the form of llmstxt.org', () => {
    expect(text).toMatch(/^# resource-mock\n\n> What it is\.\n\n## Start\n\n- \[resource-mock\]\(index\.md\): /)
    const lines = text.split('\n').filter((line) => line !== '')
    expect(lines.slice(2).filter((line) => !/^## \w|^- \[[^\]]+\]\([\w-]+\.md\): .*[.?]$/.test(line))).toEqual([])
  })

  it('has each page once', () => {
    expect(linksOf(text)).toEqual(pages.map(({ sitePath }) => sitePath))
  })
})

describe('llms-full.txt', () => {
  it('has each page, with its links to pages of the site', () => {
    const text = toLlmsFullText(pages)
    for (const page of pages) expect(text).toContain(toSiteMarkdown(page, pages).trim())
    const own = new Set(pages.map(({ sitePath }) => sitePath))
    const toPages = pages
      .flatMap((page) =>
        linksOf(toSiteMarkdown({ ...page, text: page.text.replaceAll(/^```[^]*?^```$/gm, '') }, pages)),
      )
      .filter((link) => /\.md(?:#|$)/.test(link) && !link.startsWith('http'))
    expect(toPages.length).toBeGreaterThan(100)
    expect(toPages.filter((link) => !own.has(link.split('#')[0] ?? ''))).toEqual([])
  })
})

describe('a link of a page', () => {
  const at = (path: string, text: string): string =>
    toSiteMarkdown({ path, text, sitePath: '', title: '', summary: '' }, pages)

  it.each([
    ['README.md', '[a](docs/admin.md#clock)', '[a](admin.md#clock)'],
    ['docs/admin.md', '[a](../README.md)', '[a](index.md)'],
    ['docs/admin.md', '[a](#clock)', '[a](#clock)'],
    ['docs/admin.md', '[a](https://hono.dev)', '[a](https://hono.dev)'],
    ['README.md', '[a](LICENSE)', '[a](files/LICENSE.txt)'],
    ['docs/scenarios.md', '[a](../scenarios)', '[a](files/scenarios/index.html)'],
    ['docs/dashboard.md', '![a](images/storefront.png)', '![a](files/docs/images/storefront.png)'],
    ['docs/dashboard.md', '`[a](b.md)`\n```\n[a](b.md)\n```', '`[a](b.md)`\n```\n[a](b.md)\n```'],
  ])('from %s, %s, becomes %s', (path, text, expected) => {
    expect(at(path, text)).toBe(expected)
  })

  it('to a missing file is refused', () => {
    expect(existsSync(posix.join(ROOT, 'docs/missing.md'))).toBe(false)
    expect(() => findTarget('docs/admin.md', 'missing.md', pages)).toThrow(
      'docs/admin.md links to missing.md, but docs/missing.md does not exist.',
    )
  })
})

it('the icon of the site is that of the dashboard', async () => {
  const response = await (await createMock()).fetch('/__admin/dashboard.svg')
  expect(readFileSync(join(ROOT, 'site/mark.svg'), 'utf8').trim()).toBe(await response.text())
})
