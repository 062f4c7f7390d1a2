import { Hono } from 'hono'
import type { MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import { TrieRouter } from 'hono/router/trie-router'
import { problem } from '../../errors.ts'
import { toJson } from '../../service/http/envelope.ts'
import { isJsonObject } from '../../service/http/json.ts'
import { MAX_BYTES } from '../../service/http/sizes.ts'
import { ADMIN_PATH, isRead } from '../../service/http/request-head.ts'
import { isPreflight } from '../../service/http/cors.ts'
import type { CorsPolicy } from '../../service/http/cors.ts'
import type { EnterSession, Env, Exchange } from '../../app/pipeline/exchange.ts'
import { replyToPreflight, addCommonHeaders } from '../../app/pipeline/reply.ts'
import { EVERY_SESSION } from '../../sessions/events.ts'
import { isTestId } from '../../sessions/runs.ts'
import type { Session } from '../../sessions/sessions.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import { createEventRoutes } from './events.ts'
import { createAdminGuard } from './guard.ts'
import { createReportRoutes } from './reports.ts'
import { toAdminRequest, addAdminRoutes } from './request.ts'
import type { AdminEnv, AdminHandler, AdminParts, AdminRoutes } from './request.ts'
import { createRequestRoutes, findEntry } from './requests.ts'
import { createScenarioRoutes } from './scenarios.ts'
import { createStateRoutes } from './state.ts'

/** Responses must not be cached or shared, except for files whose URLs change with their content. */
const ADMIN_HEADERS = {
  'Cache-Control': 'no-store',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/** Paths that report the mock's health. */
const PROBE = /^\/__admin\/(?:health|metrics|version)/

/** The liveness probe, which must never wait. */
const LIVE = '/__admin/health/live'

/** The path of a session's test, which names the session. */
const TEST = /^\/__admin\/sessions\/([^/]+)\/test$/

/** A link cannot set a header, so its query names the session (D88). `*` means all sessions, which some paths accept. */
function toAdminSession({ sessionName, address: { path } }: Exchange, query: URLSearchParams): string {
  const named = TEST.exec(path)?.[1] ?? query.get('session')
  return named === null || named === EVERY_SESSION ? sessionName : named
}

/** Paths of what an ended session has lost. */
const LOST = /^\/__admin\/(?:state|snapshots|images|clock)(?:\/|$)/

/** Paths of searches, which are sent with POST. */
const ADMIN_SEARCH = /^\/__admin\/(?:requests\/)?(?:find|count|near-misses\/[\w-]+)$/

/** @throws {Problem} 410 for a write to an ended session, and for data that it has lost. */
function expectInArchive({ method, address: { path } }: Exchange, { name, test }: Session): void {
  if (!isRead(method) && !ADMIN_SEARCH.test(path)) {
    throw problem.gone(
      `The session "${name}" has ended and is read-only. To start a new one, use the name "${test?.session}".`,
    )
  }
  if (!LOST.test(path)) return
  throw problem.gone(
    `The session "${name}" has ended. Only its requests, versions, coverage and scenarios are in the archive.`,
  )
}

/**
 * Creates the middleware in front of the admin API and the dashboard. It rejects unauthorized requests, enters the session,
 * and adds the common headers.
 *
 * @param parts.refresh loads changes of other mocks; undefined without a shared store
 * @param parts.archived resolves once a shared store has all runs and archived sessions; undefined without one
 * @param parts.maxBody maximum size of a JSON body, in bytes
 * @param parts.token if absent, only this machine has access
 * @param parts.origins additional browser origins with access
 * @param parts.host the address that the mock listens on
 * @param parts.isHidden whether access is limited to this process: `--no-admin`
 * @throws {SetupError} for a malformed origin, or an empty token.
 */
export function createGate(parts: {
  readonly enterSession: EnterSession
  readonly refresh: ((session: string, mayStart: boolean) => Promise<void>) | undefined
  readonly archived: (() => Promise<void>) | undefined
  readonly maxBody: number
  readonly token?: string | undefined
  readonly origins: readonly string[]
  readonly host?: string | undefined
  readonly isHidden: boolean
}): MiddlewareHandler<AdminEnv> {
  const guard = createAdminGuard(parts)
  const cors: CorsPolicy = { only: parts.origins }

  /** Loads changes of other mocks before the request is handled. */
  async function refreshFor({ address, startsSession: mayStart }: Exchange, name: string): Promise<void> {
    if (address.path === LIVE) return
    const refreshed = parts.refresh?.(name, mayStart)
    // Probes and metrics must respond even if the store is unavailable.
    if (PROBE.test(address.path)) await refreshed?.catch(() => undefined)
    else await refreshed
  }

  return async function gate(c, next) {
    const { exchange } = c.env
    if (exchange.isForService || (parts.isHidden && !exchange.isInternal)) return c.notFound()
    // Keeps admin requests out of the journal: it only records the app under test.
    exchange.isRecorded = true
    // Other requests than writes that match a route can pass without a token, so they do not create the session they name.
    exchange.startsSession = !isRead(c.req.method) && matchedRoutes(c).some(({ method }) => method === c.req.method)
    exchange.cors = cors
    guard(exchange)
    if (isPreflight(exchange.request)) return replyToPreflight(exchange)
    const name = toAdminSession(exchange, new URLSearchParams(exchange.address.search))
    // A test belongs to a session that exists or has ended, so its id never starts one.
    if (isTestId(name)) exchange.startsSession = false
    const session = await parts.enterSession(exchange, { name, behind: refreshFor(exchange, name) })
    if (session.isArchived) expectInArchive(exchange, session)
    c.env.admin = toAdminRequest(exchange, session, parts)
    await next()
    await session.settled()
    if (!PROBE.test(exchange.address.path)) await parts.archived?.()
    for (const [name, value] of Object.entries(ADMIN_HEADERS)) {
      if (!c.res.headers.has(name)) c.res.headers.set(name, value)
    }
    addCommonHeaders(exchange, c.res)
    return undefined
  }
}

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
    if (Array.isArray(message)) {
      throw problem.invalidInput('Send one JSON-RPC message per request, not an array of messages.')
    }
    return answerMcp(new Request(exchange.request.url, { method: 'POST', headers }), message, admin)
  },
})

