import { Queue } from '../util/queue.ts'
import type { JournalEntry } from './entry.ts'
import { KeptExchange } from './kept-exchange.ts'
import { createToEntry } from './record.ts'
import type { ExchangeRecord } from './record.ts'
import type { Redactor } from './redact.ts'

interface JournalsParts {
  /** How many exchanges each journal keeps: one more, and its oldest goes. 0: none. */
  readonly capacity: number
  /** How many bytes all journals keep together: past it the oldest exchange of all of them goes. */
  readonly maxBytes: number
  /** Called when an exchange is first read, not when it is recorded. */
  readonly newId: () => string
  readonly redactor: Redactor
}

/** The last exchanges of a session. */
export interface Journal {
  /** Keeps an exchange, and returns what reads it. Nothing is parsed or redacted until then. */
  record(record: ExchangeRecord): { readonly entry: JournalEntry }
  /** Oldest first. */
  entries(): JournalEntry[]
  /** As {@link entries}, but each is read when its entry is asked for. */
  exchanges(): readonly Readonly<KeptExchange>[]
  /** Newest first; each is read when it is asked for. */
  newest(): Iterable<JournalEntry>
  find(id: string): JournalEntry | undefined
  clear(): void
  /** Removes the entries that the predicate holds for, and returns them, oldest first. */
  remove(predicate: (entry: JournalEntry) => boolean): JournalEntry[]
  readonly size: number
  /** How many exchanges went for later ones since the journal was last cleared. */
  readonly dropped: number
}

/** The journals of all sessions. */
export interface Journals {
  /** Opens the journal of one more session. */
  open(): Journal
  /** How many bytes all journals keep. */
  readonly bytes: number
}

/** One session's exchanges, the oldest first. */
interface Kept {
  readonly exchanges: Queue<EntryPlace>
  dropped: number
}

/** An exchange, and whose it is. */
interface EntryPlace {
  readonly exchange: KeptExchange
  readonly kept: Kept
}

/** Creates the journals of a mock: each bounded in exchanges, all of them together in bytes. */
export function createJournals({ capacity, maxBytes, newId, redactor }: JournalsParts): Journals {
  const toEntry = createToEntry(redactor, newId)
  const all = new Queue<EntryPlace>()
  let bytes = 0
  const isTooMuch = () => bytes > maxBytes

  function remove(place: EntryPlace): void {
    all.delete(place)
    place.kept.exchanges.delete(place)
    bytes -= place.exchange.bytes
  }

  function dropOldest(places: Queue<EntryPlace>): void {
    const oldest = places.shift()
    if (oldest === undefined) return
    remove(oldest)
    oldest.kept.dropped += 1
  }

  function add(place: EntryPlace): void {
    all.add(place)
    place.kept.exchanges.add(place)
    bytes += place.exchange.bytes
    if (place.kept.exchanges.size > capacity) dropOldest(place.kept.exchanges)
    while (isTooMuch()) dropOldest(all)
  }

  function open(): Journal {
    const kept: Kept = { exchanges: new Queue(), dropped: 0 }
    const entries = () => kept.exchanges.toArray().map(({ exchange }) => exchange.entry)
    return {
      record(record) {
        const exchange = new KeptExchange(record, toEntry)
        if (capacity > 0) add({ exchange, kept })
        return exchange
      },
      entries,
      exchanges: () => kept.exchanges.toArray().map(({ exchange }) => exchange),
      *newest() {
        for (const { exchange } of kept.exchanges.toArray().toReversed()) yield exchange.entry
      },
      find: (id) => kept.exchanges.toArray().find(({ exchange }) => exchange.id === id)?.exchange.entry,
      clear() {
        for (const place of kept.exchanges.toArray()) remove(place)
        kept.dropped = 0
      },
      remove(predicate) {
        const removed = kept.exchanges.toArray().filter(({ exchange }) => predicate(exchange.entry))
        for (const place of removed) remove(place)
        return removed.map(({ exchange }) => exchange.entry)
      },
      get size() {
        return kept.exchanges.size
      },
      get dropped() {
        return kept.dropped
      },
    }
  }

  return {
    open,
    get bytes() {
      return bytes
    },
  }
}
