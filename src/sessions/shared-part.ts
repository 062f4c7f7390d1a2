import type { Journal, Journals } from './journal/journal.ts'
import type { KeptExchange } from './journal/kept-exchange.ts'
import type { KeptMembers } from './journal/record.ts'
import type { LogPosition } from '../service/state/change.ts'
import type { JournalDelta, SharedSession } from './shared-store.ts'

/** A journal that other mocks write to as well. It shows its state at the last read. */
interface SharedJournal extends Journal {
  /** Reads and returns new entries. */
  readDelta(): Promise<JournalDelta>
  /** Records a read, unless other mocks have written to the session since it read; returns what it missed in that case. */
  recordRead(exchange: KeptMembers, after: LogPosition): ReturnType<SharedSession['recordRead']>
}

/** What a session has in common with the session of that name in other mocks. */
export interface SharedPart extends Pick<SharedSession, 'counters' | 'coverage' | 'settled'> {
  readonly journal: SharedJournal
}

/**
 * Creates the journal of a session shared by several mocks. Entries that were read are stored in a local journal.
 *
 * @param isKept whether journals keep any requests
 */
export function createSharedJournal(
  session: string,
  { open, read }: Journals,
  shared: SharedSession,
  isKept: boolean,
): SharedJournal {
  const known = open(session)
  let total = 0
  let onLate: ((exchange: KeptExchange) => void) | undefined
  return {
    record(record) {
      const exchange = read(record)
      if (onLate !== undefined) onLate(exchange)
      else if (isKept) shared.record(exchange.entry)
      return exchange
    },
    async recordRead(recorded, after) {
      return onLate === undefined ? shared.recordRead(read(recorded).entry, after) : []
    },
    amend({ entry }) {
      if (!isKept) return
      shared.remove([entry.id])
      shared.record(entry)
    },
    restore: known.restore,
    exchanges: known.exchanges,
    find: known.find,
    clear() {
      known.clear()
      total = 0
      shared.clear()
    },
    release(keep) {
      onLate = keep ?? onLate ?? (() => undefined)
      known.clear()
    },
    remove(ids) {
      const removed = known.remove(ids)
      shared.remove(removed.map(({ id }) => id))
      return removed
    },
    seen: () => ({ ...known.seen(), requests: Math.max(total, known.size) }),
    periods: known.periods,
    get size() {
      return known.size
    },
    get dropped() {
      return Math.max(0, total - known.size)
    },
    async readDelta() {
      const delta = await shared.readDelta()
      if (delta.isNew) known.clear()
      for (const { entry, characters, recordedAt } of delta.entries) known.restore(entry, characters, recordedAt)
      total = delta.total
      return delta
    },
  }
}
