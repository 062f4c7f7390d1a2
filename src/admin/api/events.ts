import { encoder } from '../../service/http/body.ts'
import { streamSSE } from 'hono/streaming'
import type { SSEStreamingApi } from 'hono/streaming'
import { problem } from '../../errors.ts'
import { stringifyJson } from '../../service/http/json.ts'
import { EVERY_SESSION } from '../../sessions/events.ts'
import type { MockEvent } from '../../sessions/events.ts'
import type { RedactedExchange } from '../../sessions/journal/record.ts'
import { toWireMockEvent } from '../../sessions/journal/wiremock-json.ts'
import { expectName } from '../../sessions/session-names.ts'
import { BoundedMap, Fifo } from '../../util/collections.ts'
import { timeSlices } from '../../util/time-slices.ts'
import { readSwitch } from './request.ts'
import { toTestJson } from './runs.ts'
import type { AdminParts, AdminRequest, AdminRoutes } from './request.ts'

/** Interval between comments, in milliseconds: they keep proxies from closing an idle stream. */
export const HEARTBEAT = 15_000
/** How long browsers wait before they reconnect, in milliseconds. */
const RETRY = 1000
/** Maximum number of events that wait for a client. With more, its stream ends, and the client may reconnect. */
export const MOST_WAITING = 1000
/** How many serialized events are kept for streams that have not sent them yet. */
const MOST_TEXTS = 16
/** Maximum number of open streams. */
const MAX_STREAMS = 1000

/** An event, or the entry of a request. */
type SentEvent = RedactedExchange | Exclude<MockEvent, { kind: 'request' }>

/** Formats a server-sent event (HTML Living Standard, section 9.2.5). Its JSON is a single line. */
function toEventText(event: SentEvent, parts: Pick<AdminParts, 'sessions'>): string {
  // Only requests can be sent again after a reconnect, so only they have an id.
  if (!('kind' in event)) return `event: request\ndata: ${stringifyJson(toWireMockEvent(event))}\nid: ${event.id}\n\n`
  const { kind, ...members } = event.kind === 'test' ? { ...event, test: toTestJson(parts, event.test) } : event
  return `event: ${kind}\ndata: ${stringifyJson(members)}\n\n`
}

export function createEventRoutes({ events, journals, sessions, onNotice }: AdminParts): AdminRoutes {
  // All streams get an event at about the same moment, so they share its text, and a slice of time.
  const texts = new BoundedMap<SentEvent, Uint8Array>(MOST_TEXTS)
  const slice = timeSlices.start()

  function toBytes(event: SentEvent): Uint8Array {
    const known = texts.get(event)
    if (known !== undefined) return known
    const bytes = encoder.encode(toEventText(event, { sessions }))
    texts.set(event, bytes)
    return bytes
  }

  /**
   * The requests after the last one that the client received, or everything in the journal if that request was dropped.
   * They are in order of completion, as for a client that stays connected.
   */
  function findMissed(session: string, lastId: string | null): readonly MockEvent[] {
    if (lastId === null) return []
    const exchanges =
      session === EVERY_SESSION ? journals.exchanges() : (sessions.find(session)?.journal.exchanges() ?? [])
    const last = exchanges.findLastIndex(({ id }) => id === lastId)
    return exchanges
      .slice(last + 1)
      .slice(-MOST_WAITING)
      .map((exchange) => ({
        kind: 'request',
        session: exchange.session,
        // Read when it is sent.
        get entry() {
          return exchange.entry
        },
      }))
  }

  /** Sends events until the session ends, the client disconnects, or it reads too slowly. */
  async function sendEvents(
    stream: SSEStreamingApi,
    admin: AdminRequest,
    { session, isPendingWanted }: { readonly session: string; readonly isPendingWanted: boolean },
  ): Promise<void> {
    // Readers in this process may transfer the bytes, so each gets its own.
    const isOverSocket = admin.exchange.connection !== undefined
    const waiting = new Fifo<MockEvent>()
    let isLast = false
    let isHeartbeatDue = false
    let wake: (() => void) | undefined

    for (const event of findMissed(session, admin.headers.get('Last-Event-ID'))) waiting.push(event)
    if (isPendingWanted) for (const event of events.findPending(session)) waiting.push(event)
    const unsubscribe = events.subscribe({
      session,
      onEvent(event) {
        if (event.kind === 'pending' && !isPendingWanted) return
        waiting.push(event)
        wake?.()
        if (waiting.size <= MOST_WAITING || stream.aborted) return
        stream.abort()
        onNotice(
          'Ended an event stream whose client reads too slowly. A client that reconnects with Last-Event-ID gets the requests that it missed.',
        )
      },
      end() {
        isLast = true
        wake?.()
      },
    })
    const timer = setInterval(() => {
      isHeartbeatDue = true
      wake?.()
    }, HEARTBEAT)
    // In Node, the timer must not keep the process alive.
    if (typeof timer === 'object') timer.unref()
    const stopListening = admin.onAbort(() => stream.abort())
    function stop(): void {
      unsubscribe()
      stopListening()
      clearInterval(timer)
      wake?.()
    }
    stream.onAbort(stop)

    /** Sends the next event or a heartbeat, or waits for one. Returns whether there may be more. */
    async function sendNext(): Promise<boolean> {
      const event = waiting.shift()
      if (event !== undefined) {
        if (slice.isOver()) await slice.next()
        const bytes = toBytes(event.kind === 'request' ? event.entry : event)
        await stream.write(isOverSocket ? bytes : bytes.slice())
      } else if (isLast) return false
      else if (isHeartbeatDue) {
        isHeartbeatDue = false
        await stream.write(': still here\n\n')
      } else await new Promise<void>((resolve) => (wake = resolve))
      return !stream.aborted
    }

    await stream.write(`retry: ${RETRY}\n\n`)
    let isOpen = !stream.aborted
    // oxlint-disable-next-line no-await-in-loop -- events are sent in order
    while (isOpen) isOpen = await sendNext()
    stop()
  }

  return {
    'GET /events': (admin, _param, c) => {
      const name = admin.query.get('session') ?? admin.session.name
      if (name !== EVERY_SESSION && !admin.session.isArchived) expectName(name, 'session')
      const wanted = { session: name, isPendingWanted: readSwitch(admin.query, 'pending') }
      if (admin.method !== 'HEAD' && events.size >= MAX_STREAMS)
        throw problem.overCapacity(`Event stream limit (${MAX_STREAMS}) reached. Close one.`)
      // Turns off buffering in nginx.
      const headers = { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' }
      if (admin.method === 'HEAD') return new Response(null, { headers })
      const { body } = streamSSE(c, (stream) => sendEvents(stream, admin, wanted))
      // Without Hono's headers for the connection: the server knows the HTTP version.
      return new Response(body, { headers })
    },
  }
}
