import type { Hono } from 'hono'
import { addRoutes } from '../http/routes.ts'
import type { Routes } from '../http/routes.ts'
import type { Coverage, Metrics, ProcessGauge, StoreMetrics } from '../journal/counts.ts'
import type { Journals } from '../journal/journal.ts'
import { replyToOtherMethod } from '../pipeline/other-requests.ts'
import type { Catalog } from '../scenarios/engine.ts'
import type { Events } from '../sessions/events.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Fixtures } from '../state/fixtures.ts'
import type { Store } from '../state/store.ts'
import type { AdminEnv, AdminRequest } from './request.ts'

/** What the admin API controls and reports. */
export interface AdminParts {
  readonly sessions: Sessions
  readonly store: Store
  readonly catalog: Catalog
  /** The scenarios of the command line. */
  readonly defaults: readonly string[]
  readonly fixtures: () => Fixtures
  /** One sentence for each fixture or scenario file that could not be read. */
  readonly problems: () => readonly string[]
  /** Epoch milliseconds by the mock's clock. */
  readonly clock: () => number
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number
  /** Whether journals keep anything. */
  readonly isJournaling: boolean
  readonly events: Events
  readonly metrics: Metrics
  readonly coverage: Coverage
  readonly journals: Journals
  /** The largest JSON body in bytes. */
  readonly maxBody: number
  /** Whether requests that match no endpoint are forwarded to another service. */
  readonly hasPassthrough: boolean
  /** Whatever distinguishes this mock from others. */
  readonly fingerprint: () => Promise<object>
  /** Whether the mock is shutting down. */
  readonly isDraining: () => boolean
  /** Measurements of a store that mocks share; absent without one. */
  readonly storeMetrics?: StoreMetrics | undefined
  /** Measurements of the process; absent outside one. */
  readonly processGauges?: (() => readonly ProcessGauge[]) | undefined
  /** Ends the mock; absent if it cannot end itself. */
  readonly onShutdown?: (() => void) | undefined
  readonly onNotice: (sentence: string) => void
  /** Answers a request of the Model Context Protocol, whose body has been parsed. */
  readonly answerMcp: (request: Request, message: unknown, admin: AdminRequest) => Promise<Response>
  /** Sends a request to the mock itself. */
  readonly ask: (request: Request) => Promise<Response>
  /** Reads what the journal of a session has from other mocks, and from this one through their store; absent without a store. */
  readonly look: ((session: string) => Promise<void>) | undefined
}

/** @param param returns a parameter of the path */
type AdminHandler = (admin: AdminRequest, param: (name: string) => string) => Response | Promise<Response>

/** Routes of the admin API. */
export type AdminRoutes = Routes<AdminHandler>

/** Adds routes of the admin API, or of the dashboard, to an app. */
export const addAdminRoutes = (app: Hono<AdminEnv>, routes: AdminRoutes): void =>
  addRoutes(
    app,
    routes,
    (handle, { env, req }) => handle(env.admin, (name) => req.param(name) ?? ''),
    ({ env }, methods) =>
      replyToOtherMethod(env.exchange, [...methods, ...(methods.includes('GET') ? ['HEAD', 'OPTIONS'] : ['OPTIONS'])]),
  )
