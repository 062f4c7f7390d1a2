import { Queue } from '../util/queue.ts'
import type { MockEvent } from '../sessions/events.ts'

/** So many events are kept for a reader who is slower than what happens; past it the stream ends, for him to come again. */
export const MOST_WAITING = 1000
/** What waits for all readers together may take so many bytes: an exchange that waits is kept when the journal has dropped it. */
const MOST_BYTES = 64 * 1024 * 1024
/** For the objects of an event, whatever is in them. */
const EVENT_BYTES = 1024

/** What waits for the readers of all streams. */
export interface Backlog {
  bytes: number
}

/** What waits for the reader of one stream, the oldest first. */
export interface WaitingEvents {
  /** Returns whether there was room. */
  add(event: MockEvent): boolean
  shift(): MockEvent | undefined
  clear(): void
}

function countBytes(event: MockEvent): number {
  if (event.kind !== 'request') return EVENT_BYTES
  const { request, response } = event.entry
  return EVENT_BYTES + 2 * (request.url.length + (request.body?.text.length ?? 0) + (response.body?.text.length ?? 0))
}

export function createWaitingEvents(backlog: Backlog, mostBytes = MOST_BYTES): WaitingEvents {
  // Each event waits with a wrapper of its own: the same one may come twice.
  const waiting = new Queue<{ readonly event: MockEvent; readonly bytes: number }>()

  function shift(): MockEvent | undefined {
    const oldest = waiting.shift()
    backlog.bytes -= oldest?.bytes ?? 0
    return oldest?.event
  }

  return {
    add(event) {
      const bytes = countBytes(event)
      if (waiting.size >= MOST_WAITING || backlog.bytes + bytes > mostBytes) return false
      waiting.add({ event, bytes })
      backlog.bytes += bytes
      return true
    },
    shift,
    clear() {
      while (shift() !== undefined);
    },
  }
}
