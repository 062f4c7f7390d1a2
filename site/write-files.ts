import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { findLinkedFiles, toCopy, toSiteMarkdown } from './links.ts'
import { toLlmsFullText, toLlmsText } from './llms.ts'
import { readGroups, ROOT } from './pages.ts'

const listFiles = (path: string): readonly string[] =>
  execFileSync('git', ['ls-files', path], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')

const toList = (folder: string, files: readonly string[]): string => {
  const items = files.map((file) => {
    const href = posix.relative(posix.dirname(toCopy(folder)), toCopy(file))
    return `<li><a href="${href}">${posix.relative(folder, file)}</a></li>`
  })
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${folder}</title><h1>${folder}</h1><ul>${items.join('')}</ul></html>\n`
}

/** Writes the site's other files: llms.txt, the pages as Markdown, and files that they link to. */
export function writeFiles(outDir: string): void {
  const groups = readGroups()
  const pages = groups.flatMap((group) => group.pages)
  // The package's own description.
  const { description } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly description: string
  }

  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(outDir, path)), { recursive: true })
    writeFileSync(join(outDir, path), text)
  }
  write('llms.txt', toLlmsText(description, groups))
  write('llms-full.txt', toLlmsFullText(pages))
  for (const page of pages) write(page.sitePath, toSiteMarkdown(page, pages))

  for (const path of new Set(findLinkedFiles(pages))) {
    const files = listFiles(path)
    if (files[0] !== path) write(toCopy(path), toList(path, files))
    for (const file of files) {
      mkdirSync(dirname(join(outDir, toCopy(file))), { recursive: true })
      copyFileSync(join(ROOT, file), join(outDir, toCopy(file)))
    }
  }
}
