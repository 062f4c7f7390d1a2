import { Queue } from '../util/queue.ts'
import type { JournalEntry } from './entry.ts'
import { KeptExchange, countBytes, toBytes, createToEntry } from './record.ts'
import type { RecordedExchange } from './record.ts'
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
  record(exchange: RecordedExchange): { readonly entry: JournalEntry }
  /**
   * Takes over an entry of an earlier run, or of another mock.
   *
   * @param characters the length of its JSON text
   * @param recordedAt tells its place among those of other sessions, in milliseconds
   */
  restore(entry: JournalEntry, characters: number, recordedAt?: number): void
  /** Oldest first. Each is read when its entry is asked for: `readEntries` reads several. */
  exchanges(): readonly KeptExchange[]
  /** Finds an entry without reading any other. */
  find(id: string): JournalEntry | undefined
  clear(): void
  /** Frees what it keeps in this process. */
  release(): void
  /** Removes the entries with these ids without reading any other, and returns them, oldest first. */
  remove(ids: ReadonlySet<string>): readonly JournalEntry[]
  readonly size: number
  /** How many exchanges went for later ones since the journal was last cleared. */
  readonly dropped: number
}

/** The journals of all sessions. */
export interface Journals {
  /** Opens the journal of one more session. */
  open(): Journal
  /** Those of all journals, in the order in which they came. */
  exchanges(): readonly KeptExchange[]
  /** What reads an exchange that no journal keeps. */
  read(exchange: RecordedExchange): { readonly entry: JournalEntry }
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

  const read = (exchange: RecordedExchange): KeptExchange => new KeptExchange(exchange, toEntry, countBytes(exchange))

  function open(): Journal {
    const kept: Kept = { exchanges: new Queue(), dropped: 0 }
    function clear(): void {
      for (const place of kept.exchanges.toArray()) remove(place)
      kept.dropped = 0
    }
    return {
      record(recorded) {
        const exchange = read(recorded)
        if (capacity > 0) add({ exchange, kept })
        return exchange
      },
      restore(entry, characters, recordedAt) {
        if (capacity === 0) return
        add({ exchange: new KeptExchange(entry, toEntry, toBytes(characters), recordedAt), kept })
      },
      exchanges: () => kept.exchanges.toArray().map(({ exchange }) => exchange),
      find: (id) => kept.exchanges.toArray().find(({ exchange }) => exchange.id === id)?.exchange.entry,
      clear,
      release: clear,
      remove(ids) {
        const removed = kept.exchanges.toArray().filter(({ exchange: { id } }) => id !== undefined && ids.has(id))
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
    exchanges() {
      const exchanges = all.toArray().map(({ exchange }) => exchange)
      // Those of other mocks are read session by session.
      return exchanges.toSorted((one, other) => one.recordedAt - other.recordedAt)
    },
    read,
    get bytes() {
      return bytes
    },
  }
}
