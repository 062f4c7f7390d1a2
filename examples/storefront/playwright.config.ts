import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'
import type { MockTestOptions, MockWorkerOptions } from 'resource-mock/playwright'

const { CHROMIUM, STOREFRONT_PORT } = process.env

// Debian's Chromium, where Playwright's own browsers are not installed; without a window to draw it is twice as fast.
const usualPaths = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome']
const executablePath = CHROMIUM ?? usualPaths.find((path) => existsSync(path))

// One server for all workers, on a free port, which it tells when it is ready. Each test has a session of its own there.
const baseURL = STOREFRONT_PORT === undefined ? undefined : `http://127.0.0.1:${STOREFRONT_PORT}`

// The tests do what an operator may; the pages in them only what every visitor may.
const ADMIN_TOKEN = 'for-the-tests'

export default defineConfig<MockTestOptions, MockWorkerOptions>({
  testDir: 'tests',
  outputDir: 'test-results',
  fullyParallel: true,
  // Much of a test is waiting, for which nobody needs a core.
  workers: '100%',
  // Browsers of other workers may keep a small machine busy.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  forbidOnly: process.env['CI'] !== undefined,
  reporter: 'list',
  use: {
    baseURL,
    mockUrl: baseURL === undefined ? undefined : `${baseURL}/api`,
    mockAdminToken: ADMIN_TOKEN,
    launchOptions: {
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
      ...(executablePath === undefined ? {} : { executablePath }),
    },
  },
  webServer: {
    command: 'npx vite build && node server.mjs --port 0',
    wait: { stdout: /Listening on port (?<storefront_port>\d+)/ },
    env: { RESOURCE_MOCK_ADMIN_TOKEN: ADMIN_TOKEN },
    timeout: 180_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5000 },
  },
})
