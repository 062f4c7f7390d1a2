import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { toSlug } from '../../site/links.ts'
import { readText } from './sources.ts'

const root = join(import.meta.dirname, '..', '..')
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`),
]
  .filter((path) => path.endsWith('.md'))
  .toSorted()

const withoutCode = (text: string): string => text.replaceAll(/^```[^]*?^```$/gm, '')

/** All link targets of a page. */
function findAnchors(text: string): readonly string[] {
  const plain = withoutCode(text)
  const slugs = Array.from(plain.matchAll(/^#{1,6} (.+)$/gm), ([, heading = '']) => toSlug(heading))
  const numbered = slugs.map((slug, index) => {
    const before = slugs.slice(0, index).filter((other) => other === slug).length
    return before === 0 ? slug : `${slug}-${before}`
  })
  return [...numbered, ...Array.from(plain.matchAll(/<a id="([^"]+)">/g), ([, id = '']) => id)]
}

/** The relative links of a page, and of its images. */
const findLinks = (text: string): readonly string[] =>
  Array.from(
    withoutCode(text)
      .replaceAll(/`[^`]*`/g, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
    ([, link = '']) => link,
  ).filter((link) => !/^[a-z]+:/.test(link))

/** A message for each broken link. */
function findFault(page: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : posix.join(posix.dirname(page), path)
  if (!existsSync(join(root, target))) return `${page} links to ${link}, but ${target} does not exist.`
  if (anchor === undefined || findAnchors(readText(target)).includes(anchor)) return undefined
  return `${page} links to ${link}, but ${target} has no heading or anchor "${anchor}".`
}

/** What only the repository has: it would be a third of the package. */
const isInRepository = (path: string): boolean => path.endsWith('.png') || path.startsWith('examples/storefront')

/** Asks npm for the files that the package will have. */
async function pack() {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const { stdout } = await promisify(execFile)('npm', args, { cwd: root, maxBuffer: 1e8 })
  // npm lists packages, in newer versions by their names.
  const [packed] = Object.values(
    JSON.parse(stdout) as Record<
      string,
      { readonly files: readonly { readonly path: string }[]; readonly size: number; readonly unpackedSize: number }
    >,
  )
  return packed ?? expect.fail('npm packed nothing.')
}

const packing = pack()

describe('links in the documentation', () => {
  it.each(pages)('of %s are not broken', (page) => {
    expect(findLinks(readText(page)).flatMap((link) => findFault(page, link) ?? [])).toEqual([])
  })

  it('of packed pages lead to packed files', async () => {
    const { files } = await packing
    const isPacked = (target: string) => files.some(({ path }) => path === target || path.startsWith(`${target}/`))
    const missing = pages
      .filter(isPacked)
      .flatMap((page) => findLinks(readText(page)).map((link) => [page, link.split('#')[0] ?? ''] as const))
      .map(([page, path]) => [page, path === '' ? page : posix.join(posix.dirname(page), path).replace(/\/$/, '')])
      .filter(([, target = '']) => !isPacked(target) && !isInRepository(target))
    expect(missing).toEqual([])
    expect(pages.filter(isPacked).length).toBeGreaterThan(30)
  })

  it('are found, except those in code', () => {
    const text =
      'A [page](admin.md#a), ![an image](a.png), `[code](b.md)`\n```\n[block](c.md)\n```\n[web](https://a.example)'
    expect(findLinks(text)).toEqual(['admin.md#a', 'a.png'])
  })

  it('that are broken are reported', () => {
    expect(findFault('docs/a.md', 'missing.md')).toContain('docs/missing.md does not exist')
    expect(findFault('README.md', 'docs/decisions.md#d999')).toContain('no heading or anchor "d999"')
    expect(findFault('README.md', 'docs/decisions.md#d15')).toBeUndefined()
  })

  it('may lead to the second heading of the same name', () => {
    expect(findAnchors('# The `where` language\n## Options\n## Options\n<a id="d1"></a>')).toEqual([
      'the-where-language',
      'options',
      'options-1',
      'd1',
    ])
  })
})

it('the package is quick to install', async () => {
  const { files, size, unpackedSize } = await packing
  expect(files.length).toBeLessThan(220)
  expect(size).toBeLessThan(1_800_000)
  expect(unpackedSize).toBeLessThan(6_500_000)
})
