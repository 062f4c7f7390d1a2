import { problem } from '../errors.ts'
import { parseDelayHeader } from '../http/delay.ts'
import type { Session } from '../sessions/session.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Exchange } from './exchange.ts'

interface EnterSessionParts {
  readonly sessions: Sessions
  /** Takes over what other mocks wrote to the session that a request names; undefined where there is nothing to wait for. */
  readonly catchUp: (exchange: Exchange) => Promise<void> | undefined
  /** Called when a request has entered its session. */
  readonly onEnter: (exchange: Exchange, session: string) => void
}

/** How a request enters a session, where that is not as usual. */
interface Entrance {
  /** The session; default: the one that the request names. */
  readonly name?: string
  /** What is waited for first; default: what other mocks wrote to the session. */
  readonly behind?: Promise<void> | undefined
  /** Whether another service answers the request, and judges its headers. */
  readonly isForwarded?: boolean
}

/**
 * Enters the session of a request, whatever answers it then, and checks the headers that every request may have. A request
 * that has entered stays where it is.
 *
 * @returns a promise only where there is something to wait for
 * @throws {Problem} 400 for a malformed name or header, 503 if the session limit is reached.
 */
export type EnterSession = (exchange: Exchange, entrance?: Entrance) => Session | Promise<Session>

/** @throws {Problem} 400 for a malformed correlation id. */
function expectCorrelationId({ header, correlationId }: Exchange): void {
  const asked = header('x-correlation-id')
  if (asked === undefined || asked === correlationId) return
  throw problem.invalidField({
    field: 'X-Correlation-ID',
    invalidValue: asked.slice(0, 200),
    message: 'The header X-Correlation-ID must be 8 to 256 of A-Z, a-z, 0-9, "_" and "-".',
  })
}

/** @throws {Problem} 400 for a malformed header of those that every request may have. */
function expectHeaders(exchange: Exchange): void {
  expectCorrelationId(exchange)
  const delay = exchange.header('x-mock-delay')
  if (delay !== undefined) parseDelayHeader(delay)
}

/** Creates the one way into a session. */
export function createEnterSession({ sessions, catchUp, onEnter }: EnterSessionParts): EnterSession {
  function enter(exchange: Exchange, { name = exchange.sessionName, isForwarded = false }: Entrance): Session {
    const entered = exchange.session
    const session = entered ?? (exchange.startsSession ? sessions.enter(name) : sessions.peek(name))
    exchange.session = session
    if (!isForwarded) expectHeaders(exchange)
    if (entered === undefined) onEnter(exchange, session.name)
    return session
  }

  function findBehind(exchange: Exchange, entrance: Entrance): Promise<void> | undefined {
    if (exchange.session !== undefined) return undefined
    return 'behind' in entrance ? entrance.behind : catchUp(exchange)
  }

  return function enterSession(exchange, entrance = {}) {
    const behind = findBehind(exchange, entrance)
    return behind === undefined ? enter(exchange, entrance) : behind.then(() => enter(exchange, entrance))
  }
}
