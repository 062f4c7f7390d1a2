import type { Events, MockEvent } from '../sessions/events.ts'
import { pause } from '../util/pause.ts'
import { stringifyJson } from '../http/json.ts'
import { toServeEvent } from '../journal/wiremock-json.ts'
import { MOST_WAITING, createWaitingEvents } from './waiting-events.ts'
import type { Backlog } from './waiting-events.ts'

/** How often a comment is sent, in milliseconds, so that proxies do not close an idle stream. */
export const HEARTBEAT = 15_000
/** How long a browser waits before it reconnects, in milliseconds. */
const RETRY = 1000

/** After this many bytes, other requests get a turn. */
const PAUSE_AFTER = 256 * 1024

const encoder = new TextEncoder()

function toData(event: MockEvent): unknown {
  if (event.kind === 'request') return toServeEvent(event.entry)
  const { kind: _named, ...members } = event
  return members
}

/** The text of an event (HTML standard, section 9.2.6). Only requests can be sent again, so only they have an id. */
function toText(event: MockEvent): string {
  const id = event.kind === 'request' ? `id: ${event.entry.id}\n` : ''
  return `${id}event: ${event.kind}\ndata: ${stringifyJson(toData(event))}\n\n`
}

interface EventStreamParts {
  readonly events: Events
  /** A name, or `*`. */
  readonly session: string
  /** Events that are sent before new ones. */
  readonly missed: readonly MockEvent[]
  /** Shared by all streams. */
  readonly backlog: Backlog
  /** Calls a listener when the reader disconnects; returns a function that removes it. */
  readonly onAbort: (listener: () => void) => () => void
}

/**
 * Opens a stream of server-sent events. Each is written only when the reader asks for more, so that for a slow reader events
 * wait, not their texts.
 */
export function openEventStream({
  events,
  session,
  missed,
  backlog,
  onAbort,
}: EventStreamParts): ReadableStream<Uint8Array> {
  const waiting = createWaitingEvents(backlog)
  // If there is no room for all, the reader gets the rest when it reconnects.
  const isLast = !missed.slice(-MOST_WAITING).every((event) => waiting.add(event))
  let isWanted = false
  let sincePause = 0
  let stop: (() => void) | undefined

  return new ReadableStream<Uint8Array>({
    start(controller) {
      function send(text: string): void {
        isWanted = false
        controller.enqueue(encoder.encode(text))
      }

      function end(): void {
        stop?.()
        controller.close()
      }

      /** Sends what is still waiting, such as the end of the session, and closes the stream. */
      function finish(): void {
        for (let event = waiting.shift(); event !== undefined; event = waiting.shift()) {
          controller.enqueue(encoder.encode(toText(event)))
        }
        end()
      }

      function hear(event: MockEvent): void {
        if (isWanted) send(toText(event))
        else if (isLast || !waiting.add(event)) end()
      }

      const unsubscribe = events.subscribe({ session, hear, end: finish })
      const stopListening = onAbort(end)
      const timer = setInterval(() => {
        if (isWanted) send(': still here\n\n')
      }, HEARTBEAT)
      // In Node the timer must not keep the process alive.
      if (typeof timer === 'object') timer.unref()
      stop = () => {
        stop = undefined
        unsubscribe()
        clearInterval(timer)
        stopListening()
        waiting.clear()
      }
      send(`retry: ${RETRY}\n\n`)
    },
    async pull(controller) {
      // A reader that missed many events must not hold up other requests.
      if (sincePause > PAUSE_AFTER) {
        sincePause = 0
        await pause()
        if (stop === undefined) return
      }
      const next = waiting.shift()
      isWanted = next === undefined
      if (next !== undefined) {
        const bytes = encoder.encode(toText(next))
        sincePause += bytes.length
        controller.enqueue(bytes)
      } else if (isLast) {
        stop?.()
        controller.close()
      }
    },
    cancel() {
      stop?.()
    },
  })
}
