import { Hono } from 'hono'
import type { MiddlewareHandler } from 'hono'
import { TrieRouter } from 'hono/router/trie-router'
import { problem } from '../../errors.ts'
import { toJson } from '../../service/http/envelope.ts'
import { isJsonObject } from '../../service/http/json.ts'
import { MAX_BYTES } from '../../service/http/sizes.ts'
import { ADMIN_PATH } from '../../service/http/request-head.ts'
import type { Env, Exchange } from '../../app/pipeline/exchange.ts'
import { addCommonHeaders } from '../../app/pipeline/reply.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import { toCopies } from './copies.ts'
import { createEventRoutes } from './events.ts'
import { explain, toExplanationJson } from './explanation.ts'
import { answerHistory } from './history.ts'
import { createProjectRoutes } from './projects.ts'
import { createReportRoutes } from './reports.ts'
import { addAdminRoutes } from './request.ts'
import type { AdminEnv, AdminParts, AdminRoutes } from './request.ts'
import { answerScenario } from './request-scenario.ts'
import { createRequestRoutes, findEntry } from './requests.ts'
import { createResourceRoutes } from './resources.ts'
import { createRunRoutes } from './runs.ts'
import { createScenarioRoutes } from './scenarios.ts'
import { createStateRoutes } from './state.ts'

/** Whether a message of the Model Context Protocol calls the tool that sends resources, which may be large. */
const isSeed = (message: unknown): boolean =>
  isJsonObject(message) && isJsonObject(message['params']) && message['params']['name'] === 'seed_resources'

/** The Model Context Protocol (streamable HTTP) for the request's session. */
const createMcpRoutes = ({ answerMcp, maxBody }: AdminParts): AdminRoutes => ({
  'POST /mcp': async (admin) => {
    const { headers, exchange } = admin
    const { value: message, size } = await admin.readJsonText(Math.max(maxBody, MAX_BYTES.message))
    if (size > MAX_BYTES.message && !isSeed(message)) throw problem.contentTooLarge(MAX_BYTES.message)
    // A large batch would block all other requests.
    if (Array.isArray(message))
      throw problem.invalidInput('Send one JSON-RPC message per request, not an array of messages.')
    return answerMcp(new Request(exchange.request.url, { method: 'POST', headers }), message, admin)
  },
})

/** Routes of one request or resource. */
const createSingleRoutes = (parts: AdminParts): AdminRoutes => ({
  'GET /requests/:id/explanation': async (admin, param) =>
    toJson(toExplanationJson(await explain(parts, admin.session, findEntry(admin, param('id'))))),
  'GET /requests/:id/copies': (admin, param) => toJson({ copies: toCopies(findEntry(admin, param('id'))) }),
  'GET /requests/:id/scenario': (admin, param) => answerScenario(parts, admin, findEntry(admin, param('id'))),
  'GET /resources/:id/history': (admin, param) => answerHistory(parts, admin, param('id')),
})

const groups: readonly ((parts: AdminParts) => AdminRoutes)[] = [
  createReportRoutes,
  createScenarioRoutes,
  createStateRoutes,
  createRequestRoutes,
  createEventRoutes,
  createMcpRoutes,
  createProjectRoutes,
  createResourceRoutes,
  createRunRoutes,
  createSingleRoutes,
]

/** Creates the admin API. The app that mounts it handles errors. */
export function createAdminApi(parts: AdminParts): Hono<AdminEnv> {
  const api = new Hono<AdminEnv>({ router: new TrieRouter() })
  for (const createRoutes of groups) addAdminRoutes(api, createRoutes(parts))
  api.onError((error) => {
    throw error
  })
  return api
}

/** The paths of the admin API as in the documentation: `/state/{projectKey}`. */
export const listPaths = ({ routes }: Hono<AdminEnv>): readonly string[] => [
  ...new Set(routes.map(({ path }) => path.replaceAll(/:(\w+)/g, '{$1}'))),
]

/** Describes a path that the admin API does not have, with what to use instead. */
function describeUnknownPath(path: string, known: readonly string[]): string {
  // WireMock's.
  if (/^\/mappings(?:\/|$)/.test(path))
    return `This mock has no stub mappings: it responds from its data. To change a response, activate a scenario with PUT ${ADMIN_PATH}/scenarios/active, or define one with PUT ${ADMIN_PATH}/scenarios/{name}. GET ${ADMIN_PATH}/scenarios lists them.`
  const hint = didYouMean(path, known).replace('"/', `"${ADMIN_PATH}/`)
  return `The admin API has no path ${ADMIN_PATH}${path}.${hint} GET ${ADMIN_PATH} lists all paths.`
}

/**
 * Creates the app for everything under `/__admin`.
 *
 * @param apps the dashboard and the API
 * @param renderError renders an error as a page; returns undefined if the client wants JSON
 */
export function createAdmin(
  gate: MiddlewareHandler<AdminEnv>,
  { pages, api }: { readonly pages: Hono<AdminEnv>; readonly api: Hono<AdminEnv> },
  renderError: (error: unknown, exchange: Exchange) => Promise<Response | undefined>,
): Hono<Env> {
  const admin = new Hono<Env>()
  admin.use(gate)
  admin.route('/', pages)
  admin.route('/', api)
  const known = listPaths(api)
  admin.all('/*', ({ env: { exchange } }) => {
    throw problem.notFound(describeUnknownPath(exchange.address.path.slice(ADMIN_PATH.length, 500), known))
  })
  admin.onError(async (error, { env: { exchange } }) => {
    const page = await renderError(error, exchange)
    if (page === undefined) throw error
    addCommonHeaders(exchange, page)
    return page
  })
  return admin
}
