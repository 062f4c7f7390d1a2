import { Hono } from 'hono'
import type { Context } from 'hono'
import type { Env } from '../walk/beside.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import { problem } from '../errors.ts'
import type { Fingerprint } from './fingerprint.ts'
import { EVERY_SESSION } from '../sessions/events.ts'
import type { Events } from '../sessions/events.ts'
import { onAbort } from '../http/abort.ts'
import { readBytes, toText } from '../http/body.ts'
import { isPreflight } from '../http/cors.ts'
import { isRead } from '../http/is-read.ts'
import { REQUEST_LIMITS, parseJson } from '../http/json.ts'
import type { Journals } from '../journal/journal.ts'
import type { Metrics } from '../journal/metrics.ts'
import type { Exchange } from '../walk/exchange.ts'
import { createDashboard } from '../dashboard/dashboard.ts'
import type { DashboardParts } from '../dashboard/parts.ts'
import { refusePage } from '../dashboard/refuse.ts'
import { createEventRoutes } from './events.ts'
import { createHealthRoutes } from './health.ts'
import { createImageRoutes } from './images.ts'
import { createLifecycleRoutes } from './lifecycle.ts'
import { createMetricsRoutes } from './metrics.ts'
import { createOpenApiRoutes } from './openapi.ts'
import { createPactRoutes } from './pact.ts'
import { createRequestRoutes } from './requests.ts'
import { createResourceRoutes } from './resources.ts'
import { createRootRoutes } from './root.ts'
import { ADMIN_PATH } from './route.ts'
import type { AdminRequest, Methods, Routes } from './route.ts'
import { createScenarioRoutes } from './scenarios.ts'
import { createSessionRoutes } from './sessions.ts'
import { createSnapshotRoutes } from './snapshots.ts'
import { createStateRoutes } from './state.ts'

/** What the admin API acts on, and tells of. */
export interface AdminParts extends Omit<DashboardParts, 'routes'> {
  readonly events: Events
  readonly metrics: Metrics
  readonly journals: Journals
  /** Milliseconds of a clock that never stands still. */
  readonly elapsed: () => number
  /** The largest JSON body in bytes. */
  readonly maxBody: number
  readonly token?: string | undefined
  readonly fingerprint: () => Promise<Fingerprint>
  readonly onShutdown?: (() => void) | undefined
}

/** Answers are of the moment, and for whoever asked. */
const HEADERS = {
  'Cache-Control': 'no-store',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/** What leads to a session by a link has no header: its query names the session (D88). `*` is the event stream's own. */
function toSessionName({ session }: Exchange, query: URLSearchParams): string {
  const named = query.get('session')
  return named === null || named === EVERY_SESSION ? session : named
}

/** `/state/{projectKey}`, as the documentation writes it. */
const toTemplate = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}')

function toAllowed(methods: Methods): readonly string[] {
  const allowed = Object.keys(methods)
  return methods.GET === undefined ? [...allowed, 'OPTIONS'] : [...allowed, 'HEAD', 'OPTIONS']
}

/**
 * Creates the admin API, to be mounted at the root. What is wrong with a request a browser is told in a page; else it
 * is thrown, for the app to render.
 *
 * @example createApp({ mounted: [{ path: ADMIN_PATH, app: createAdmin(parts), isJournaled: false }], … })
 */
export function createAdmin(parts: AdminParts): Hono<Env> {
  const app = new Hono<Env>()
  const routes: Routes = {
    ...createHealthRoutes(parts),
    ...createOpenApiRoutes(parts),
    ...createMetricsRoutes(parts),
    ...createScenarioRoutes(parts),
    ...createLifecycleRoutes(parts),
    ...createStateRoutes(parts),
    ...createResourceRoutes(parts),
    ...createSnapshotRoutes(parts),
    ...createRequestRoutes(parts),
    ...createPactRoutes(parts),
    ...createEventRoutes(parts),
    ...createSessionRoutes(parts),
    ...createImageRoutes(parts),
  }
  const templates = Object.keys(routes).map(toTemplate)
  const dashboard = createDashboard({ ...parts, routes })
  const pages: Routes = { ...createRootRoutes({ token: parts.token, paths: templates, dashboard }), ...dashboard.files }

  function toRequest({ req, env: { exchange } }: Context<Env>): AdminRequest {
    const { address } = exchange
    const query = new URLSearchParams(address.search)
    const readBodyBytes = (limit = parts.maxBody) => readBytes(req.raw, limit)
    const readText = async (limit?: number) => toText(await readBodyBytes(limit))
    const session = toSessionName(exchange, query)
    return {
      session: isRead(req.method) ? parts.sessions.look(session) : parts.sessions.enter(session),
      method: req.method,
      headers: req.raw.headers,
      onAbort: (listener) => onAbort(req.raw, listener),
      get origin() {
        return new URL(req.raw.url).origin
      },
      prefix: address.prefix,
      isSecure: req.raw.url.startsWith('https:'),
      baseUrl: address.baseUrl,
      parameters: req.param(),
      query,
      readText,
      readBytes: readBodyBytes,
      readJson: async (limits = REQUEST_LIMITS) => parseJson(await readText(), limits),
    }
  }

  for (const [path, methods] of Object.entries({ ...pages, ...routes })) {
    const allowed = toAllowed(methods)
    app.all(`${ADMIN_PATH}${path}`, async (c, next) => {
      const { method, raw } = c.req
      // A preflight is the app's to answer, as for every other path.
      if (isPreflight(raw)) return next()
      if (method === 'OPTIONS') return new Response(null, { status: 204, headers: { Allow: allowed.join(', ') } })
      const named = method === 'HEAD' ? 'GET' : method
      const handle = Object.hasOwn(methods, named) ? methods[named as keyof Methods] : undefined
      if (handle === undefined) throw problem.methodNotAllowed(method, c.req.path, allowed)
      const response = await handle(toRequest(c))
      for (const [name, value] of Object.entries(HEADERS)) response.headers.set(name, value)
      return response
    })
  }
  app.all(`${ADMIN_PATH}/*`, (c, next) => {
    if (isPreflight(c.req.raw)) return next()
    const path = c.req.path.slice(ADMIN_PATH.length, 500)
    throw problem.notFound(
      `The admin API has no path ${ADMIN_PATH}${path}.${didYouMean(path, templates)} GET ${ADMIN_PATH} lists all paths.`,
    )
  })
  app.onError(async (fault, { env: { exchange } }) => {
    const page = await refusePage(exchange, fault)
    if (page === undefined) throw fault
    return page
  })
  return app
}
