import { Hono } from 'hono'
import { problem } from '../errors.ts'
import { EVERY_SESSION } from '../sessions/events.ts'
import type { Events, MockEvent } from '../sessions/events.ts'
import { expectName } from '../sessions/session-name.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { EVENT_HEADERS, streamEvents } from './event-stream.ts'
import { readSwitch } from './request.ts'
import type { AdminEnv, AdminRequest } from './request.ts'

interface EventParts {
  readonly events: Events
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
export function createEventRoutes({ events, sessions }: EventParts): Hono<AdminEnv> {
  const backlog = { bytes: 0 }

  /** The requests that came after the last one that the reader saw: all that are kept where that one is not any more. */
  function findMissed(session: string, lastId: string | null): readonly MockEvent[] {
    if (lastId === null) return []
    const heard = session === EVERY_SESSION ? [...sessions.all()] : [sessions.find(session)]
    const exchanges = heard
      .flatMap((one) => one?.journal.exchanges().map((exchange) => ({ session: one.name, exchange })) ?? [])
      .toSorted((a, b) => a.exchange.time - b.exchange.time)
    const last = exchanges.findLastIndex(({ exchange }) => exchange.id === lastId)
    return exchanges.slice(last + 1).map(({ session: name, exchange }) => ({
      kind: 'request',
      session: name,
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
