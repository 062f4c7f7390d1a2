import type { PendingRequest } from '../../sessions/events.ts'
import { toReadable } from '../row.ts'
import { toClockText } from './localize.ts'

/** The requests that have no response yet. */
export interface Pending {
  add(this: void, request: PendingRequest): void
  /** It has a response now. */
  remove(correlationId: string): void
  clear(): void
}

/** How many are shown, the newest of them. */
const MOST_LINES = 5

function toLine(text: string): HTMLLIElement {
  const line = document.createElement('li')
  line.textContent = text
  return line
}

/** Lists requests below the list, where no row moves. Other views do not have the list. */
export function createPending(list: HTMLElement | null): Pending {
  const requests = new Map<string, PendingRequest>()

  function show(): void {
    if (list === null) return
    const lines = Array.from(requests.values(), ({ method, url, time }) =>
      toLine(`… ${method} ${toReadable(url)} since ${toClockText(time)}`),
    ).toReversed()
    const more = lines.length - MOST_LINES
    list.replaceChildren(...lines.slice(0, MOST_LINES), ...(more > 0 ? [toLine(`… ${more} more`)] : []))
    list.hidden = lines.length === 0
  }

  return {
    add(request) {
      requests.set(request.correlationId, request)
      show()
    },
    remove(correlationId) {
      if (requests.delete(correlationId)) show()
    },
    clear() {
      requests.clear()
      show()
    },
  }
}
