import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { defineConfig } from 'vitepress'
import type { MarkdownRenderer } from 'vitepress'
import { findTarget, toCopy, toSlug } from '../links.ts'
import { readGroups, readPages, ROOT, toSitePath } from '../pages.ts'
import { searchOptions } from '../search.ts'
import { writeFiles } from '../write-files.ts'

const pages = readPages()

/** The mark of the dashboard, as an address that works below any base. */
const icon = `data:image/svg+xml,${encodeURIComponent(readFileSync(join(ROOT, 'site/mark.svg'), 'utf8').trim())}`

/** Shows `<id>` and the like as text, as GitHub does. Only anchors are HTML. */
function showPlaceholders(md: MarkdownRenderer): void {
  md.core.ruler.push('site-placeholders', ({ tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type === 'html_inline' && !/^<a id="[^"]*">$|^<\/a>$/.test(token.content)) token.type = 'text'
    }
  })
}

/** The target of a link on a page: another page, or the site's copy of a file, which opens without the router. */
function leadLinks(md: MarkdownRenderer): void {
  md.core.ruler.push('site-links', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type !== 'link_open') continue
      const href = token.attrGet('href') ?? ''
      const target = findTarget(relative(ROOT, env.realPath ?? env.path), decodeURI(href), pages)
      if (target === undefined) continue
      if (target.isPage) token.attrSet('href', `./${toSitePath(target.path)}${target.anchor}`)
      else {
        token.attrSet('href', `./${toCopy(target.path)}`)
        token.attrSet('target', '_self')
      }
    }
  })
}

const renderToken: NonNullable<MarkdownRenderer['renderer']['rules']['image']> = (tokens, at, options, _env, self) =>
  self.renderToken(tokens, at, options)

/** A screenshot in light mode has one in dark mode next to it, and some have a narrow one for phones. */
function showModes(md: MarkdownRenderer): void {
  const { image: renderImage = renderToken } = md.renderer.rules
  md.renderer.rules.image = (tokens, at, options, env, self) => {
    const token = tokens[at]
    const src = token?.attrGet('src') ?? ''
    if (token === undefined || !src.endsWith('-light.png')) return renderImage(tokens, at, options, env, self)
    return ['light', 'dark']
      .map((mode) => {
        const path = src.replace(/-light\.png$/, `-${mode}.png`)
        const narrow = src.replace(/-light\.png$/, `-phone-${mode}.png`)
        token.attrSet('class', `in-${mode}-mode`)
        token.attrSet('src', path)
        const image = renderImage(tokens, at, options, env, self)
        return existsSync(join(dirname(env.realPath ?? env.path), narrow))
          ? `<picture><source media="(max-width: 640px)" srcset="./${narrow}">${image}</picture>`
          : image
      })
      .join('')
  }
}

export default defineConfig({
  title: 'resource-mock',
  description: 'A mock server with real state that simulates every failure.',
  lang: 'en',
  head: [['link', { rel: 'icon', href: icon }]],
  // The pages stay where they are: nothing is copied.
  srcDir: '..',
  srcExclude: ['!(docs)/**/*.md'],
  rewrites: Object.fromEntries(pages.map(({ path, sitePath }) => [path, sitePath])),
  markdown: {
    anchor: { slugify: toSlug },
    // Headings such as "GET /{projectKey}/resource" contain braces.
    attrs: { disable: true },
    config(md) {
      showPlaceholders(md)
      leadLinks(md)
      showModes(md)
    },
  },
  themeConfig: {
    search: { provider: 'local', options: { miniSearch: { searchOptions } } },
    nav: readGroups().map(({ title, pages }) => ({
      text: title,
      link: `/${pages[0]?.sitePath ?? ''}`,
    })),
    sidebar: readGroups().map(({ title, pages }) => ({
      text: title,
      // VitePress expands the group of the current page.
      collapsed: true,
      items: pages.map((page) => ({ text: page.title, link: `/${page.sitePath}` })),
    })),
    outline: [2, 3],
  },
  buildEnd: ({ outDir }) => writeFiles(outDir),
})
