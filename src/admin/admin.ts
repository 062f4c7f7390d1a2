import { Hono } from 'hono'
import type { Context, MiddlewareHandler } from 'hono'
import { generateCookie } from 'hono/cookie'
import { matchedRoutes } from 'hono/route'
import { TrieRouter } from 'hono/router/trie-router'
import { parse } from 'hono/utils/cookie'
import { problem } from '../errors.ts'
import { toJson } from '../http/envelope.ts'
import { ADMIN_PATH, isRead } from '../http/request-head.ts'
import { isPreflight } from '../http/cors.ts'
import type { CorsPolicy } from '../http/cors.ts'
import { wait } from '../http/connection.ts'
import type { Exchange, EnterSession } from '../pipeline/exchange.ts'
import { replyToPreflight, addCommonHeaders } from '../pipeline/reply.ts'
import { EVERY_SESSION } from '../sessions/events.ts'
import { isTestId } from '../sessions/runs.ts'
import type { Session } from '../sessions/sessions.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import { BoundedMap } from '../util/collections.ts'
import { createEventRoutes } from './events.ts'
import { createProjectRoutes } from './projects.ts'
import { createReportRoutes } from './reports.ts'
import { isAdminRoot, toAdminRequest, addAdminRoutes } from './request.ts'
import type { AdminEnv, AdminParts, AdminRoutes } from './request.ts'
import { createRequestRoutes, findEntry } from './requests.ts'
import { createResourceRoutes } from './resources.ts'
import { createRunRoutes } from './runs.ts'
import { createScenarioRoutes } from './scenarios.ts'
import { createStateRoutes } from './state.ts'

const encoder = new TextEncoder()

/** Compares in constant time. */
function isSecret(candidate: string, secret: string): boolean {
  const actual = encoder.encode(candidate)
  const expected = encoder.encode(secret)
  let difference = actual.length ^ expected.length
  for (const [at, byte] of actual.entries()) difference |= byte ^ (expected[at % expected.length] ?? 0)
  return difference === 0
}

const COOKIE = 'mock-admin-token'

/** The cookie that stores the token in a browser, out of reach of scripts and other sites (RFC 6265bis, section 5.6.7). */
export const toTokenCookie = (token: string, path: string, isSecure: boolean): string =>
  generateCookie(COOKIE, token, { path, httpOnly: true, sameSite: 'Strict', secure: isSecure })

/** The token from a request's headers: a bearer token (RFC 6750, section 2.1), or the cookie. */
function findToken(headers: Headers): string | undefined {
  const bearer = /^Bearer +(\S+)\s*$/i.exec(headers.get('Authorization') ?? '')?.[1]
  return bearer ?? parse(headers.get('Cookie') ?? '', COOKIE)[COOKIE]
}

/**
 * Delay for the first wrong token from an address, and the maximum, in milliseconds. Each further wrong token doubles the
 * delay.
 */
const LEAST_WAIT = 100
const MOST_WAIT = 2000

/** Maximum number of addresses whose wrong tokens are counted. */
const MOST_ADDRESSES = 1000

/** Maximum number of delayed responses to wrong tokens. More are rejected at once, which limits memory use. */
const MOST_WAITING = 100

const toAddress = ({ connection }: Exchange): string => connection?.remoteAddress ?? ''

/**
 * Slows down guessing. A correct token is never delayed, whatever its address sent before.
 *
 * @param pause waits for milliseconds, or until the client disconnects
 */
export function createWrongTokens(pause: typeof wait = wait) {
  const counts = new BoundedMap<string, number>(MOST_ADDRESSES)
  let waiting = 0

  return {
    /**
     * Delays the response to a wrong token.
     *
     * @throws {Problem} 429 if too many responses are delayed already.
     */
    async delay(exchange: Exchange): Promise<void> {
      const address = toAddress(exchange)
      const count = counts.get(address) ?? 0
      counts.set(address, count + 1)
      if (waiting >= MOST_WAITING) throw problem.tooManyRequests(MOST_WAITING, MOST_WAIT / 1000)
      waiting += 1
      try {
        await pause(Math.min(LEAST_WAIT * 2 ** count, MOST_WAIT), exchange.request)
      } finally {
        waiting -= 1
      }
    },
    /** Resets the count of an address after a correct token. */
    forgive: (exchange: Exchange): void => void counts.delete(toAddress(exchange)),
  }
}

