import type { JournalEntry } from './entry.ts'
import { KEPT_BYTES } from './kept-body.ts'
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

/** So many exchanges are packed at once: fewer take more time, more wait longer as objects. */
const PACK = 16

/** Whether more of a body is there than is kept, which must not wait. */
const isLarge = (body: string | Uint8Array | undefined): boolean =>
  body !== undefined && (typeof body === 'string' ? body.length : body.buffer.byteLength) > KEPT_BYTES

export function createJournal({ capacity, newId }: JournalParts): Journal {
  const listeners = new Set<(entry: JournalEntry) => void>()
  const toKind = createKinds()
  /** Oldest first; a page goes when nothing on it is among the last so many any more. */
  let pages: Page[] = []
  /** The latest, as they came: in the way of a request nothing is done but to note that they are there. */
  let waiting: ExchangeRecord[] = []
  /** Of all pages, and those that wait. */
  let count = 0

  function pack(): void {
    if (waiting.length === 0) return
    pages.push(new Page(waiting, toKind))
    waiting = []
    for (;;) {
      const [oldest] = pages
      if (oldest === undefined || count - oldest.size < capacity) return
      pages.shift()
      count -= oldest.size
    }
  }

  function readAll(): JournalEntry[] {
    pack()
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
    waiting = []
    count = 0
  }

  function keep(draft: ExchangeRecord): void {
    waiting.push(draft)
    count += 1
    if (waiting.length >= PACK || isLarge(draft.requestBody) || isLarge(draft.responseBody)) pack()
    if (listeners.size === 0) return
    pack()
    const latest = pages.at(-1)
    const entry = latest?.read(latest.size - 1, newId)
    if (entry !== undefined) for (const listener of listeners) listener(entry)
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
      pages = kept.map((entry) => Page.of([entry]))
      count = kept.length
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
