import type { RedactedExchange, KeptMembers } from './record.ts'
import { Fifo } from '../../util/collections.ts'
import { KeptExchange } from './kept-exchange.ts'
import { exchangeBytes, entryBytes, createToEntry } from './record.ts'
import type { Redactor } from './redact.ts'
import { createSummary } from './summary.ts'
import type { Periods, SeenByMock } from './summary.ts'
import { sumBytes } from '../../service/state/memory.ts'
import type { Memory } from '../../service/state/memory.ts'

/** The most recent exchanges of a session. */
export interface Journal {
  /** Keeps an exchange. Nothing is parsed or redacted until the returned entry is read. */
  record(exchange: KeptMembers): KeptExchange
  /** Stores again an exchange that has changed since it was recorded. A shared journal has to have read it. */
  amend(exchange: KeptExchange): void
  /**
   * Adds an entry from an earlier run or another mock.
   *
   * @param characters length of its JSON text
   * @param recordedAt sort key among exchanges of other sessions, in milliseconds
   */
  restore(entry: RedactedExchange, characters: number, recordedAt?: number): void
  /** Oldest first. Entries are built when accessed; use `readEntries` for several. */
  exchanges(): readonly KeptExchange[]
  /** Finds an entry without building any other. */
  find(id: string): RedactedExchange | undefined
  clear(): void
  /**
   * Frees the memory of this process.
   *
   * @param keep called with exchanges that are recorded later; by default, they are dropped
   */
  release(keep?: (exchange: KeptExchange) => void): void
  /** Removes the entries with these ids without building any other, and returns them, oldest first. */
  remove(ids: ReadonlySet<string>): readonly RedactedExchange[]
  /** What was recorded since the journal was last cleared, including what was dropped, but not what was removed. */
  seen(): SeenByMock
  /** When the exchanges were recorded. */
  periods(): Periods
  readonly size: number
  /** Number of exchanges dropped to make room since the journal was last cleared. */
  readonly dropped: number
}

/** Compares exchanges of any sessions, the oldest first. */
export const byAge = (one: KeptExchange, other: KeptExchange): number =>
  one.recordedAt - other.recordedAt || one.number - other.number

/** The exchanges of one session, oldest first. */
interface SessionJournal {
  readonly session: string
  readonly exchanges: Fifo<KeptExchange>
  summary: ReturnType<typeof createSummary>
  dropped: number
}

export type Journals = ReturnType<typeof createJournals>

/**
 * Creates the journals of a mock. Each journal keeps up to `capacity` exchanges; beyond that, the oldest one is dropped.
 *
 * @param newId called when an entry is first read, not when the exchange is recorded
 */
export function createJournals({
  capacity,
  memory,
  newId,
  redactor,
}: {
  readonly capacity: number
  readonly memory: Memory
  readonly newId: () => string
  readonly redactor: Redactor
}) {
  const reader = { toEntry: createToEntry(redactor, newId), redactor }
  /** Sessions with at least one exchange. */
  const sessions = new Set<SessionJournal>()
  let count = 0

  /** Drops the oldest exchange of a journal, and returns its bytes. */
  function dropFrom(kept: SessionJournal): number {
    const oldest = kept.exchanges.shift()
    if (oldest === undefined) return 0
    kept.dropped += 1
    kept.summary.drop(oldest, () => kept.exchanges.toArray())
    if (kept.exchanges.size === 0) sessions.delete(kept)
    return oldest.bytes
  }

  /** Finds the journal with the oldest exchange: of a session or, without a name, of all. */
  function findOldest(session: string | undefined): SessionJournal | undefined {
    let oldest: SessionJournal | undefined
    let least = Infinity
    for (const kept of sessions) {
      if (session !== undefined && kept.session !== session) continue
      const number = kept.exchanges.first?.number ?? Infinity
      if (number < least) [oldest, least] = [kept, number]
    }
    return oldest
  }

  function add(exchange: KeptExchange, kept: SessionJournal): void {
    if (kept.exchanges.size === 0) sessions.add(kept)
    kept.exchanges.push(exchange)
    kept.summary.count(exchange)
    const freed = kept.exchanges.size > capacity ? dropFrom(kept) : 0
    memory.add('journals', kept.session, exchange.bytes - freed)
  }

  function wrap(read: KeptMembers | RedactedExchange, bytes: number, recordedAt?: number): KeptExchange {
    count += 1
    return new KeptExchange(read, reader, { bytes, number: count, recordedAt })
  }

  /** Wraps an exchange without keeping it. */
  const read = (exchange: KeptMembers): KeptExchange => wrap(exchange, exchangeBytes(exchange))
  /** Wraps an entry from an earlier run or another mock without keeping it. */
  const readEntry = (entry: RedactedExchange, characters: number, recordedAt?: number): KeptExchange =>
    wrap(entry, entryBytes(characters), recordedAt)

  /** Opens the journal of a session. */
  function open(session: string): Journal {
    const kept: SessionJournal = { session, exchanges: new Fifo(), summary: createSummary(), dropped: 0 }
    let onLate: ((exchange: KeptExchange) => void) | undefined

    function remove(predicate: (exchange: KeptExchange) => boolean): readonly KeptExchange[] {
      const removed = kept.exchanges.remove(predicate)
      if (removed.length === 0) return removed
      memory.add('journals', session, -sumBytes(removed, ({ bytes }) => bytes))
      if (kept.exchanges.size === 0) sessions.delete(kept)
      kept.summary = createSummary()
      for (const exchange of kept.exchanges.toArray()) kept.summary.count(exchange)
      return removed
    }

    function clear(): void {
      remove(() => true)
      kept.summary = createSummary()
      kept.dropped = 0
    }

    return {
      record(recorded) {
        const exchange = read(recorded)
        if (onLate !== undefined) onLate(exchange)
        else if (capacity > 0) add(exchange, kept)
        return exchange
      },
      amend: () => undefined,
      restore(entry, characters, recordedAt) {
        if (capacity > 0) add(readEntry(entry, characters, recordedAt), kept)
      },
      exchanges: () => kept.exchanges.toArray(),
      find: (id) => kept.exchanges.toArray().find((exchange) => exchange.id === id)?.entry,
      clear,
      release(keep) {
        onLate = keep ?? onLate ?? (() => undefined)
        clear()
      },
      remove: (ids) => remove(({ id }) => id !== undefined && ids.has(id)).map(({ entry }) => entry),
      seen: () => ({ requests: kept.exchanges.size + kept.dropped, ...kept.summary.read() }),
      periods: () => kept.summary.periods,
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
    /** The exchanges of all journals, oldest first, including those loaded from other mocks. */
    exchanges(): readonly KeptExchange[] {
      const [first = [], ...others] = Array.from(sessions, ({ exchanges }) => exchanges.toArray())
      return others.length === 0 ? first : [first, ...others].flat().toSorted(byAge)
    },
    read,
    readEntry,
    /** Drops the oldest exchange of a session or, without a name, of all. Returns whether there was one. */
    dropOldest(session?: string): boolean {
      const oldest = findOldest(session)
      if (oldest !== undefined) memory.add('journals', oldest.session, -dropFrom(oldest))
      return oldest !== undefined
    },
  }
}
