/** The test runners that `init` writes a starter for. */
export const runners = ['playwright', 'vitest', 'vite'] as const

export type Runner = (typeof runners)[number]

/** The files of a runner's starter, and how to use them. */
interface Starter {
  readonly about: string
  /** Packages that it needs besides resource-mock. */
  readonly packages: readonly string[]
  /** Runs the first test. */
  readonly command: string
  /** Names of configuration files, without the extension: an existing one of any type is kept. */
  readonly config: string
  /** The text of the configuration. */
  readonly settings: string
  /** The text of each other file. */
  readonly files: Readonly<Record<string, string>>
}

/** A GitHub workflow that runs a command. */
const toWorkflow = (title: string, commands: readonly string[]): string => `name: ${title}

on:
  push:
    branches: [main]
  pull_request:

permissions:
  contents: read

jobs:
  test:
    runs-on: ubuntu-latest
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
          cache: npm
${commands.map((command) => `      - run: ${command}\n`).join('')}`

const PLAYWRIGHT_CONFIG = `import { defineConfig } from '@playwright/test'
import type { MockTestOptions, MockWorkerOptions } from 'resource-mock/playwright'

export default defineConfig<MockTestOptions, MockWorkerOptions>({
  testDir: 'tests',
  fullyParallel: true,
  // To test your app, start it and the mock here. The app calls its API at http://localhost:4010.
  // use: { baseURL: 'http://localhost:5173', mockUrl: 'http://localhost:4010', sessionBy: 'header' },
  // webServer: [
  //   { command: 'npx resource-mock --port 4010', url: 'http://localhost:4010/__admin/health' },
  //   { command: 'npm run dev', url: 'http://localhost:5173' },
  // ],
})
`

const PLAYWRIGHT_TEST = `import { expect, test } from 'resource-mock/playwright'

const headers = { Authorization: 'Bearer any', 'Content-Type': 'application/json' }

// Every test has its own data and scenarios. To test your app, replace the requests with actions on its page:
// add page to the arguments, and start with: await page.goto('/')
test('saves again after a conflict', async ({ mock }) => {
  await mock.seed([{ key: 'linen-shirt', objectTypeProperty: {} }])
  await mock.use('conflict-once')

  const [shirt] = (await (await mock.fetch('/acme/resource', { headers })).json()).results
  const save = (version: number) =>
    mock.fetch(\`/acme/resource/\${shirt.id}\`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ version, actions: [{ action: 'changeSomeProperty', someProperty: 'blue' }] }),
    })
  const refused = await save(shirt.version)
  expect(refused.status).toBe(409)
  const [conflict] = (await refused.json()).errors
  expect((await save(conflict.currentVersion)).status).toBe(200)

  await expect(mock).toHaveRecovered('conflict')
})
`

const VITEST_CONFIG = `import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['test/**/*.test.ts'] },
})
`

const VITEST_TEST = `import { createMock } from 'resource-mock'
import { expect, test } from 'vitest'

const headers = { Authorization: 'Bearer any' }

// To test your client, pass it mock.fetch instead of the global fetch.
test('loads the list when the service is back', async () => {
  const mock = await createMock({ scenario: 'unavailable-twice' })
  const load = () => mock.fetch('/acme/resource', { headers })

  expect((await load()).status).toBe(503)
  expect((await load()).status).toBe(503)
  const response = await load()
  expect(response.status).toBe(200)
  expect((await response.json()).results).not.toHaveLength(0)
})
`

const VITE_CONFIG = `import { resourceMock } from 'resource-mock/vite'
import { defineConfig } from 'vite'

// The dev server serves the mock below /api, and its dashboard at /api/__admin.
export default defineConfig({
  plugins: [resourceMock({ prefix: '/api' })],
})
`

const VITE_TEST = `import { createServer } from 'vite'
import type { ViteDevServer } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'

const headers = { Authorization: 'Bearer any' }
let server: ViteDevServer
let api: string

beforeAll(async () => {
  server = await createServer({ logLevel: 'silent', server: { port: 0 } })
  await server.listen()
  api = new URL('/api', server.resolvedUrls?.local[0]).href
})

afterAll(() => server.close())

test('the dev server serves the mock', async () => {
  const response = await fetch(\`\${api}/acme/resource\`, { headers })
  expect(response.status).toBe(200)
  expect((await response.json()).results).not.toHaveLength(0)
})

test('the mock fails on demand', async () => {
  const response = await fetch(\`\${api}/acme/resource\`, { headers: { ...headers, 'X-Mock-Scenario': 'unavailable' } })
  expect(response.status).toBe(503)
})
`

export const starters: Readonly<Record<Runner, Starter>> = {
  playwright: {
    about: 'write a Playwright configuration, a first test and a CI workflow',
    packages: ['@playwright/test'],
    command: 'npx playwright test',
    config: 'playwright.config',
    settings: PLAYWRIGHT_CONFIG,
    files: {
      'tests/conflict.spec.ts': PLAYWRIGHT_TEST,
      '.github/workflows/playwright.yml': toWorkflow('Playwright', [
        'npm ci',
        'npx playwright install --with-deps chromium',
        'npx playwright test',
      ]),
    },
  },
  vitest: {
    about: 'write a vitest configuration, a first test and a CI workflow',
    packages: ['vitest'],
    command: 'npx vitest run test/outage.test.ts',
    config: 'vitest.config',
    settings: VITEST_CONFIG,
    files: {
      'test/outage.test.ts': VITEST_TEST,
      '.github/workflows/vitest.yml': toWorkflow('vitest', ['npm ci', 'npx vitest run']),
    },
  },
  vite: {
    about: 'write a Vite configuration, a first test and a CI workflow',
    packages: ['vite', 'vitest'],
    command: 'npx vitest run test/dev-server.test.ts',
    config: 'vite.config',
    settings: VITE_CONFIG,
    files: {
      'test/dev-server.test.ts': VITE_TEST,
      '.github/workflows/vite.yml': toWorkflow('Vite', ['npm ci', 'npx vitest run test/dev-server.test.ts']),
    },
  },
}
