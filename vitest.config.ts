import { defineConfig } from 'vitest/config'

const inCi = process.env['CI'] !== undefined

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Some tests start the command as a process of its own, so every file gets a process too.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: inCi ? ['default', ['json', { outputFile: 'coverage/test-results.json' }]] : ['default'],
  },
})
