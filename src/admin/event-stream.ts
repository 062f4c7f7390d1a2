import type { Events, MockEvent } from '../sessions/events.ts'
import type { Turns } from '../util/turns.ts'
import type { EventQueues, QueuedEvent } from './event-queues.ts'
import type { EventTexts } from './event-texts.ts'

/** How often a comment is sent, in milliseconds, so that proxies do not close an idle stream. */
export const HEARTBEAT = 15_000
/** How long a browser waits before it reconnects, in milliseconds. */
const RETRY = 1000

/** The headers of an event stream; nginx must not buffer it. */
export const EVENT_HEADERS = { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' }

/** What all streams share. */
export interface SharedByStreams {
  readonly queues: EventQueues
  readonly toText: EventTexts
  readonly turns: Turns
}

interface EventStreamParts extends SharedByStreams {
  readonly events: Events
  /** A name, or `*`. */
  readonly session: string
  /** Events that are sent before new ones. */
  readonly missed: readonly QueuedEvent[]
  /** Whether to include requests without a response. */
  readonly isPendingWanted: boolean
  /** Whether a server writes the stream to a socket. A reader in this process gets copies, for it may do with them what it wants. */
  readonly isOverSocket: boolean
  /** Calls a listener when the reader disconnects; returns a function that removes it. */
  readonly onAbort: (listener: () => void) => () => void
}

const encoder = new TextEncoder()

/** Streams events. Each is written only when the reader asks for more, so that for a slow reader events wait, not their texts. */
export function streamEvents(parts: EventStreamParts): Response {
  const { events, session, missed, isPendingWanted, isOverSocket, queues, toText, turns, onAbort } = parts
  let controller: ReadableStreamDefaultController<Uint8Array>
  /** No more events come. */
  let isLast = false
  let isOver = false
  /** Ends a wait for the next event; does nothing while events are being sent. */
  let wake: ((reason: 'heartbeat' | 'change') => void) | undefined

  function leave(): void {
    if (isOver) return
    isOver = true
    unsubscribe()
    stopListening()
    clearInterval(timer)
    queue.close()
    wake?.('change')
  }
  function close(): void {
    if (isOver) return
    leave()
    controller.close()
  }
  function finish(): void {
    isLast = true
    wake?.('change')
  }
  function hear(event: MockEvent): void {
    if (event.kind === 'pending' && !isPendingWanted) return
    // The reader gets the rest when it reconnects.
    if (isLast) close()
    else queue.add(event)
    wake?.('change')
  }

  const queue = queues.open(close)
  isLast = !missed.every((queued) => queue.addIfRoom(queued))
  const unsubscribe = events.subscribe({ session, hear, end: finish })
  const stopListening = onAbort(close)
  const timer = setInterval(() => wake?.('heartbeat'), HEARTBEAT)
  // In Node the timer must not keep the process alive.
  if (typeof timer === 'object') timer.unref()

  /** The text of the next event, or a heartbeat; undefined at the end. */
  async function next(): Promise<Uint8Array | undefined> {
    for (;;) {
      if (isOver) return undefined
      const queued = queue.shift()
      if (queued !== undefined) {
        const turn = turns.take(queued.bytes)
        if (turn !== undefined) await turn
        const text = toText(queued.event)
        return isOverSocket ? text : text.slice()
      }
      if (isLast) return undefined
      const reason = await new Promise<'heartbeat' | 'change'>((resolve) => (wake = resolve))
      if (reason === 'heartbeat') return encoder.encode(': still here\n\n')
    }
  }

  const body = new ReadableStream<Uint8Array>(
    {
      start(started) {
        controller = started
        controller.enqueue(encoder.encode(`retry: ${RETRY}\n\n`))
      },
      async pull() {
        const text = await next()
        if (isOver) return
        if (text === undefined) close()
        else controller.enqueue(text)
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { headers: EVENT_HEADERS })
}
