import type { Hono } from 'hono'
import type { AdminEnv } from '../admin/request.ts'
import type { Catalog } from '../scenarios/catalog.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Fixtures } from '../state/fixtures.ts'
import type { Store } from '../state/store.ts'

/** What the dashboard shows, and the API by which it changes it. */
export interface DashboardParts {
  readonly sessions: Sessions
  readonly store: Store
  readonly catalog: Catalog
  /** The command line's scenarios. */
  readonly defaults: readonly string[]
  readonly fixtures: () => Fixtures
  /** What cannot be read of fixtures and scenarios, a sentence each. */
  readonly problems: () => readonly string[]
  /** Epoch milliseconds by the mock's clock. */
  readonly clock: () => number
  /** Whether journals keep anything. */
  readonly isJournaling: boolean
  /** The admin API. */
  readonly api: Hono<AdminEnv>
  /** Sends a request to the mock itself. */
  readonly ask: (request: Request) => Promise<Response>
}
