import { defineConfig } from '@playwright/test'
import passing from './passing.config.ts'

export default defineConfig(passing, { testDir: 'round-trips', workers: 1, fullyParallel: false })
