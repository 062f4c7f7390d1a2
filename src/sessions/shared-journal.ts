import type { Journal, Journals } from '../journal/journal.ts'
import type { JournalNews, SharedSession } from './shared-store.ts'

/** A journal that other mocks write to, too. What is read of it is as it was at the last look. */
export interface SharedJournal extends Journal {
  /** Reads what is new, and returns it. */
  look(): Promise<JournalNews>
}

/** Creates the journal of a session that mocks share. What was read of it is kept in a journal of this mock. */
export function createSharedJournal({ open, read }: Journals, shared: SharedSession): SharedJournal {
  const known = open()
  let total = 0
  return {
    record(record) {
      const exchange = read(record)
      shared.record(exchange.entry)
      return exchange
    },
    restore: known.restore,
    exchanges: known.exchanges,
    find: known.find,
    clear() {
      known.clear()
      total = 0
      shared.clear()
    },
    release: known.clear,
    remove(ids) {
      const removed = known.remove(ids)
      shared.remove(removed.map(({ id }) => id))
      return removed
    },
    get size() {
      return known.size
    },
    get dropped() {
      return Math.max(0, total - known.size)
    },
    async look() {
      const news = await shared.look()
      if (news.isNew) known.clear()
      for (const { entry, characters, recordedAt } of news.entries) known.restore(entry, characters, recordedAt)
      total = news.total
      return news
    },
  }
}
