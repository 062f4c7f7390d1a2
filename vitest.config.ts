import { defineConfig } from 'vitest/config'

const inCi = process.env['CI'] !== undefined

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Some tests start the command as a process of its own, so every file gets a process too.
    pool: 'forks',
    maxWorkers: 2,
    // Guards: a busy machine of two cores takes ten times as long as a quiet one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    reporters: inCi ? ['default', ['json', { outputFile: 'coverage/test-results.json' }]] : ['default'],
  },
})
