import { Hono } from 'hono'
import type { Fingerprint } from './fingerprint.ts'
import { toJson } from '../http/json-response.ts'
import type { Store } from '../state/store.ts'
import { VERSION } from '../version.ts'
import type { AdminEnv } from './request.ts'

interface HealthParts {
  /** Epoch milliseconds by the mock's clock. */
  readonly clock: () => number
  /** Milliseconds of a clock that never stands still. */
  readonly elapsed: () => number
  /** What cannot be read of fixtures and scenarios, a sentence each; the last good ones are served meanwhile. */
  readonly problems: () => readonly string[]
  readonly fingerprint: () => Promise<Fingerprint>
  readonly store: Pick<Store, 'fault'>
  /** Whether the mock is about to end. */
  readonly isDraining: () => boolean
}

const describe = (fault: unknown): string => (fault instanceof Error ? fault.message : String(fault))

const DRAINING = {
  status: 503,
  report: { status: 'unhealthy', message: 'The mock is shutting down. Send requests elsewhere.' },
}

/** What the mock says of itself: 503 while it cannot keep what is written (`--persist`). */
function toReport(fault: unknown, found: readonly string[]): { readonly status: number; readonly report: object } {
  if (fault !== undefined) {
    return { status: 503, report: { status: 'unhealthy', message: describe(fault) } }
  }
  const message = found.length === 0 ? 'The mock is well' : 'The mock serves what it last could read'
  return { status: 200, report: { status: 'healthy', message } }
}

/** Whether the mock is well, in WireMock's shape, and which one it is. */
export function createHealthRoutes({
  clock,
  elapsed,
  problems,
  fingerprint,
  store,
  isDraining,
}: HealthParts): Hono<AdminEnv> {
  const startedAt = elapsed()
  const routes = new Hono<AdminEnv>()
  routes.get('/health', async () => {
    const found = problems()
    const { status, report } = toReport(store.fault(), found)
    return toJson(
      {
        ...report,
        version: VERSION,
        uptimeInSeconds: Math.floor((elapsed() - startedAt) / 1000),
        timestamp: new Date(clock()).toISOString(),
        problems: found,
        fingerprint: await fingerprint(),
      },
      status,
    )
  })
  routes.get('/health/live', () => toJson({ status: 'healthy' }))
  routes.get('/health/ready', () => {
    const { status, report } = isDraining() ? DRAINING : toReport(store.fault(), [])
    return toJson(report, status)
  })
  routes.get('/version', () => toJson({ version: VERSION }))
  return routes
}
