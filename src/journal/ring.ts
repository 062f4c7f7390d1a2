import type { JournalEntry } from './entry.ts'
import type { ExchangeRecord } from './record.ts'
import { Slot } from './slot.ts'

interface JournalParts {
  /** As many exchanges are kept; past it the oldest goes. 0: none. */
  readonly capacity: number
  /** Called when an entry is first read, not when it is recorded. */
  readonly newId: () => string
}

/** The last exchanges of a session. */
export interface Journal {
  /** Keeps references only; nothing is read, copied or redacted before someone asks, unless a body must be cut. */
  record(draft: ExchangeRecord): void
  /** Oldest first. */
  entries(): JournalEntry[]
  find(id: string): JournalEntry | undefined
  clear(): void
  /** Drops the entries that the predicate holds for, and returns them, oldest first. */
  remove(predicate: (entry: JournalEntry) => boolean): JournalEntry[]
  /**
   * Calls the listener with each exchange from now on, even where none is kept. Returns what ends it. The listener must
   * not throw: it runs on the way of the request.
   */
  subscribe(listener: (entry: JournalEntry) => void): () => void
  readonly size: number
}

export function createJournal({ capacity, newId }: JournalParts): Journal {
  const listeners = new Set<(entry: JournalEntry) => void>()
  /** Grows up to the capacity, then goes round: a session that sees little traffic takes little room. */
  let slots: Slot[] = []
  /** Where the next exchange goes, and the oldest stands, once all slots are taken. */
  let next = 0

  /** The slot for the next exchange: a new one, or that of the oldest exchange, which goes. */
  function takeSlot(): Slot {
    const oldest = slots[next]
    if (slots.length < capacity || oldest === undefined) {
      const slot = new Slot()
      if (capacity > 0) slots.push(slot)
      return slot
    }
    next = (next + 1) % capacity
    return oldest
  }

  const inOrder = (): Slot[] => (next === 0 ? slots : [...slots.slice(next), ...slots.slice(0, next)])

  const readAll = (): JournalEntry[] => inOrder().map((slot) => slot.read(newId))

  return {
    record(draft) {
      if (capacity === 0 && listeners.size === 0) return
      const slot = takeSlot()
      slot.hold(draft)
      for (const listener of listeners) listener(slot.read(newId))
    },
    entries: readAll,
    find: (id) => readAll().find((entry) => entry.id === id),
    clear() {
      slots = []
      next = 0
    },
    remove(predicate) {
      const removed: JournalEntry[] = []
      const kept: Slot[] = []
      for (const slot of inOrder()) {
        const entry = slot.read(newId)
        if (predicate(entry)) removed.push(entry)
        else kept.push(slot)
      }
      slots = kept
      next = 0
      return removed
    },
    subscribe(listener) {
      // A listener given twice is called twice, and ended one at a time.
      const own = (entry: JournalEntry) => listener(entry)
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    get size() {
      return slots.length
    },
  }
}
