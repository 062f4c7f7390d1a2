import type { JournalEntry, RecordedExchange } from './record.ts'
import { Fifo } from '../util/collections.ts'
import { KeptExchange, countBytes, toBytes, createToEntry } from './record.ts'
import type { Redactor } from './redact.ts'

/** The last exchanges of a session. */
export interface Journal {
  /** Keeps an exchange, and returns what reads it. Nothing is parsed or redacted until then. */
  record(exchange: RecordedExchange): { readonly entry: JournalEntry }
  /**
   * Takes over an entry of an earlier run, or of another mock.
   *
   * @param characters the length of its JSON text
   * @param recordedAt orders it among the exchanges of other sessions, in milliseconds
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
  /** How many exchanges were dropped for later ones since the journal was last cleared. */
  readonly dropped: number
}

/** The exchanges of one session, the oldest first. */
interface SessionJournal {
  readonly exchanges: Fifo<KeptExchange>
  dropped: number
}

/** The journals of all sessions. */
export type Journals = ReturnType<typeof createJournals>

/**
 * Creates the journals of a mock. Each journal keeps up to `capacity` exchanges, and all of them together up to `maxBytes`; past
 * a limit the oldest exchange is dropped.
 *
 * @param newId called when an exchange is first read, not when it is recorded
 */
export function createJournals({
  capacity,
  maxBytes,
  newId,
  redactor,
}: {
  readonly capacity: number
  readonly maxBytes: number
  readonly newId: () => string
  readonly redactor: Redactor
}) {
  const toEntry = createToEntry(redactor, newId)
  /** Those with exchanges. */
  const sessions = new Set<SessionJournal>()
  let count = 0
  let bytes = 0

  function dropOldest(kept: SessionJournal): void {
    const oldest = kept.exchanges.shift()
    if (oldest === undefined) return
    bytes -= oldest.bytes
    kept.dropped += 1
    if (kept.exchanges.size === 0) sessions.delete(kept)
  }

  /** The session with the oldest exchange of all. */
  function findOldest(): SessionJournal | undefined {
    let oldest: SessionJournal | undefined
    let least = Infinity
    for (const kept of sessions) {
      const number = kept.exchanges.first?.number ?? Infinity
      if (number < least) [oldest, least] = [kept, number]
    }
    return oldest
  }

  function add(exchange: KeptExchange, kept: SessionJournal): void {
    if (kept.exchanges.size === 0) sessions.add(kept)
    kept.exchanges.push(exchange)
    bytes += exchange.bytes
    if (kept.exchanges.size > capacity) dropOldest(kept)
    while (bytes > maxBytes) {
      const oldest = findOldest()
      if (oldest === undefined) return
      dropOldest(oldest)
    }
  }

  /** Returns what reads an exchange that no journal keeps. */
  function read(exchange: RecordedExchange): KeptExchange {
    count += 1
    return new KeptExchange(exchange, toEntry, countBytes(exchange), count)
  }

  /** Opens the journal of one more session. */
  function open(): Journal {
    const kept: SessionJournal = { exchanges: new Fifo(), dropped: 0 }

    function remove(predicate: (exchange: KeptExchange) => boolean): readonly KeptExchange[] {
      const removed = kept.exchanges.remove(predicate)
      for (const exchange of removed) bytes -= exchange.bytes
      if (kept.exchanges.size === 0) sessions.delete(kept)
      return removed
    }

    function clear(): void {
      remove(() => true)
      kept.dropped = 0
    }

    return {
      record(recorded) {
        const exchange = read(recorded)
        if (capacity > 0) add(exchange, kept)
        return exchange
      },
      restore(entry, characters, recordedAt) {
        if (capacity === 0) return
        count += 1
        add(new KeptExchange(entry, toEntry, toBytes(characters), count, recordedAt), kept)
      },
      exchanges: () => kept.exchanges.toArray(),
      find: (id) => kept.exchanges.toArray().find((exchange) => exchange.id === id)?.entry,
      clear,
      release: clear,
      remove: (ids) => remove(({ id }) => id !== undefined && ids.has(id)).map(({ entry }) => entry),
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
    /** The exchanges of all journals, oldest first. Those of other mocks are read session by session. */
    exchanges: (): readonly KeptExchange[] =>
      [...sessions]
        .flatMap(({ exchanges }) => exchanges.toArray())
        .toSorted((one, other) => one.recordedAt - other.recordedAt || one.number - other.number),
    read,
    /** How many bytes all journals keep. */
    get bytes(): number {
      return bytes
    },
  }
}
