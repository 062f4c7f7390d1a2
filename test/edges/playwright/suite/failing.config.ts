import { defineConfig } from '@playwright/test'
import passing from './passing.config.ts'

export default defineConfig(passing, { testDir: 'failing' })
