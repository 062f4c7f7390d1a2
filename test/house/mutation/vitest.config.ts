import { defineConfig } from 'vitest/config'

/** The tests that a change of a source file is held against: all that need neither a browser nor a process of their own. */
export default defineConfig({
  test: {
    include: [
      'test/service/**/*.test.ts',
      'test/admin/api/{clock,images,resources,scenarios,sessions,snapshots,state}.test.ts',
      'test/edges/library/{restart,sessions,written-state}.test.ts',
    ],
    exclude: ['**/*.slow.test.ts', '**/*.browser.test.ts'],
    provide: { transport: 'in-process', isThorough: true },
    testTimeout: 60_000,
  },
})