const isLoopbackAddress = (address: string): boolean =>
  address === '::1' || /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/i.test(address)

const isAddress = (name: string): boolean => name.includes(':') || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name)

/** Strips port and brackets: `localhost:4010` to `localhost`, `[::1]:4010` to `::1`. */
const toHostname = (host: string): string =>
  host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')

/** Paths that reveal nothing about the mock's data. */
const OPEN = new Set(
  ['/health', '/health/live', '/health/ready', '/dashboard.css', '/dashboard.svg'].map((path) => ADMIN_PATH + path),
)

/** Whether the request comes from a page of another site, for requests without Origin. */
const isForeignSite = (site: string | null): boolean => site === 'cross-site' || site === 'same-site'

/** Whether the request follows a link to the dashboard. The linking page cannot read the response. */
const isDashboardLink = ({ method, headers }: Request, path: string): boolean =>
  method === 'GET' &&
  isAdminRoot(path) &&
  headers.get('Sec-Fetch-Mode') === 'navigate' &&
  headers.get('Sec-Fetch-Dest') === 'document'

/**
 * Creates the guard of the admin API. Browsers let any page send requests to this machine, so it checks the page's origin
 * (`Origin`, Fetch standard, section 3.2) and the host name used for the mock, since DNS rebinding can point any name at
 * this machine.
 */
function createGuard({
  token,
  origins,
  host,
}: Parameters<typeof createGate>[0]): (exchange: Exchange) => void | Promise<void> {
  const wrongTokens = createWrongTokens()
  const trusted = new Set(origins.map((origin) => toHostname(new URL(origin).host)))
  if (host !== undefined) trusted.add(toHostname(isAddress(host) ? `[${host}]` : host))
  // A mock that listens on all interfaces can be reached by any address, and addresses cannot be rebound.
  const isAnyAddress = host === '0.0.0.0' || host === '::'

  function isAllowedName(name: string): boolean {
    if (name === 'localhost' || name.endsWith('.localhost') || isLoopbackAddress(name)) return true
    return trusted.has(name) || (isAnyAddress && isAddress(name))
  }

  function checkHost({ headers, url }: Request): void {
    const header = headers.get('Host')
    if (header === null) return
    // An absolute-form request target overrides Host (RFC 9112, section 3.2.2), so both are checked.
    const rejected = [header, new URL(url).host].find((name) => !isAllowedName(toHostname(name)))
    if (rejected === undefined) return
    throw problem.forbidden(
      `The admin API does not accept the host name ${JSON.stringify(rejected.slice(0, 200))}. Use localhost or the --host address, or allow this name with --admin-origin.`,
    )
  }

  function checkOrigin(request: Request, path: string): void {
    const origin = request.headers.get('Origin')
    if (origin === null) {
      if (!isForeignSite(request.headers.get('Sec-Fetch-Site')) || isDashboardLink(request, path)) return
      throw problem.forbidden(
        'The admin API does not accept requests from other sites. Allow a site with --admin-origin.',
      )
    }
    if (origin === new URL(request.url).origin || origins.includes(origin)) return
    const shown = origin.slice(0, 200)
    // Sandboxed pages and local files have an opaque origin, which cannot be allowed (HTML standard, section 7.1.1).
    const remedy =
      shown === 'null'
        ? 'Open the page from a web server, and allow its origin with --admin-origin.'
        : `Allow it with --admin-origin ${shown}.`
    throw problem.forbidden(`The admin API does not accept requests from the origin ${shown}. ${remedy}`)
  }

  function checkToken(exchange: Exchange): void | Promise<void> {
    const { request, address, connection } = exchange
    if (token === undefined) {
      if (connection === undefined || isLoopbackAddress(connection.remoteAddress ?? '')) return
      throw problem.forbidden(
        'The admin API accepts requests from this machine only. Start the mock with --admin-token, and send the token as Authorization: Bearer.',
      )
    }
    // The link to the dashboard passes the token once.
    const linkToken = isAdminRoot(address.path) ? new URLSearchParams(address.search).get('token') : null
    const sentToken = linkToken ?? findToken(request.headers)
    if (sentToken !== undefined && isSecret(sentToken, token)) return wrongTokens.forgive(exchange)
    const refusal = problem.invalidToken(
      ADMIN_PATH.slice(1),
      sentToken === undefined
        ? 'The admin API requires a token. Send the --admin-token value as Authorization: Bearer.'
        : 'Wrong admin API token. Send the --admin-token value as Authorization: Bearer.',
    )
    if (sentToken === undefined) throw refusal
    return wrongTokens.delay(exchange).then(() => {
      throw refusal
    })
  }

  return function guard(exchange) {
    const { request, address } = exchange
    checkHost(request)
    checkOrigin(request, address.path)
    // Preflights and health probes cannot send a token, and the page that asks for the token needs its icon.
    if (isPreflight(request) || OPEN.has(address.path)) return
    return checkToken(exchange)
  }
}

