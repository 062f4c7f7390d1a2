import { defineConfig } from '@playwright/test'
import type { MockTestOptions, MockWorkerOptions } from 'resource-mock/playwright'
import { chromiumLaunchOptions } from '../../../support/chromium-launch.ts'

// The shared mock of the workers, if any, comes from the environment.
const { MOCK_URL, MOCK_ADMIN_TOKEN } = process.env

export default defineConfig<MockTestOptions, MockWorkerOptions>({
  testDir: 'passing',
  fullyParallel: true,
  workers: 2,
  // Browsers of other tests may slow down the machine.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  use: { mockUrl: MOCK_URL, mockAdminToken: MOCK_ADMIN_TOKEN, launchOptions: chromiumLaunchOptions },
})
