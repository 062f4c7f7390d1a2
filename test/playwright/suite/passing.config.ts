import { defineConfig } from '@playwright/test'
import type { MockTestOptions, MockWorkerOptions } from '../../../src/playwright.ts'
import { chromiumLaunchOptions } from '../../support/chromium.ts'

// The environment provides the address of a mock that the workers share, if they do.
const { MOCK_URL, MOCK_ADMIN_TOKEN } = process.env

export default defineConfig<MockTestOptions, MockWorkerOptions>({
  testDir: 'passing',
  fullyParallel: true,
  workers: 2,
  // Browsers of other tests may keep a small machine busy.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  use: { mockUrl: MOCK_URL, mockAdminToken: MOCK_ADMIN_TOKEN, launchOptions: chromiumLaunchOptions },
})
