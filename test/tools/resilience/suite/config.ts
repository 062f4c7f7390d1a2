import { defineConfig } from '@playwright/test'
import type { PlaywrightTestConfig } from '@playwright/test'

const { CHROMIUM, OUTPUT } = process.env

/** A configuration for the suite in a folder. */
export const configure = (testDir: string, more: PlaywrightTestConfig = {}): PlaywrightTestConfig =>
  defineConfig({
    testDir,
    ...(OUTPUT === undefined ? {} : { outputDir: OUTPUT }),
    fullyParallel: true,
    workers: 2,
    timeout: 120_000,
    reporter: 'list',
    use: {
      launchOptions: {
        args: ['--no-sandbox', '--disable-dev-shm-usage'],
        ...(CHROMIUM === undefined ? {} : { executablePath: CHROMIUM }),
      },
    },
    ...more,
  })
