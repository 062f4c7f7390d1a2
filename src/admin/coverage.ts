import { Hono } from 'hono'
import { operationIds } from '../contract/endpoints.ts'
import { problem } from '../errors.ts'
import { toJson } from '../http/json-response.ts'
import type { Coverage } from '../journal/coverage.ts'
import type { Catalog } from '../scenarios/catalog.ts'
import { EVERY_SESSION } from '../sessions/events.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import type { AdminEnv } from './request.ts'

interface CoverageParts {
  readonly catalog: Catalog
  readonly coverage: Coverage
  readonly sessions: Sessions
}

/** @throws {Problem} 400 for an unknown operation. */
function findOnly(query: URLSearchParams): readonly string[] | undefined {
  const text = query.get('only')
  if (text === null) return undefined
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !operationIds.some((id) => id === name))
  if (unknown === undefined) return names
  throw problem.invalidField({
    field: 'only',
    invalidValue: unknown,
    allowedValues: operationIds,
    message: `Unknown operation ${JSON.stringify(unknown.slice(0, 100))} in only.${didYouMean(unknown, operationIds)} Separate operation ids with commas.`,
  })
}

/** What of the contract and the scenarios was met, in the session of the request or in all of them. */
export function createCoverageRoutes({ catalog, coverage, sessions }: CoverageParts): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.get('/coverage', async ({ env: { admin } }) => {
    // Loaded by those who read it: a page that has the mock in it does not.
    const { restrictReport, toCoverageReport } = await import('../journal/coverage-report.ts')
    const isAll = admin.query.get('session') === EVERY_SESSION
    const counts = await (isAll ? coverage : admin.session.coverage).read()
    const report = toCoverageReport(counts, catalog.all())
    const only = findOnly(admin.query)
    return toJson(only === undefined ? report : restrictReport(report, only))
  })
  routes.delete('/coverage', async ({ env: { admin } }) => {
    const isAll = admin.query.get('session') === EVERY_SESSION
    const cleared = isAll ? [coverage, ...Array.from(sessions.all(), (one) => one.coverage)] : [admin.session.coverage]
    await Promise.all(cleared.map(async (one) => one.clear()))
    return toJson({})
  })
  return routes
}
