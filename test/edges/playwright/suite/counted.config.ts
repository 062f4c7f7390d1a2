import { defineConfig } from '@playwright/test'
import passing from './passing.config.ts'

export default defineConfig(passing, { testDir: 'counted', retries: 1, projects: [{ name: 'api' }] })
