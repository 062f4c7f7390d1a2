import { defineConfig } from '@playwright/test'
import passing from './passing.config.ts'

export default defineConfig(passing, { testDir: 'header', use: { sessionBy: 'header' } })
