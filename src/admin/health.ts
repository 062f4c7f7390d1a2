import { VERSION } from '../version.ts'
import { toJson } from './route.ts'
import type { Routes } from './route.ts'

interface HealthParts {
  /** Epoch milliseconds by the mock's clock. */
  readonly clock: () => number
  /** Milliseconds of a clock that never stands still. */
  readonly elapsed: () => number
  /** What cannot be read of fixtures and scenarios, a sentence each; the last good ones are served meanwhile. */
  readonly problems: () => readonly string[]
}

/** Whether the mock is well, in WireMock's shape, and which one it is. */
export function createHealthRoutes({ clock, elapsed, problems }: HealthParts): Routes {
  const startedAt = elapsed()
  return {
    '/health': {
      GET() {
        const found = problems()
        return toJson({
          status: 'healthy',
          message: found.length === 0 ? 'The mock is well' : 'The mock serves what it last could read',
          version: VERSION,
          uptimeInSeconds: Math.floor((elapsed() - startedAt) / 1000),
          timestamp: new Date(clock()).toISOString(),
          problems: found,
        })
      },
    },
    '/version': { GET: () => toJson({ version: VERSION }) },
  }
}
