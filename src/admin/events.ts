import { Hono } from 'hono'
import { problem } from '../errors.ts'
import type { Journals } from '../journal/journal.ts'
import { EVERY_SESSION } from '../sessions/events.ts'
import type { Events, MockEvent } from '../sessions/events.ts'
import { expectName } from '../sessions/session-name.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { EVENT_HEADERS, streamEvents } from './event-stream.ts'
import { readSwitch } from './request.ts'
import type { AdminEnv, AdminRequest } from './request.ts'

interface EventParts {
  readonly events: Events
  readonly journals: Journals
  readonly sessions: Sessions
}

/** At most this many streams at once. */
const MAX_STREAMS = 1000

function readSession({ query, session }: AdminRequest): string {
  const asked = query.get('session') ?? session.name
  if (asked !== EVERY_SESSION) expectName(asked, 'session')
  return asked
}

/** What happens, as it happens. */
export function createEventRoutes({ events, journals, sessions }: EventParts): Hono<AdminEnv> {
  const backlog = { bytes: 0 }

  /**
   * The requests that came after the last one that the reader saw: all that are kept where that one is not any more. They
   * are in the order in which they ended, as they are for one who listens.
   */
  function findMissed(session: string, lastId: string | null): readonly MockEvent[] {
    if (lastId === null) return []
    const exchanges =
      session === EVERY_SESSION ? journals.exchanges() : (sessions.find(session)?.journal.exchanges() ?? [])
    const last = exchanges.findLastIndex(({ id }) => id === lastId)
    return exchanges.slice(last + 1).map((exchange) => ({
      kind: 'request',
      session: exchange.session,
      // Read when it is sent: a stream sends the last ones only, one after the other.
      get entry() {
        return exchange.entry
      },
    }))
  }

  const routes = new Hono<AdminEnv>()
  routes.get('/events', (context) => {
    const { admin } = context.env
    const session = readSession(admin)
    if (admin.method === 'HEAD') return new Response(null, { headers: EVENT_HEADERS })
    if (events.size >= MAX_STREAMS) {
      throw problem.overCapacity(`The limit of ${MAX_STREAMS} open event streams is reached. Close one.`)
    }
    const isPendingWanted = readSwitch(admin.query, 'pending')
    const missed = findMissed(session, admin.headers.get('Last-Event-ID'))
    return streamEvents(context, { events, session, missed, isPendingWanted, backlog, onAbort: admin.onAbort })
  })
  return routes
}
