import { Hono } from 'hono'
import { problem } from '../errors.ts'
import type { Journals } from '../journal/journal.ts'
import type { KeptExchange } from '../journal/kept-exchange.ts'
import { EVERY_SESSION } from '../sessions/events.ts'
import type { Events } from '../sessions/events.ts'
import { expectName } from '../sessions/session-name.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { createTurns } from '../util/turns.ts'
import { MOST_WAITING, createEventQueues } from './event-queues.ts'
import type { QueuedEvent } from './event-queues.ts'
import { EVENT_HEADERS, streamEvents } from './event-stream.ts'
import type { SharedByStreams } from './event-stream.ts'
import { createEventTexts } from './event-texts.ts'
import { readSwitch } from './request.ts'
import type { AdminEnv, AdminRequest } from './request.ts'

interface EventParts {
  readonly events: Events
  readonly journals: Journals
  readonly sessions: Sessions
  readonly onNotice: (sentence: string) => void
}

/** After events of this size, other requests get a turn; in bytes of memory. */
const SLICE = 512 * 1024

/** At most this many streams at once. */
const MAX_STREAMS = 1000

function readSession({ query, session }: AdminRequest): string {
  const asked = query.get('session') ?? session.name
  if (asked !== EVERY_SESSION) expectName(asked, 'session')
  return asked
}

/** What happens, as it happens. */
export function createEventRoutes({ events, journals, sessions, onNotice }: EventParts): Hono<AdminEnv> {
  const shared: SharedByStreams = {
    queues: createEventQueues({
      onEnded: (streams) =>
        onNotice(
          `Ended ${streams === 1 ? 'an event stream whose client reads' : `${streams} event streams whose clients read`} too slowly. A client that reconnects with Last-Event-ID gets the requests that it missed.`,
        ),
    }),
    toText: createEventTexts(),
    turns: createTurns(SLICE),
  }
  const queued = new WeakMap<object, QueuedEvent>()

  /** A missed request, which all streams that send it share. Its entry is read when it is sent. */
  function toQueued(exchange: KeptExchange): QueuedEvent {
    let known = queued.get(exchange)
    if (known === undefined) {
      const event = {
        kind: 'request' as const,
        session: exchange.session,
        get entry() {
          return exchange.entry
        },
      }
      known = { event, bytes: exchange.bytes }
      queued.set(exchange, known)
    }
    return known
  }

  /**
   * The requests after the last one that the client received, or all that the journal has if that one is gone. They are in
   * the order in which they ended, as they are for a client that stays connected.
   */
  function findMissed(session: string, lastId: string | null): readonly QueuedEvent[] {
    if (lastId === null) return []
    const exchanges =
      session === EVERY_SESSION ? journals.exchanges() : (sessions.find(session)?.journal.exchanges() ?? [])
    const last = exchanges.findLastIndex(({ id }) => id === lastId)
    return exchanges
      .slice(last + 1)
      .slice(-MOST_WAITING)
      .map(toQueued)
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
    const isOverSocket = admin.exchange.connection !== undefined
    return streamEvents({ ...shared, events, session, missed, isPendingWanted, isOverSocket, onAbort: admin.onAbort })
  })
  return routes
}
