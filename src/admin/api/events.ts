import { stringifyJson } from '../../service/http/json.ts'
import { toServeEvent } from '../../sessions/journal/wiremock-json.ts'
import { problem } from '../../errors.ts'
import { EVERY_SESSION } from '../../sessions/events.ts'
import type { Events, MockEvent } from '../../sessions/events.ts'
import { expectName } from '../../sessions/sessions.ts'
import { timeSlices } from '../../util/time-slices.ts'
import type { TimeSlice } from '../../util/time-slices.ts'
import { readSwitch } from './request.ts'
import type { AdminRequest, AdminParts, AdminRoutes } from './request.ts'
import type { KeptExchange } from '../../sessions/journal/record.ts'

/** Interval between comments, in milliseconds: they keep proxies from closing an idle stream. */
export const HEARTBEAT = 15_000
/** How long browsers wait before they reconnect, in milliseconds. */
const RETRY = 1000

/** The headers of an event stream; the second one turns off buffering in nginx. */
export const EVENT_HEADERS = { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' }

const encoder = new TextEncoder()

/**
 * Streams events. Each is serialized only when the client is ready for it, so slow clients queue events, not their text.
 *
 * @param parts.session a name, or `*`
 * @param parts.missed events to send before new ones
 * @param parts.isPendingWanted whether to include pending requests
 * @param parts.isOverSocket whether a server writes the stream to a socket. Readers in this process get copies, since they
 * may transfer the bytes
 * @param parts.onAbort calls a listener when the client disconnects; returns a function that removes it
 */
function streamEvents(parts: {
  readonly queues: ReturnType<typeof createEventQueues>
  readonly toEventText: ReturnType<typeof createEventTexts>
  readonly slice: TimeSlice
  readonly events: Events
  readonly session: string
  readonly missed: readonly QueuedEvent[]
  readonly isPendingWanted: boolean
  readonly isOverSocket: boolean
  readonly onAbort: (listener: () => void) => () => void
}): Response {
  const { events, session, missed, isPendingWanted, isOverSocket, queues, toEventText, slice, onAbort } = parts
  let controller: ReadableStreamDefaultController<Uint8Array>
  /** No more events will be queued. */
  let isLast = false
  let isOver = false
  /** Ends the wait for the next event; does nothing while events are being sent. */
  let wake: ((reason: 'heartbeat' | 'change') => void) | undefined

  function stop(): void {
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
    stop()
    controller.close()
  }
  function finish(): void {
    isLast = true
    wake?.('change')
  }
  function receive(event: MockEvent): void {
    if (event.kind === 'pending' && !isPendingWanted) return
    // The client gets the rest when it reconnects.
    if (isLast) close()
    else queue.add(event)
    wake?.('change')
  }

  const queue = queues.open(close)
  isLast = !missed.every((queued) => queue.tryAdd(queued))
  const unsubscribe = events.subscribe({ session, onEvent: receive, end: finish })
  const stopListening = onAbort(close)
  const timer = setInterval(() => wake?.('heartbeat'), HEARTBEAT)
  // In Node, the timer must not keep the process alive.
  if (typeof timer === 'object') timer.unref()

  /** The text of the next event, or a heartbeat; undefined at the end of the stream. */
  async function next(): Promise<Uint8Array | undefined> {
    for (;;) {
      if (isOver) return undefined
      const queued = queue.shift()
      if (queued !== undefined) {
        if (slice.isOver()) await slice.next()
        const text = toEventText(queued.event)
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
      cancel: stop,
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { headers: EVENT_HEADERS })
}

/** Maximum length of a queue. A longer queue ends its stream, and the client may reconnect. */
export const MOST_WAITING = 1000
/**
 * Maximum memory of the events in all queues, in bytes: a queued exchange stays in memory after the journal has dropped it.
 */
const MOST_BYTES = 64 * 1024 * 1024
/** Fixed memory cost of an event. */
const EVENT_BYTES = 1024
/** Memory cost of an event's slot in a queue. */
const SLOT_BYTES = 64

/** A queued event; queues share it. */
interface QueuedEvent {
  readonly event: MockEvent
  /** Approximate memory use. */
  readonly bytes: number
}

function countBytes(event: MockEvent): number {
  if (event.kind !== 'request') return EVENT_BYTES
  const { request, response } = event.entry
  return EVENT_BYTES + 2 * (request.url.length + (request.body?.text.length ?? 0) + (response.body?.text.length ?? 0))
}

interface OpenQueue {
  readonly slots: QueuedEvent[]
  readonly onEnd: () => void
}

/**
 * Creates the event queues of all streams. They share a memory limit; when it is exceeded, the slowest streams end first.
 *
 * @param onEnded called once with the number of queues that end together
 */
export function createEventQueues(onEnded: (queues: number) => void, mostBytes = MOST_BYTES) {
  const queues = new Set<OpenQueue>()
  /** Number of queues that contain each event; oldest event first. */
  const holders = new Map<QueuedEvent, number>()
  const shared = new WeakMap<MockEvent, QueuedEvent>()
  let bytes = 0
  let ended = 0

  function share(event: MockEvent): QueuedEvent {
    let queued = shared.get(event)
    if (queued === undefined) {
      queued = { event, bytes: countBytes(event) }
      shared.set(event, queued)
    }
    return queued
  }

  function hold(queued: QueuedEvent): void {
    const count = holders.get(queued) ?? 0
    bytes += SLOT_BYTES + (count === 0 ? queued.bytes : 0)
    holders.set(queued, count + 1)
  }

  function release(queued: QueuedEvent): void {
    const count = (holders.get(queued) ?? 0) - 1
    bytes -= SLOT_BYTES + (count === 0 ? queued.bytes : 0)
    if (count === 0) holders.delete(queued)
    else holders.set(queued, count)
  }

  function close(queue: OpenQueue): void {
    queues.delete(queue)
    for (const queued of queue.slots.splice(0)) release(queued)
  }

  function report(): void {
    onEnded(ended)
    ended = 0
  }

  function end(queue: OpenQueue): void {
    close(queue)
    if (ended === 0) queueMicrotask(report)
    ended += 1
    queue.onEnd()
  }

  /** Ends all queues that still contain the oldest event. */
  function endSlowest(oldest: QueuedEvent): void {
    for (const queue of queues) if (queue.slots.includes(oldest)) end(queue)
  }

  return {
    /**
     * Opens a stream's queue.
     *
     * @param onEnd called when the queue ends because its client is too slow
     */
    open(onEnd: () => void) {
      const queue: OpenQueue = { slots: [], onEnd }
      queues.add(queue)
      return {
        /** Adds an event. When memory is full, closes the queues that are furthest behind, which may include this one. */
        add(event: MockEvent): void {
          if (!queues.has(queue)) return
          const queued = share(event)
          queue.slots.push(queued)
          hold(queued)
          if (queue.slots.length > MOST_WAITING) end(queue)
          for (const oldest of holders.keys()) {
            if (bytes <= mostBytes) break
            endSlowest(oldest)
          }
        },
        /** Adds an event unless memory is full. Returns whether it was added. */
        tryAdd(queued: QueuedEvent): boolean {
          const more = SLOT_BYTES + (holders.has(queued) ? 0 : queued.bytes)
          if (queue.slots.length >= MOST_WAITING || bytes + more > mostBytes) return false
          queue.slots.push(queued)
          hold(queued)
          return true
        },
        /** Removes and returns the oldest event. */
        shift(): QueuedEvent | undefined {
          const queued = queue.slots.shift()
          if (queued !== undefined) release(queued)
          return queued
        },
        close: (): void => close(queue),
      }
    },
    /** Memory of the queued events. An event in several queues counts once. */
    get bytes(): number {
      return bytes
    },
  }
}

/** Maximum size of the cached event texts, in bytes: enough for streams that read at about the same speed. */
const MOST_TEXT_BYTES = 8 * 1024 * 1024

/** Formats a server-sent event (HTML Living Standard, section 9.2.5). Its JSON is a single line. */
function toText(event: MockEvent): string {
  if (event.kind === 'request') {
    // Only requests can be sent again after a reconnect, so only they have an id.
    return `event: request\ndata: ${stringifyJson(toServeEvent(event.entry))}\nid: ${event.entry.id}\n\n`
  }
  const { kind, ...members } = event
  return `event: ${kind}\ndata: ${stringifyJson(members)}\n\n`
}

/** Creates a function that serializes each event once for all streams. */
function createEventTexts() {
  const texts = new Map<object, Uint8Array>()
  let kept = 0

  return function toEventText(event: MockEvent): Uint8Array {
    // Each missed request is a new event for the same entry.
    const key = event.kind === 'request' ? event.entry : event
    const known = texts.get(key)
    if (known !== undefined) return known
    const text = encoder.encode(toText(event))
    texts.set(key, text)
    kept += text.byteLength
    for (const [oldest, { byteLength }] of texts) {
      if (kept <= MOST_TEXT_BYTES) break
      texts.delete(oldest)
      kept -= byteLength
    }
    return text
  }
}

/** Maximum number of open streams. */
const MAX_STREAMS = 1000

function readSession({ query, session }: AdminRequest): string {
  const name = query.get('session') ?? session.name
  if (name !== EVERY_SESSION && !session.isArchived) expectName(name, 'session')
  return name
}

export function createEventRoutes({ events, journals, sessions, onNotice }: AdminParts): AdminRoutes {
  const shared = {
    queues: createEventQueues((streams) =>
      onNotice(
        `Ended ${streams === 1 ? 'an event stream whose client reads' : `${streams} event streams whose clients read`} too slowly. A client that reconnects with Last-Event-ID gets the requests that it missed.`,
      ),
    ),
    toEventText: createEventTexts(),
    /** All streams share a slice, since each gets an event at the same moment. */
    slice: timeSlices.start(),
  }
  const queued = new WeakMap<object, QueuedEvent>()

  /** A missed request, shared by all streams that send it. Its entry is read on sending. */
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
   * The requests after the last one that the client received, or everything in the journal if that request was dropped.
   * They are in order of completion, as for a client that stays connected.
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

  return {
    'GET /events': (admin) => {
      const session = readSession(admin)
      if (admin.method === 'HEAD') return new Response(null, { headers: EVENT_HEADERS })
      if (events.size >= MAX_STREAMS) {
        throw problem.overCapacity(`Event stream limit (${MAX_STREAMS}) reached. Close one.`)
      }
      const isPendingWanted = readSwitch(admin.query, 'pending')
      const missed = findMissed(session, admin.headers.get('Last-Event-ID'))
      const isOverSocket = admin.exchange.connection !== undefined
      return streamEvents({ ...shared, events, session, missed, isPendingWanted, isOverSocket, onAbort: admin.onAbort })
    },
  }
}
