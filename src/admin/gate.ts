import type { Context, MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import { isPreflight } from '../http/cors.ts'
import type { CorsPolicy } from '../http/cors.ts'
import { isRead } from '../http/is-read.ts'
import type { EnterSession } from '../pipeline/enter-session.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import { replyToPreflight } from '../pipeline/other-requests.ts'
import { addCommonHeaders } from '../pipeline/reply.ts'
import { EVERY_SESSION } from '../sessions/events.ts'
import { createGuard } from './guard.ts'
import { toAdminRequest } from './request.ts'
import type { AdminEnv } from './request.ts'

interface GateParts {
  readonly enterSession: EnterSession
  /** Reads all that other mocks have changed; undefined where there are none. */
  readonly look: ((session: string, isBeginning: boolean) => Promise<void>) | undefined
  /** The largest JSON body in bytes. */
  readonly maxBody: number
  /** Absent: only this machine may call. */
  readonly token?: string | undefined
  /** Further browser origins that may call. */
  readonly origins: readonly string[]
  /** The address that the mock listens on. */
  readonly host?: string | undefined
  /** Whether only this process itself may call: `--no-admin`. */
  readonly isHidden: boolean
}

/** Responses are of the moment, and for this client alone. */
const HEADERS = {
  'Cache-Control': 'no-store',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/** What asks how the mock itself is. */
const PROBE = /^\/__admin\/(?:health|metrics|version)/

/** What tells that the process runs; it waits for nothing else. */
const LIVE = '/__admin/health/live'

/** A link to a session has no header: its query names the session (D88). `*` is for the event stream alone. */
function toSessionName({ sessionName }: Exchange, query: URLSearchParams): string {
  const named = query.get('session')
  return named === null || named === EVERY_SESSION ? sessionName : named
}

/**
 * Whether a request may begin the session that it names: one that a route of its own method serves, and that does not only read.
 * Anyone may send others: what is open needs no token.
 */
const startsSession = (c: Context<AdminEnv>): boolean =>
  !isRead(c.req.method) && matchedRoutes(c).some(({ method }) => method === c.req.method)

/**
 * Creates the middleware in front of everything that controls the mock: it refuses strangers, enters the session, and adds the
 * headers of every response.
 *
 * @throws {SetupError} for a malformed origin, or an empty token.
 */
export function createGate({
  enterSession,
  look,
  maxBody,
  isHidden,
  ...parts
}: GateParts): MiddlewareHandler<AdminEnv> {
  const guard = createGuard(parts)
  const cors: CorsPolicy = { only: parts.origins }

  /** Reads what others have changed before the request is handled. */
  async function lookFor({ address, startsSession: mayStart }: Exchange, name: string): Promise<void> {
    if (address.path === LIVE) return
    const seen = look?.(name, mayStart)
    // A mock whose store is gone says so itself.
    if (PROBE.test(address.path)) await seen?.catch(() => undefined)
    else await seen
  }

  return async function gate(c, next) {
    const { exchange } = c.env
    if (isHidden && !exchange.isInternal) return c.notFound()
    // The journal has what the app under test sends.
    exchange.isRecorded = true
    exchange.startsSession = startsSession(c)
    exchange.cors = cors
    await guard(exchange)
    if (isPreflight(exchange.request)) return replyToPreflight(exchange)
    const name = toSessionName(exchange, new URLSearchParams(exchange.address.search))
    const session = await enterSession(exchange, { name, behind: lookFor(exchange, name) })
    c.env.admin = toAdminRequest(exchange, session, maxBody)
    await next()
    await session.settled()
    for (const [name, value] of Object.entries(HEADERS)) c.res.headers.set(name, value)
    addCommonHeaders(exchange, c.res)
    return undefined
  }
}
