import { spawnSync } from 'node:child_process'
import { defineConfig } from 'vitest/config'
import { createLeftOutReporter } from './test/support/left-out-reporter.ts'

const inCi = process.env['CI'] !== undefined
const [nodeMajor = 0] = process.versions.node.split('.').map(Number)

const ALL = 'test/**/*.test.ts'
const SLOW = 'test/**/*.slow.test.ts'
const BROWSER = 'test/**/*.browser.test.ts'
const TOOLS = 'test/contract-tools/**/*.test.ts'
/** Tests of mocks that share a store. */
const STORE = 'test/edges/redis/**/*.slow.test.ts'
/** Debian has Valkey since 13, and for 12 among its backports. */
const hasValkey = spawnSync('valkey-server', ['--version']).status === 0
/** Tests that reach their mock by test/support/transport.ts. */
const SERVICE = [
  'test/service/*.test.ts',
  'test/service/scenarios/{preferred,choosing,twists}.test.ts',
  'test/admin/api/{explanation,history,images,request-filter,resources,runs,scenarios,snapshots,state,versions}.test.ts',
]
/** Projects whose tests mostly wait: for processes, browsers, installations, locks. They run after the others. */
const WAITING = { maxWorkers: 3, sequence: { groupOrder: 1 } }
/** MSW 3 needs Node 22; `npm run test:nodes` runs its tests there. */
const NEEDS_NODE_22 = nodeMajor < 22 ? ['test/contract-tools/msw/msw-3.test.ts'] : []

export default defineConfig(({ mode }) => ({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'quick',
          include: [ALL],
          // Also the tests of packages that `npm run install:mutation` installs.
          exclude: ['**/node_modules/**', SLOW, BROWSER, TOOLS],
          // `npm test` has the mode "sample".
          provide: { isThorough: mode !== 'sample' },
        },
      },
      // What holds in-process has to hold for a client at the other end of a socket.
      {
        extends: true,
        test: {
          name: 'socket',
          include: SERVICE,
          // In-process, all of their cases are tried.
          provide: { transport: 'socket', isThorough: false },
        },
      },
      // And for a client of one of several mocks that share a store.
      {
        extends: true,
        test: {
          ...WAITING,
          name: 'redis',
          include: [...SERVICE, STORE],
          provide: { transport: 'redis', engine: 'redis-server' },
          globalSetup: 'test/support/provide-engine.ts',
        },
      },
      ...(hasValkey
        ? [
            {
              extends: true as const,
              test: {
                ...WAITING,
                name: 'valkey',
                include: [STORE],
                provide: { engine: 'valkey-server' as const },
                globalSetup: 'test/support/provide-engine.ts',
              },
            },
          ]
        : []),
      {
        extends: true,
        test: {
          ...WAITING,
          name: 'slow',
          include: [SLOW],
          exclude: [STORE],
        },
      },
      { extends: true, test: { ...WAITING, name: 'browser', include: [BROWSER] } },
      {
        extends: true,
        test: {
          ...WAITING,
          name: 'contract-tools',
          include: [TOOLS],
          exclude: ['**/node_modules/**', ...NEEDS_NODE_22],
          globalSetup: 'test/contract-tools/expect-installed.ts',
        },
      },
    ],
    provide: { transport: 'in-process', isThorough: true },
    // Some tests start the command as a process of its own, so tests do not share a process with vitest. Files share the
    // processes: to load the mock anew for each file took almost half of the time of the quick ones.
    pool: 'forks',
    isolate: false,
    maxWorkers: 2,
    // Guards: a machine of two cores with a load of 30 takes fifteen times as long as a quiet one.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 30_000 } },
    reporters: inCi
      ? ['default', ['json', { outputFile: 'coverage/test-results.json' }]]
      : ['default', createLeftOutReporter()],
  },
}))
