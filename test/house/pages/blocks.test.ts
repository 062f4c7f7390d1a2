import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createMock } from '../../../src/index.ts'
import { pages, readBlocks, readCommands, ROOT } from './blocks.ts'

/** The test that runs or type-checks the code of each page, by page. */
const checkedBy: Readonly<Record<string, string>> = {
  'README.md': 'test/edges/library/pages.slow.test.ts',
  'docs/admin.md': 'test/edges/library/pages.slow.test.ts',
  'docs/cheat-sheet.md': 'test/edges/playwright/guide.ts',
  'docs/command-line.md': 'test/edges/cli/documentation.test.ts',
  'docs/coverage.md': 'test/edges/reporter/reporter.slow.test.ts',
  'docs/cypress.md': 'test/contract-tools/recipes/cypress.test.ts',
  'docs/getting-started.md': 'test/edges/library/pages.slow.test.ts',
  'docs/jest.md': 'test/contract-tools/library/jest.test.ts',
  'docs/library.md': 'test/edges/library/pages.slow.test.ts',
  'docs/msw.md': 'test/edges/library/pages.slow.test.ts',
  'docs/openapi.md': 'test/contract-tools/openapi/clients.test.ts',
  'docs/pact.md': 'test/contract-tools/pact/verify.ts',
  'docs/playwright.md': 'test/edges/playwright/guide.ts',
  'docs/playwright-expectations.md': 'test/edges/playwright/guide.ts',
  'docs/playwright-setup.md': 'test/edges/playwright/guide.ts',
  'docs/recipes.md': 'test/service/scenarios/recipes.test.ts',
  'docs/replicas.md': 'test/edges/library/pages.slow.test.ts',
  'docs/resilience.md': 'test/edges/library/pages.slow.test.ts',
  'docs/ssr.md': 'test/edges/library/ssr.test.ts',
  'docs/storybook.md': 'test/contract-tools/recipes/storybook.test.ts',
  'docs/vite.md': 'test/edges/vite/documentation.browser.test.ts',
  'docs/vitest.md': 'test/edges/library/pages.slow.test.ts',
  'docs/vitest-browser.md': 'test/contract-tools/library/vitest-browser.test.ts',
  'docs/vitest-server.md': 'test/edges/library/pages.slow.test.ts',
}

const blocksOf = (...languages: readonly string[]) =>
  pages.flatMap((page) =>
    readBlocks(page)
      .filter(({ language }) => languages.includes(language))
      .map(({ text }) => ({ page, text })),
  )

describe('blocks of code on the pages', () => {
  it.each([...new Set(blocksOf('ts', 'js', 'tsx').map(({ page }) => page))])('of %s are run by a test', (page) => {
    const file = checkedBy[page] ?? expect.fail(`Name the test that runs the code of ${page}.`)
    const name = page.replace(/^docs\/|\.md$/g, '')
    expect(existsSync(join(ROOT, file))).toBe(true)
    expect(readFileSync(join(ROOT, file), 'utf8')).toContain(name)
  })

  it('have a language that a test knows', () => {
    const known = new Set(['', 'text', 'sh', 'ts', 'tsx', 'js', 'json', 'yaml', 'ini'])
    const unknown = pages.flatMap((page) => readBlocks(page).filter(({ language }) => !known.has(language)))
    expect(unknown).toEqual([])
  })

  it.each(pages)('of commands on %s set each variable that they use', (page) => {
    const names = readCommands(page).flatMap((command) => [
      ...Array.from(command.matchAll(/\$([A-Z_]+)/g), ([, name = '']) => ({ name, isSet: false })),
      ...Array.from(command.matchAll(/(?:^|; )([A-Z_]+)=/g), ([, name = '']) => ({ name, isSet: true })),
    ])
    const known = new Set(['PWD', 'MOCK'])
    const unset = names.filter(
      ({ name, isSet }, at) =>
        !isSet && !known.has(name) && !names.slice(0, at).some((one) => one.name === name && one.isSet),
    )
    expect(unset).toEqual([])
  })

  it.each(pages)('of commands on %s call the installed package', (page) => {
    // Completion is for a shell in which the command itself is on the PATH.
    const bare = readCommands(page).filter((command) => /^resource-mock (?!completion)/.test(command))
    expect(bare).toEqual([])
  })

  it.each(blocksOf('json', 'yaml'))('in JSON and YAML of $page are valid', ({ text }) => {
    expect(parse(text)).toEqual(expect.anything())
  })
})

/** The path of each member in a value, with the entries of an array as one. */
const findMembers = (value: unknown, path = ''): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap((one) => findMembers(one, `${path}[]`))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => [`${path}.${name}`, ...findMembers(one, `${path}.${name}`)])
}

/** Responses of the admin API after a conflict, its retry, a 404 and a read, by page. */
async function askAdmin(): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const session = (await createMock()).session('worker-1')
  const headers = { Authorization: 'Bearer any', 'Content-Type': 'application/json' }
  const id = 'df3775a4-90ef-4965-b751-d48698f3949f'
  const update = (version: number) =>
    session.fetch(`/acme/resource/${id}`, { method: 'POST', headers, body: JSON.stringify({ version, actions: [] }) })
  await session.use('conflict-once')
  await session.fetch('/acme/resource/key=oak-side-table', { headers })
  await update(3)
  await update(4)
  await session.fetch('/acme/resource/1', { headers })
  const [conflict] = await session.requests({ bodyPatterns: [{ contains: '"version":3' }] })
  const [missing] = await session.requests({ url: '/acme/resource/1' })
  const ask = async (path: string): Promise<unknown> => (await session.fetch(`/__admin${path}`)).json()
  return {
    'docs/failed-requests.md': [
      await ask(`/requests/${conflict?.id}/explanation`),
      await ask(`/requests/${missing?.id}/scenario`),
    ],
    'docs/state.md': [
      await ask('/resources'),
      await ask(`/resources/${id}/versions?projectKey=acme`),
      await ask(`/resources/${id}/history?projectKey=acme`),
    ],
    'docs/coverage.md': [await ask('/coverage?only=updateResource')],
  }
}

it.each(['docs/failed-requests.md', 'docs/state.md', 'docs/coverage.md'])(
  '%s shows responses with the members that the mock returns',
  async (page) => {
    const shown = blocksOf('json').filter((block) => block.page === page)
    const responses = (await askAdmin())[page] ?? []
    expect(shown).toHaveLength(responses.length)
    shown.forEach(({ text }, index) => {
      const members = new Set(findMembers(responses[index]))
      expect(findMembers(JSON.parse(text)).filter((member) => !members.has(member))).toEqual([])
    })
  },
)
