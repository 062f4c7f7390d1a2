import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readText } from './sources.ts'

const TOOLS = 'test/contract-tools'
const RECIPES = 'test/contract-tools/recipes'

/** Where the version of a tool is pinned, by the name that the pages use. */
const tools: Readonly<Record<string, readonly [folder: string, dependency: string]>> = {
  Playwright: ['.', '@playwright/test'],
  vitest: ['.', 'vitest'],
  Vite: ['.', 'vite'],
  MSW: ['.', 'msw'],
  ioredis: ['.', 'ioredis'],
  'the MCP client': ['.', '@modelcontextprotocol/client'],
  jest: [TOOLS, 'jest'],
  'MSW 3': [TOOLS, 'msw3'],
  Pact: [TOOLS, '@pact-foundation/pact'],
  'openapi-typescript': [TOOLS, 'openapi-typescript'],
  'openapi-fetch': [TOOLS, 'openapi-fetch'],
  'hey-api': [TOOLS, '@hey-api/openapi-ts'],
  orval: [TOOLS, 'orval'],
  Redocly: [TOOLS, '@redocly/cli'],
  Spectral: [TOOLS, '@stoplight/spectral-cli'],
  Prism: [TOOLS, '@stoplight/prism-cli'],
  Cypress: [RECIPES, 'cypress'],
  Storybook: [RECIPES, 'storybook'],
  'React Router': [RECIPES, 'react-router'],
  SvelteKit: [RECIPES, '@sveltejs/kit'],
  h3: [RECIPES, 'h3'],
}

/** The pages whose code needs another tool. */
const recipes = [
  'coverage',
  'cypress',
  'mcp',
  'msw',
  'openapi',
  'pact',
  'playwright',
  'replicas',
  'ssr',
  'storybook',
  'vite',
  'vitest-browser',
  'vitest',
]

/** The pinned version, as `major.minor`. */
function findVersion(name: string): string {
  const [folder, dependency] = tools[name] ?? expect.fail(`There is no package for ${name}.`)
  const { devDependencies } = JSON.parse(readText(`${folder}/package.json`)) as {
    readonly devDependencies: Readonly<Record<string, string>>
  }
  const [, version] = /(\d+\.\d+)\.\d+$/.exec(devDependencies[dependency] ?? '') ?? []
  return version ?? expect.fail(`${folder}/package.json does not pin ${dependency}.`)
}

/** The tools in `Tested with A 1.2, B 3.4 and C 5.6`, with their versions. */
function findTested(page: string): readonly (readonly [name: string, version: string])[] {
  const [, list = ''] = /^Tested with (.*?\d+\.\d+)(?:[.:]\s|[.:]$|, \D)/m.exec(readText(`docs/${page}.md`)) ?? []
  return list.split(/, | and /).map((one) => {
    const [, name = '', version = ''] = /^(.+) (\d+\.\d+)$/.exec(one) ?? []
    return [name === 'MSW' && version.startsWith('3.') ? 'MSW 3' : name, version]
  })
}

it.each(recipes)('docs/%s.md names the versions with which its code is tested', (page) => {
  const tested = findTested(page)
  expect(tested).toEqual(tested.map(([name]) => [name, findVersion(name)]))
})

it('every page that names tested versions is checked', () => {
  const pages = readdirSync('docs').filter(
    (name) => name.endsWith('.md') && /^Tested with /m.test(readText(`docs/${name}`)),
  )
  expect(pages).toEqual(recipes.map((name) => `${name}.md`))
})
