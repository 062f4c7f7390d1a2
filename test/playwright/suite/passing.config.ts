import { defineConfig } from '@playwright/test'
import type { MockTestOptions, MockWorkerOptions } from '../../../src/playwright.ts'
import { chromiumLaunchOptions } from '../../support/chromium.ts'

// The vitest tests that start this suite say where the mock is, and where the report goes.
const { MOCK_URL } = process.env

export default defineConfig<MockTestOptions, MockWorkerOptions>({
  testDir: 'passing',
  outputDir: process.env['OUTPUT_DIR'],
  fullyParallel: true,
  workers: 2,
  reporter: 'json',
  use: { mockUrl: MOCK_URL, launchOptions: chromiumLaunchOptions },
})
