import { Hono } from 'hono'
import type { MiddlewareHandler } from 'hono'
import { problem } from '../errors.ts'
import { TrieRouter } from 'hono/router/trie-router'
import { didYouMean } from '../util/did-you-mean.ts'
import { ADMIN_PATH } from '../http/address.ts'
import { addCommonHeaders } from '../pipeline/reply.ts'
import { createClockRoutes, createSessionRoutes } from './sessions.ts'
import { createCoverageRoutes, createMetricsRoutes, createOpenApiRoutes, createPactRoutes } from './reports.ts'
import { createEventRoutes } from './events.ts'
import { createExplanationRoutes } from './explanation.ts'
import { createHealthRoutes, createLifecycleRoutes } from './health.ts'
import { createImageRoutes, createResourceRoutes, createVersionRoutes } from './resources.ts'
import { createRequestRoutes } from './requests.ts'
import { createScenarioRoutes } from './scenarios.ts'
import { createSnapshotRoutes, createStateRoutes } from './state.ts'
import type { AdminEnv } from './request.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import { addAdminRoutes } from './routes.ts'
import type { AdminParts, AdminRoutes } from './routes.ts'

/** The Model Context Protocol, streamable HTTP, for the session of the request. */
const createMcpRoutes = ({ answerMcp }: AdminParts): AdminRoutes => ({
  'POST /mcp': async (admin) => {
    const { headers, exchange } = admin
    // The body is read as all are: within the limits of the mock.
    const message = await admin.readJson()
    // A hundred calls in one request would hold up everybody else.
    if (Array.isArray(message)) {
      throw problem.invalidInput('Send one JSON-RPC message in each request, not an array of messages.')
    }
    return answerMcp(new Request(exchange.request.url, { method: 'POST', headers }), message, admin)
  },
})

const groups: readonly ((parts: AdminParts) => AdminRoutes)[] = [
  createHealthRoutes,
  createOpenApiRoutes,
  createMetricsRoutes,
  createScenarioRoutes,
  createLifecycleRoutes,
  createStateRoutes,
  createResourceRoutes,
  createVersionRoutes,
  createSnapshotRoutes,
  createRequestRoutes,
  createExplanationRoutes,
  createPactRoutes,
  createCoverageRoutes,
  createClockRoutes,
  createEventRoutes,
  createSessionRoutes,
  createImageRoutes,
  createMcpRoutes,
]

/** Creates the admin API. It does not handle errors: the app that it is mounted in does. */
export function createAdminApi(parts: AdminParts): Hono<AdminEnv> {
  const api = new Hono<AdminEnv>({ router: new TrieRouter() })
  for (const createRoutes of groups) addAdminRoutes(api, createRoutes(parts))
  api.onError((error) => {
    throw error
  })
  return api
}

/** The paths of the admin API, as the documentation writes them: `/state/{projectKey}`. */
export const listPaths = ({ routes }: Hono<AdminEnv>): readonly string[] => [
  ...new Set(routes.map(({ path }) => path.replaceAll(/:(\w+)/g, '{$1}'))),
]

/**
 * Creates the app of everything under `/__admin`.
 *
 * @param apps the dashboard and the API
 * @param renderError renders an error as a page; returns undefined for a client that wants JSON
 */
export function createAdmin(
  gate: MiddlewareHandler<AdminEnv>,
  { pages, api }: { readonly pages: Hono<AdminEnv>; readonly api: Hono<AdminEnv> },
  renderError: (error: unknown, exchange: Exchange) => Promise<Response | undefined>,
): Hono<AdminEnv> {
  const admin = new Hono<AdminEnv>()
  admin.use(gate)
  admin.route('/', pages)
  admin.route('/', api)
  const known = listPaths(api)
  admin.all('/*', ({ env: { exchange } }) => {
    const path = exchange.address.path.slice(ADMIN_PATH.length, 500)
    const hint = didYouMean(path, known).replace('"/', `"${ADMIN_PATH}/`)
    throw problem.notFound(`The admin API has no path ${ADMIN_PATH}${path}.${hint} GET ${ADMIN_PATH} lists all paths.`)
  })
  admin.onError(async (error, { env: { exchange } }) => {
    const page = await renderError(error, exchange)
    if (page === undefined) throw error
    addCommonHeaders(exchange, page)
    return page
  })
  return admin
}
