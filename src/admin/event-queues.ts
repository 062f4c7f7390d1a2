import type { MockEvent } from '../sessions/events.ts'

/** At most this many events wait in a queue; after that it ends, and the client may reconnect. */
export const MOST_WAITING = 1000
/** The most that events of all queues may use, in bytes: an exchange that waits stays in memory after the journal has dropped it. */
const MOST_BYTES = 64 * 1024 * 1024
/** For the objects of an event, whatever is in them. */
const EVENT_BYTES = 1024
/** For the place of an event in a queue. */
const PLACE_BYTES = 64

/** An event that waits; queues share it. */
export interface QueuedEvent {
  readonly event: MockEvent
  /** About what it uses in memory. */
  readonly bytes: number
}

/** The events that wait for the client of one stream, oldest first. */
export interface EventQueue {
  /** Adds an event. Without room for it, the queues that are furthest behind end, which may be this one. */
  add(event: MockEvent): void
  /** Adds an event only if there is room; returns whether there was. */
  addIfRoom(queued: QueuedEvent): boolean
  shift(): QueuedEvent | undefined
  /** Drops what waits. */
  close(): void
}

/** The events that wait for the clients of all streams. */
export interface EventQueues {
  /** @param onEnd called when the queue ends because its client is too slow */
  open(onEnd: () => void): EventQueue
  /** What the waiting events use in memory. An event that waits in several queues counts once. */
  readonly bytes: number
}

interface EventQueuesParts {
  /** Called once for the queues that end together. */
  readonly onEnded: (queues: number) => void
  readonly mostBytes?: number
}

function countBytes(event: MockEvent): number {
  if (event.kind !== 'request') return EVENT_BYTES
  const { request, response } = event.entry
  return EVENT_BYTES + 2 * (request.url.length + (request.body?.text.length ?? 0) + (response.body?.text.length ?? 0))
}

interface OpenQueue {
  readonly places: QueuedEvent[]
  readonly onEnd: () => void
}

/** Creates queues that are limited together: a client that does not read costs the others nothing. */
export function createEventQueues({ onEnded, mostBytes = MOST_BYTES }: EventQueuesParts): EventQueues {
  const queues = new Set<OpenQueue>()
  /** In how many queues an event waits; oldest first. */
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
    bytes += PLACE_BYTES + (count === 0 ? queued.bytes : 0)
    holders.set(queued, count + 1)
  }

  function release(queued: QueuedEvent): void {
    const count = (holders.get(queued) ?? 0) - 1
    bytes -= PLACE_BYTES + (count === 0 ? queued.bytes : 0)
    if (count === 0) holders.delete(queued)
    else holders.set(queued, count)
  }

  function close(queue: OpenQueue): void {
    queues.delete(queue)
    for (const queued of queue.places.splice(0)) release(queued)
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

  /** Ends all queues that still have the event that has waited longest. */
  function endSlowest(oldest: QueuedEvent): void {
    for (const queue of queues) if (queue.places.includes(oldest)) end(queue)
  }

  return {
    open(onEnd) {
      const queue: OpenQueue = { places: [], onEnd }
      queues.add(queue)
      return {
        add(event) {
          if (!queues.has(queue)) return
          const queued = share(event)
          queue.places.push(queued)
          hold(queued)
          if (queue.places.length > MOST_WAITING) end(queue)
          for (const oldest of holders.keys()) {
            if (bytes <= mostBytes) break
            endSlowest(oldest)
          }
        },
        addIfRoom(queued) {
          const more = PLACE_BYTES + (holders.has(queued) ? 0 : queued.bytes)
          if (queue.places.length >= MOST_WAITING || bytes + more > mostBytes) return false
          queue.places.push(queued)
          hold(queued)
          return true
        },
        shift() {
          const queued = queue.places.shift()
          if (queued !== undefined) release(queued)
          return queued
        },
        close: () => close(queue),
      }
    },
    get bytes() {
      return bytes
    },
  }
}
