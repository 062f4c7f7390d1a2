import { parseDelayHeader } from '../http/delay.ts'
import { isRead } from '../http/is-read.ts'
import type { Session } from '../sessions/session.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { expectCorrelationId } from './exchange.ts'
import type { Exchange } from './exchange.ts'

/** Asks of a request what every one must bring before anything else looks at it, and gives the session that it is in. */
export type Admit = (exchange: Exchange) => Session

export const createAdmit =
  (sessions: Sessions): Admit =>
  (exchange) => {
    // A read of the admin API or the dashboard, which are not journaled, never begins a session.
    const isLook = exchange.isRecorded && isRead(exchange.method)
    const session = isLook ? sessions.look(exchange.session) : sessions.enter(exchange.session)
    exchange.entered = session
    expectCorrelationId(exchange)
    const delay = exchange.header('x-mock-delay')
    if (delay !== undefined) parseDelayHeader(delay)
    return session
  }
