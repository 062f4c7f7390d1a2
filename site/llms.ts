import { toSiteMarkdown } from './links.ts'
import type { Group, Page } from './pages.ts'

const toEntry = ({ title, sitePath, summary }: Page): string => `- [${title}](${sitePath}): ${summary}`

/** The overview for language models, in the format of llmstxt.org. */
export const toLlmsText = (summary: string, groups: readonly Group[]): string =>
  [
    '# resource-mock',
    `> ${summary}`,
    ...groups.map(({ title, pages }) => `## ${title}\n\n${pages.map(toEntry).join('\n')}`),
  ].join('\n\n') + '\n'

/** Every page in one file. */
export const toLlmsFullText = (pages: readonly Page[]): string =>
  pages.map((page) => `<!-- ${page.sitePath} -->\n\n${toSiteMarkdown(page, pages).trim()}\n`).join('\n')
