import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { Events, MockEvent } from '../sessions/events.ts'
import { pause } from '../util/pause.ts'
import { stringifyJson } from '../http/json.ts'
import { toServeEvent } from '../journal/wiremock-json.ts'
import { MOST_WAITING, createWaitingEvents } from './waiting-events.ts'
import type { AdminEnv } from './request.ts'
import type { Backlog } from './waiting-events.ts'

/** How often a comment is sent, in milliseconds, so that proxies do not close an idle stream. */
export const HEARTBEAT = 15_000
/** How long a browser waits before it reconnects, in milliseconds. */
const RETRY = 1000

/** After this many bytes, other requests get a turn. */
const PAUSE_AFTER = 256 * 1024

function toData(event: MockEvent): unknown {
  if (event.kind === 'request') return toServeEvent(event.entry)
  const { kind: _named, ...members } = event
  return members
}

/** The headers of an event stream; nginx must not buffer it. */
export const EVENT_HEADERS = { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' }

interface EventStreamParts {
  readonly events: Events
  /** A name, or `*`. */
  readonly session: string
  /** Events that are sent before new ones. */
  readonly missed: readonly MockEvent[]
  /** Whether requests without a response are told, too. */
  readonly isPendingWanted: boolean
  /** Shared by all streams. */
  readonly backlog: Backlog
  /** Calls a listener when the reader disconnects; returns a function that removes it. */
  readonly onAbort: (listener: () => void) => () => void
}

/** Streams events. Each is written only when the reader asks for more, so that for a slow reader events wait, not their texts. */
export function streamEvents(context: Context<AdminEnv>, parts: EventStreamParts): Response {
  const { events, session, missed, isPendingWanted, backlog, onAbort } = parts
  const { body } = streamSSE(context, async (stream) => {
    const waiting = createWaitingEvents(backlog)
    // If they do not all fit, the reader gets the rest when it reconnects.
    let isLast = !missed.slice(-MOST_WAITING).every((event) => waiting.add(event))
    /** Ends a wait for the next event; does nothing while events are being sent. */
    let wake: ((reason: 'heartbeat' | 'change') => void) | undefined
    let sincePause = 0

    function finish(): void {
      isLast = true
      wake?.('change')
    }
    function hear(event: MockEvent): void {
      if (event.kind === 'pending' && !isPendingWanted) return
      if (isLast || !waiting.add(event)) stream.abort()
      wake?.('change')
    }
    const unsubscribe = events.subscribe({ session, hear, end: finish })
    const stopListening = onAbort(() => stream.abort())
    const timer = setInterval(() => wake?.('heartbeat'), HEARTBEAT)
    // In Node the timer must not keep the process alive.
    if (typeof timer === 'object') timer.unref()
    stream.onAbort(() => {
      unsubscribe()
      clearInterval(timer)
      stopListening()
      waiting.clear()
      wake?.('change')
    })
    await stream.write(`retry: ${RETRY}\n\n`)
    while (!stream.aborted) {
      const event = waiting.shift()
      if (event === undefined) {
        if (isLast) break
        const reason = await new Promise<'heartbeat' | 'change'>((resolve) => (wake = resolve))
        if (reason === 'heartbeat') await stream.write(': still here\n\n')
        continue
      }
      const data = stringifyJson(toData(event))
      // Only requests can be sent again, so only they have an id.
      await stream.writeSSE({ event: event.kind, data, ...(event.kind === 'request' ? { id: event.entry.id } : {}) })
      // A reader that missed many events must not hold up other requests.
      sincePause += data.length
      if (sincePause > PAUSE_AFTER) {
        sincePause = 0
        await pause()
      }
    }
    stream.abort()
  })
  // Without the connection headers of streamSSE, which HTTP/2 refuses.
  return new Response(body, { headers: EVENT_HEADERS })
}
