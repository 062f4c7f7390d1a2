import type { JournalEntry } from './entry.ts'
import { createKinds } from './kind.ts'
import { Page } from './page.ts'
import { toEntry } from './record.ts'
import type { ExchangeRecord } from './record.ts'

interface JournalParts {
  /** As many exchanges are kept; past it the oldest goes. 0: none. */
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

/** Exchanges a page; the first one is small, for most sessions see little traffic. */
const FIRST_PAGE = 8
const LATER_PAGE = 64

export function createJournal({ capacity, newId }: JournalParts): Journal {
  const listeners = new Set<(entry: JournalEntry) => void>()
  const toKind = createKinds()
  /** Oldest first; a page goes when nothing on it is among the last so many any more. */
  let pages: Page[] = []
  /** Of all pages. */
  let count = 0

  /** The page that the next exchange is written on. */
  function takePage(): Page {
    const latest = pages.at(-1)
    if (latest?.isFull === false) return latest
    const [oldest] = pages
    if (oldest !== undefined && count - oldest.size >= capacity) {
      pages.shift()
      count -= oldest.size
    }
    const page = new Page(Math.min(capacity, pages.length === 0 ? FIRST_PAGE : LATER_PAGE))
    pages.push(page)
    return page
  }

  function readAll(): JournalEntry[] {
    const entries: JournalEntry[] = []
    /** Those that are still on the oldest page, and kept no more. */
    let past = Math.max(0, count - capacity)
    for (const page of pages) {
      for (let place = past; place < page.size; place += 1) entries.push(page.read(place, newId))
      past = Math.max(0, past - page.size)
    }
    return entries
  }

  function clear(): void {
    pages = []
    count = 0
  }

  function keep(draft: ExchangeRecord): void {
    const page = takePage()
    page.add(draft, toKind(draft))
    count += 1
    if (listeners.size === 0) return
    const entry = page.read(page.size - 1, newId)
    for (const listener of listeners) listener(entry)
  }

  return {
    record(draft) {
      if (capacity > 0) keep(draft)
      else if (listeners.size > 0) {
        const entry = toEntry(draft, newId())
        for (const listener of listeners) listener(entry)
      }
    },
    entries: readAll,
    find: (id) => readAll().find((entry) => entry.id === id),
    clear,
    remove(predicate) {
      const removed: JournalEntry[] = []
      const kept: JournalEntry[] = []
      for (const entry of readAll()) (predicate(entry) ? removed : kept).push(entry)
      clear()
      for (const entry of kept) {
        takePage().addEntry(entry)
        count += 1
      }
      return removed
    },
    subscribe(listener) {
      // A listener given twice is called twice, and ended one at a time.
      const own = (entry: JournalEntry) => listener(entry)
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    get size() {
      return Math.min(count, capacity)
    },
  }
}