/** Routes whose code is loaded when one of them is first called. Paths that the loaded routes lack do not compile. */
const loadRoutes =
  <Path extends keyof AdminRoutes>(
    paths: readonly Path[],
    load: () => Promise<(parts: AdminParts) => Readonly<Record<Path, AdminHandler>>>,
  ) =>
  (parts: AdminParts): AdminRoutes =>
    Object.fromEntries(
      paths.map((path): [Path, AdminHandler] => [path, async (...request) => (await load())(parts)[path](...request)]),
    )

const createLazyProjectRoutes = loadRoutes(
  ['GET /projects', 'GET /state/:projectKey/resources', 'GET /snapshots/:name/changes'],
  async () => (await import('./projects.ts')).createProjectRoutes,
)

const createLazyResourceRoutes = loadRoutes(
  [
    'GET /state/:projectKey/resources/:id',
    'PUT /state/:projectKey/resources/:id',
    'DELETE /state/:projectKey/resources/:id',
    'GET /resources',
    'GET /resources/:id/versions',
    'GET /images',
    'GET /images/:id',
  ],
  async () => (await import('./resources.ts')).createResourceRoutes,
)

const createLazyRunRoutes = loadRoutes(
  ['GET /sessions/:name/test', 'PUT /sessions/:name/test', 'GET /runs', 'GET /runs/:run', 'DELETE /runs/:run'],
  async () => (await import('./runs.ts')).createRunRoutes,
)

/** Routes of one request or resource; each loads its code when it is first called. */
const createLazyRoutes = (parts: AdminParts): AdminRoutes => ({
  'GET /requests/:id/explanation': async (admin, param) => {
    const { explain, toExplanationJson } = await import('./explanation.ts')
    return toJson(toExplanationJson(await explain(parts, admin.session, findEntry(admin, param('id')))))
  },
  'GET /requests/:id/copies': async (admin, param) => {
    const { toCopies } = await import('./copies.ts')
    return toJson({ copies: toCopies(findEntry(admin, param('id'))) })
  },
  'GET /requests/:id/scenario': async (admin, param) => {
    const { answerScenario } = await import('./request-scenario.ts')
    return answerScenario(parts, admin, findEntry(admin, param('id')))
  },
  'GET /resources/:id/history': async (admin, param) => {
    const { answerHistory } = await import('./history.ts')
    return answerHistory(parts, admin, param('id'))
  },
})

const groups: readonly ((parts: AdminParts) => AdminRoutes)[] = [
  createReportRoutes,
  createScenarioRoutes,
  createStateRoutes,
  createRequestRoutes,
  createEventRoutes,
  createMcpRoutes,
  createLazyProjectRoutes,
  createLazyResourceRoutes,
  createLazyRunRoutes,
  createLazyRoutes,
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
  if (/^\/mappings(?:\/|$)/.test(path)) {
    return `This mock has no stub mappings: it responds from its data. To change a response, activate a scenario with PUT ${ADMIN_PATH}/scenarios/active, or define one with PUT ${ADMIN_PATH}/scenarios/{name}. GET ${ADMIN_PATH}/scenarios lists them.`
  }
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
