import { parseDelayHeader } from '../http/delay.ts'
import { isRead } from '../http/is-read.ts'
import type { Session } from '../sessions/session.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { expectCorrelationId } from './request-context.ts'
import type { RequestContext } from './request-context.ts'

/**
 * Enters the session that a request names, and checks the headers that every request may have.
 *
 * @throws {Problem} 400 for a malformed name or header, 503 where there is no room for another session.
 */
export type EnterSession = (context: RequestContext) => Session

export const createEnterSession =
  (sessions: Sessions): EnterSession =>
  (context) => {
    // Reads of the admin API and the dashboard, which are not recorded, never start a session.
    const isLook = context.isRecorded && isRead(context.method)
    const session = isLook ? sessions.look(context.session) : sessions.enter(context.session)
    context.entered = session
    expectCorrelationId(context)
    const delay = context.header('x-mock-delay')
    if (delay !== undefined) parseDelayHeader(delay)
    return session
  }
