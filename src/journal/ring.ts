import type { JournalEntry } from './entry.ts'
import { toEntry, toWaitingRecord } from './record.ts'
import type { ExchangeRecord, WaitingRecord } from './record.ts'

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

/** An exchange as it was recorded, or, once someone has read it, its entry instead. */
type Slot = WaitingRecord | JournalEntry

export function createJournal({ capacity, newId }: JournalParts): Journal {
  const listeners = new Set<(entry: JournalEntry) => void>()
  /** Grows up to the capacity, then goes round: a session that sees little traffic takes little room. */
  let slots: Slot[] = []
  /** Where the next exchange goes, and the oldest stands, once all slots are taken. */
  let next = 0

  function read(index: number, slot: Slot): JournalEntry {
    if ('id' in slot) return slot
    const entry = toEntry(slot, newId())
    slots[index] = entry
    return entry
  }

  function readAll(): JournalEntry[] {
    const entries = slots.map((slot, index) => read(index, slot))
    return next === 0 ? entries : [...entries.slice(next), ...entries.slice(0, next)]
  }

  return {
    record(draft) {
      if (capacity === 0 && listeners.size === 0) return
      const record = toWaitingRecord(draft)
      let slot: Slot = record
      if (listeners.size > 0) {
        slot = toEntry(record, newId())
        for (const listener of listeners) listener(slot)
      }
      if (slots.length < capacity) slots.push(slot)
      else if (capacity > 0) {
        slots[next] = slot
        next = (next + 1) % capacity
      }
    },
    entries: readAll,
    find: (id) => readAll().find((entry) => entry.id === id),
    clear() {
      slots = []
      next = 0
    },
    remove(predicate) {
      const removed: JournalEntry[] = []
      const kept: JournalEntry[] = []
      for (const entry of readAll()) (predicate(entry) ? removed : kept).push(entry)
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
