import { Hono } from 'hono'
import type { MiddlewareHandler } from 'hono'
import { problem } from '../errors.ts'
import { replyToOtherMethod } from '../pipeline/other-requests.ts'
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
import type { AdminEnv, AdminRequest } from './request.ts'
import type { Fingerprint } from './health.ts'
import type { Coverage } from '../journal/coverage.ts'
import type { Journals } from '../journal/journal.ts'
import type { Metrics, ProcessGauge, StoreMetrics } from '../journal/metrics.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import type { Catalog } from '../scenarios/engine.ts'
import type { Events } from '../sessions/events.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Fixtures } from '../state/fixtures.ts'
import type { Store } from '../state/store.ts'
import type { AskParts } from './requests.ts'

/** Answers a request of the Model Context Protocol, whose body has been parsed. */
export type AnswerMcp = (request: Request, message: unknown, admin: AdminRequest) => Promise<Response>

/** The Model Context Protocol, streamable HTTP, for the session of the request. */
export function createMcpRoutes({ answerMcp }: { readonly answerMcp: AnswerMcp }): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.post('/mcp', async ({ env: { admin } }) => {
    const { headers, exchange } = admin
    // The body is read as all are: within the limits of the mock.
    const message = await admin.readJson()
    // A hundred calls in one request would hold up everybody else.
    if (Array.isArray(message)) {
      throw problem.invalidInput('Send one JSON-RPC message in each request, not an array of messages.')
    }
    return answerMcp(new Request(exchange.request.url, { method: 'POST', headers }), message, admin)
  })
  return routes
}

const toAllowed = (methods: readonly string[]): readonly string[] =>
  methods.includes('GET') ? [...methods, 'HEAD', 'OPTIONS'] : [...methods, 'OPTIONS']

/**
 * Adds routes to an app, and a 405 for every other method of their paths, so that `PUT /scenarios/reset` does not fall
 * through to `PUT /scenarios/:name`. Hono's own method-not-allowed middleware comes too late for that.
 */
export function addRoutes(app: Hono<AdminEnv>, { routes }: Hono<AdminEnv>): void {
  for (const path of new Set(routes.map((route) => route.path))) {
    const own = routes.filter((route) => route.path === path)
    for (const { method, handler } of own) app.on(method, path, handler)
    const allowed = toAllowed(own.map(({ method }) => method))
    app.all(path, (c) => replyToOtherMethod(c.env.exchange, allowed))
  }
}

/** What the admin API acts on, and reports. */
export interface AdminParts extends AskParts {
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
  /** Whether journals keep anything. */
  readonly isJournaling: boolean
  readonly events: Events
  readonly metrics: Metrics
  readonly coverage: Coverage
  readonly journals: Journals
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number
  /** The largest JSON body in bytes. */
  readonly maxBody: number
  /** Whether requests that meet no endpoint go to another service. */
  readonly hasPassthrough: boolean
  readonly fingerprint: () => Promise<Fingerprint>
  /** Whether the mock is about to end. */
  readonly isDraining: () => boolean
  /** What is measured of the process; absent outside one. */
  readonly storeMetrics?: StoreMetrics | undefined
  readonly processGauges?: (() => readonly ProcessGauge[]) | undefined
  readonly onShutdown?: (() => void) | undefined
  readonly onNotice: (sentence: string) => void
  readonly answerMcp: AnswerMcp
}

const routes: readonly ((parts: AdminParts) => Hono<AdminEnv>)[] = [
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
  for (const createRoutes of routes) addRoutes(api, createRoutes(parts))
  api.onError((fault) => {
    throw fault
  })
  return api
}

/** The paths of the admin API, as the documentation writes them: `/state/{projectKey}`. */
export const listPaths = ({ routes }: Hono<AdminEnv>): readonly string[] => [
  ...new Set(routes.map(({ path }) => path.replaceAll(/:(\w+)/g, '{$1}'))),
]

interface MountedParts {
  readonly gate: MiddlewareHandler<AdminEnv>
  readonly api: Hono<AdminEnv>
  /** The dashboard. */
  readonly pages: Hono<AdminEnv>
  /** Shows a browser what was wrong with its request; undefined for a client that wants JSON. */
  readonly renderFault: (fault: unknown, exchange: Exchange) => Promise<Response | undefined>
}

/** Creates the app of everything under `/__admin`: the gate, the dashboard and the API. */
export function createAdmin({ gate, api, pages, renderFault }: MountedParts): Hono<AdminEnv> {
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
  admin.onError(async (fault, { env: { exchange } }) => {
    const page = await renderFault(fault, exchange)
    if (page === undefined) throw fault
    addCommonHeaders(exchange, page)
    return page
  })
  return admin
}
