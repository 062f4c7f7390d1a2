import './util/supported-node.ts'
export { expect } from './edges/playwright/expect.ts'
export type { ReceivedOptions } from './edges/playwright/matchers.ts'
export type { SessionBy } from './edges/playwright/contexts.ts'
export type { PageMock } from './edges/playwright/page-mock.ts'
export type { MockServer, MockServerOptions } from './edges/playwright/server.ts'
export { test } from './edges/playwright/test.ts'
export type {
  MockTestFixtures,
  MockTestOptions,
  MockWorkerFixtures,
  MockWorkerOptions,
} from './edges/playwright/fixtures.ts'
export type { ServerOptions } from './app/options/options.ts'
export type { ProjectPlace, SnapshotInfo as Snapshot } from './admin/client/session-handle.ts'
