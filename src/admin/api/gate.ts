import type { MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import { problem } from '../../errors.ts'
import { isRead } from '../../service/http/request-head.ts'
import { isPreflight } from '../../service/http/cors.ts'
import type { CorsPolicy } from '../../service/http/cors.ts'
import type { Exchange } from '../../app/pipeline/exchange.ts'
import type { EnterSession } from '../../app/pipeline/enter-session.ts'
import { addCommonHeaders } from '../../app/pipeline/reply.ts'
import { replyToPreflight } from '../../app/pipeline/other-requests.ts'
import { EVERY_SESSION } from '../../sessions/events.ts'
import { isTestId } from '../../sessions/runs.ts'
import type { Session } from '../../sessions/sessions.ts'
import { createAdminGuard } from './guard.ts'
import { toAdminRequest } from './request.ts'
import type { AdminEnv } from './request.ts'

/** Responses must not be cached or shared, except for files whose URLs change with their content. */
const ADMIN_HEADERS = { 'Cache-Control': 'no-store', 'Cross-Origin-Resource-Policy': 'same-origin' }

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
