import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'
import type { MockTestOptions, MockWorkerOptions } from 'resource-mock/playwright'

const { CHROMIUM, STOREFRONT_PORT } = process.env

// Debian's Chromium, if Playwright's own browsers are not installed; it is twice as fast without a window.
const usualPaths = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome']
const executablePath = CHROMIUM ?? usualPaths.find((path) => existsSync(path))

// One server for all workers, on a free port, which it prints when it is ready. Each test has its own session there.
const baseURL = STOREFRONT_PORT === undefined ? undefined : `http://127.0.0.1:${STOREFRONT_PORT}`

// The tests use the operator's permissions; the pages in them only those of a visitor.
const ADMIN_TOKEN = 'for-the-tests'

export default defineConfig<MockTestOptions, MockWorkerOptions>({
  testDir: 'tests',
  outputDir: 'test-results',
  fullyParallel: true,
  // Much of a test is waiting, which needs no core.
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