/** Responses must not be cached or shared, except for files whose URLs change with their content. */
const HEADERS = {
  'Cache-Control': 'no-store',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/** Paths that report the mock's health. */
const PROBE = /^\/__admin\/(?:health|metrics|version)/

/** The liveness probe, which must never wait. */
const LIVE = '/__admin/health/live'

/** The path of a session's test; the session is that of the path. */
const TEST = /^\/__admin\/sessions\/([^/]+)\/test$/

/** A link cannot set a header, so its query names the session (D88). `*` means all sessions, which some paths accept. */
function toSessionName({ sessionName, address: { path } }: Exchange, query: URLSearchParams): string {
  const named = TEST.exec(path)?.[1] ?? query.get('session')
  return named === null || named === EVERY_SESSION ? sessionName : named
}

/**
 * Whether a request may create the session that it names: only writes that match a route may, since other requests can pass
 * without a token.
 */
const startsSession = (c: Context<AdminEnv>): boolean =>
  !isRead(c.req.method) && matchedRoutes(c).some(({ method }) => method === c.req.method)

/** Paths of what an ended session has lost. */
const LOST = /^\/__admin\/(?:state|snapshots|images|clock)(?:\/|$)/

/** Paths of searches, which are sent with POST. */
const SEARCH = /^\/__admin\/(?:requests\/)?(?:find|count|near-misses\/[\w-]+)$/

/** @throws {Problem} 410 for a write to an ended session, and for data that it has lost. */
function expectInArchive({ method, address: { path } }: Exchange, { name, test }: Session): void {
  if (!isRead(method) && !SEARCH.test(path)) {
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
  const guard = createGuard(parts)
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
    if (parts.isHidden && !exchange.isInternal) return c.notFound()
    // Keeps admin requests out of the journal: it only records the app under test.
    exchange.isRecorded = true
    exchange.startsSession = startsSession(c)
    exchange.cors = cors
    await guard(exchange)
    if (isPreflight(exchange.request)) return replyToPreflight(exchange)
    const name = toSessionName(exchange, new URLSearchParams(exchange.address.search))
    // A test belongs to a session that exists or has ended, so its id never starts one.
    if (isTestId(name)) exchange.startsSession = false
    const session = await parts.enterSession(exchange, { name, behind: refreshFor(exchange, name) })
    if (session.isArchived) expectInArchive(exchange, session)
    c.env.admin = toAdminRequest(exchange, session, parts.maxBody)
    await next()
    await session.settled()
    await parts.archived?.()
    for (const [name, value] of Object.entries(HEADERS)) {
      if (!c.res.headers.has(name)) c.res.headers.set(name, value)
    }
    addCommonHeaders(exchange, c.res)
    return undefined
  }
}

/** The Model Context Protocol (streamable HTTP) for the request's session. */
const createMcpRoutes = ({ answerMcp }: AdminParts): AdminRoutes => ({
  'POST /mcp': async (admin) => {
    const { headers, exchange } = admin
    // Applies the same limits as for any other body.
    const message = await admin.readJson()
    // A large batch would block all other requests.
    if (Array.isArray(message)) {
      throw problem.invalidInput('Send one JSON-RPC message per request, not an array of messages.')
    }
    return answerMcp(new Request(exchange.request.url, { method: 'POST', headers }), message, admin)
  },
})

/** Routes whose code is loaded when it is first needed, because a page that embeds a mock rarely needs it. */
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
  createResourceRoutes,
  createProjectRoutes,
  createRequestRoutes,
  createRunRoutes,
  createEventRoutes,
  createMcpRoutes,
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
