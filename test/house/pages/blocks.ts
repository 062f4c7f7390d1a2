import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..', '..', '..')

/** The pages for users, by their paths below the root. */
export const pages: readonly string[] = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

/** A fenced block of code. */
export interface Block {
  /** Empty for a block without one, which is output or a fragment. */
  readonly language: string
  readonly text: string
}

export const readBlocks = (page: string): readonly Block[] =>
  Array.from(
    readFileSync(join(ROOT, page), 'utf8').matchAll(/^```(\w*)\n([^]*?)^```$/gm),
    ([, language = '', text = '']) => ({ language, text }),
  )

/** The commands of a page, one per line, without comments. */
export const readCommands = (page: string): readonly string[] =>
  readBlocks(page)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.replaceAll(/\\\n\s*/g, '').split('\n'))
    .map((line) => line.replace(/\s+# .*$/, '').trim())
    .filter((line) => line !== '')
