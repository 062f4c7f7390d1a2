import { existsSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { ROOT, toSitePath } from './pages.ts'
import type { Page } from './pages.ts'

/** The site's folder for repository files that are not pages. */
const FILES = 'files'

/** The site's copy of a file, as text that every browser shows; for a folder, the list of its files. */
export const toCopy = (path: string): string => {
  if (statSync(join(ROOT, path)).isDirectory()) return `${FILES}/${path}/index.html`
  return path.endsWith('.png') ? `${FILES}/${path}` : `${FILES}/${path}.txt`
}

export interface Target {
  /** Below the repository's root. */
  readonly path: string
  readonly anchor: string
  readonly isPage: boolean
}

/** The target of a relative link on a page; undefined for links to other sites and within the page. */
export function findTarget(from: string, href: string, pages: readonly Page[]): Target | undefined {
  if (/^[a-z]+:|^#/.test(href)) return undefined
  const [link = '', anchor] = href.split('#')
  const path = posix.join(posix.dirname(from), link).replace(/\/$/, '')
  if (!existsSync(join(ROOT, path))) throw new Error(`${from} links to ${href}, but ${path} does not exist.`)
  const isPage = pages.some((page) => page.path === path)
  return { path, anchor: anchor === undefined ? '' : `#${anchor}`, isPage }
}

/** GitHub's anchor for a heading. */
export const toSlug = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')

/** The relative links and images of a Markdown text; group 1 is code, which has none. */
const LINK = /(^```[^]*?^```$|`[^`\n]+`)|\]\(([^)\s]+)\)/gm

/** The text of a page with links to the site's own Markdown files. */
export function toSiteMarkdown({ path: from, text }: Page, pages: readonly Page[]): string {
  return text.replaceAll(LINK, (whole: string, code: string | undefined, href = '') => {
    const target = code === undefined ? findTarget(from, href, pages) : undefined
    if (target === undefined) return whole
    return `](${target.isPage ? toSitePath(target.path) : toCopy(target.path)}${target.anchor})`
  })
}

/** The files and folders that pages link to, except pages and images. */
export const findLinkedFiles = (pages: readonly Page[]): readonly string[] =>
  pages.flatMap(({ path: from, text }) =>
    [...text.matchAll(LINK)].flatMap(([, code, href = '']) => {
      const target = code === undefined ? findTarget(from, href, pages) : undefined
      return target === undefined || target.isPage ? [] : [target.path]
    }),
  )
