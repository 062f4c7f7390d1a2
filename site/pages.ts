import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..')

/** The order of the pages on the site. A test compares it with the files of `docs/`. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  Start: [
    'README.md',
    'docs/README.md',
    'docs/getting-started.md',
    'docs/coming-from.md',
    'docs/cheat-sheet.md',
    'docs/troubleshooting.md',
    'docs/glossary.md',
  ],
  'Your tests': [
    'docs/playwright.md',
    'docs/playwright-expectations.md',
    'docs/playwright-setup.md',
    'docs/vitest.md',
    'docs/vitest-server.md',
    'docs/vitest-browser.md',
    'docs/jest.md',
    'docs/bun-and-deno.md',
    'docs/cypress.md',
    'docs/msw.md',
    'docs/storybook.md',
    'docs/vite.md',
    'docs/ssr.md',
    'docs/contract-testing.md',
    'docs/mock-drift.md',
    'docs/pact.md',
    'docs/coverage.md',
    'docs/resilience.md',
    'docs/ci.md',
  ],
  Scenarios: ['docs/which-scenario.md', 'docs/scenarios.md', 'docs/recipes.md', 'docs/writing-scenarios.md'],
  Reference: [
    'docs/operations.md',
    'docs/command-line.md',
    'docs/admin.md',
    'docs/sessions.md',
    'docs/journal.md',
    'docs/failed-requests.md',
    'docs/state.md',
    'docs/dashboard.md',
    'docs/library.md',
    'docs/openapi.md',
    'docs/proxy.md',
    'docs/mcp.md',
    'docs/replicas.md',
    'docs/demo-environments.md',
    'docs/reverse-proxy.md',
    'docs/specification.md',
    'docs/decisions.md',
    'docs/benchmarks.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
  ],
}

export interface Page {
  /** Below the repository's root, such as `docs/admin.md`. */
  readonly path: string
  /** The site's file, such as `admin.md`. */
  readonly sitePath: string
  /** The heading of the page, up to a colon. */
  readonly title: string
  /** The rest of the heading, or the first sentence of the text. */
  readonly summary: string
  readonly text: string
}

export interface Group {
  readonly title: string
  readonly pages: readonly Page[]
}

const FENCED = /^```[^]*?^```$/gm

const toPlain = (markdown: string): string => markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '')

function findSummary(text: string): string {
  const [, subtitle] = /^# [^:\n]+: (.+)$/m.exec(text) ?? []
  if (subtitle !== undefined) return `${subtitle.charAt(0).toUpperCase()}${subtitle.slice(1)}.`
  const paragraphs = text.replaceAll(FENCED, '').split(/\n{2,}/)
  const first = paragraphs.find((paragraph) => /^[\w`[]/.test(paragraph.trim())) ?? ''
  const plain = toPlain(first).trim().replaceAll('\n', ' ')
  const [sentence = plain.replace(/:$/, '.')] = /^.*?[.?!](?=\s|$)/.exec(plain) ?? []
  return sentence
}

/** Each folder has a page for its start. */
const STARTS: Readonly<Record<string, string>> = { 'README.md': 'index.md', 'docs/README.md': 'documentation.md' }

export const toSitePath = (path: string): string => STARTS[path] ?? basename(path).toLowerCase()

function readPage(path: string): Page {
  const text = readFileSync(join(ROOT, path), 'utf8')
  const [, heading = ''] = /^# (.+)$/m.exec(text) ?? []
  const [title = ''] = heading.split(':')
  return { path, sitePath: toSitePath(path), title, summary: findSummary(text), text }
}

export const readGroups = (): readonly Group[] =>
  Object.entries(GROUPS).map(([title, paths]) => ({ title, pages: paths.map(readPage) }))

export const readPages = (): readonly Page[] => readGroups().flatMap(({ pages }) => pages)
