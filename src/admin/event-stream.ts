import type { Events, MockEvent } from '../sessions/events.ts'
import { pause } from '../query/effort.ts'
import { stringifyJson } from '../http/json.ts'
import { toServeEvent } from '../journal/wiremock-json.ts'
import { MOST_WAITING, createWaitingEvents } from './waiting-events.ts'
import type { Backlog } from './waiting-events.ts'

/** So often something is sent, in milliseconds, lest a proxy takes the stream for dead. */
export const HEARTBEAT = 15_000
/** So soon a browser comes again, in milliseconds. */
const RETRY = 1000

/** After so many bytes others have their turn. */
const PAUSE_AFTER = 256 * 1024

const encoder = new TextEncoder()

function toData(event: MockEvent): unknown {
  if (event.kind === 'request') return toServeEvent(event.entry)
  const { kind: _named, ...members } = event
  return members
}

/** An event as the stream has it (HTML standard, section 9.2.6); only requests can be sent again, so only they have an id. */
function toText(event: MockEvent): string {
  const id = event.kind === 'request' ? `id: ${event.entry.id}\n` : ''
  return `${id}event: ${event.kind}\ndata: ${stringifyJson(toData(event))}\n\n`
}

interface EventStreamParts {
  readonly events: Events
  /** A name, or `*`. */
  readonly session: string
  /** What is sent before what happens from now on. */
  readonly missed: readonly MockEvent[]
  /** Shared by all streams. */
  readonly backlog: Backlog
  /** Has a listener told when the reader is gone; gives what stops listening. */
  readonly onAbort: (listener: () => void) => () => void
}

/**
 * Opens a stream of server-sent events. Each is written when the reader wants it, so that a slow one keeps references
 * waiting, and no texts.
 */
export function openEventStream({
  events,
  session,
  missed,
  backlog,
  onAbort,
}: EventStreamParts): ReadableStream<Uint8Array> {
  const waiting = createWaitingEvents(backlog)
  // What has no room is asked for again by a reader who comes back.
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

      /** Nothing comes any more; what is still waiting, such as that the session has ended, goes first. */
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
      // Where a timer keeps a process alive, this one must not.
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
      // A reader that missed many would have all of them in one go.
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
