import type { JournalEntry } from './entry.ts'
import { createPacker } from './packer.ts'
import type { Packer } from './packer.ts'
import { toEntry } from './record.ts'
import type { ExchangeRecord } from './record.ts'
import { Ring } from './ring.ts'

interface JournalsParts {
  /** As many exchanges each keeps; past it the oldest goes. 0: none. */
  readonly capacity: number
  /** Called when an entry is first read, not when it is recorded. */
  readonly newId: () => string
}

/** The last exchanges of a session. */
export interface Journal {
  /** Writes down what is there; nothing is parsed or redacted before someone asks. */
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

function createJournal({ capacity, newId, packer }: JournalsParts & { readonly packer: Packer }): Journal {
  const listeners = new Set<(entry: JournalEntry) => void>()
  let ring = new Ring(capacity)

  /** Everything of this session that is kept. */
  function packed(): Ring {
    packer.pack()
    return ring
  }

  function readAll(): JournalEntry[] {
    const all = packed()
    return Array.from({ length: all.size }, (_, at) => all.read(at, newId))
  }

  /** The entry of an exchange that has just been recorded. */
  function read(draft: ExchangeRecord): JournalEntry {
    return capacity > 0 ? packed().read(ring.size - 1, newId) : toEntry(draft, newId())
  }

  return {
    record(draft) {
      if (capacity > 0) packer.add(draft, ring)
      if (listeners.size === 0) return
      const entry = read(draft)
      for (const listener of listeners) listener(entry)
    },
    entries: readAll,
    find: (id) => readAll().find((entry) => entry.id === id),
    clear() {
      ring = new Ring(capacity)
    },
    remove(predicate) {
      const removed: JournalEntry[] = []
      ring = packed().without((entry) => predicate(entry) && removed.push(entry) > 0, newId)
      return removed
    },
    subscribe(listener) {
      // A listener given twice is called twice, and ended one at a time.
      const own = (entry: JournalEntry) => listener(entry)
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    get size() {
      return packed().size
    },
  }
}

/** Makes the journals of a mock's sessions. They write on the same pages; none shows what is another's. */
export function createJournals(parts: JournalsParts): () => Journal {
  const packer = createPacker()
  return () => createJournal({ ...parts, packer })
}
