import { Queue } from '../util/queue.ts'
import { isUnmatchedStatus } from './entry.ts'
import type { JournalEntry } from './entry.ts'
import { toRecordedBody } from './kept-body.ts'
import type { RecordedBody } from './kept-body.ts'
import { createToEntry, isList } from './record.ts'
import type { ExchangeRecord, RecordedHeaders, ToEntry, WaitingRecord } from './record.ts'
import type { Redactor } from './redact.ts'

/** For the objects of an exchange, whatever is in them. */
const OBJECT_BYTES = 1024
/** JavaScript may keep a text with two bytes a character; bytes become text or base64 when they are read. */
const BYTES_PER_CHARACTER = 2

const countAll = (texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length, 0)

function countHeaders(headers: RecordedHeaders): number {
  if (isList(headers)) return countAll(headers)
  let count = 0
  if (headers instanceof Headers) headers.forEach((value, name) => (count += name.length + value.length))
  else for (const name in headers) count += name.length + (headers[name] ?? '').length
  return count
}

function countBody(body: RecordedBody | undefined): number {
  if (body === undefined) return 0
  if (typeof body === 'string') return body.length
  return body instanceof Uint8Array ? body.byteLength : body.bytes.byteLength
}

/** How many bytes an exchange takes in memory. */
function countBytes(record: WaitingRecord): number {
  const characters =
    record.url.length +
    (record.projectKey ?? '').length +
    countAll(record.warnings) +
    countAll(record.scenarios) +
    countHeaders(record.requestHeaders) +
    countHeaders(record.responseHeaders) +
    countBody(record.requestBody) +
    countBody(record.responseBody)
  return OBJECT_BYTES + BYTES_PER_CHARACTER * characters
}

/** How many bytes an entry of an earlier run takes. */
const countEntryBytes = (entry: JournalEntry): number =>
  OBJECT_BYTES + BYTES_PER_CHARACTER * JSON.stringify(entry).length

const trim = (body: ExchangeRecord['requestBody']): RecordedBody | undefined =>
  body === undefined ? undefined : toRecordedBody(body)

/** An exchange of a journal. Its entry is made when someone first asks for it: most are never read. */
export class KeptExchange {
  readonly bytes: number
  /** When it was recorded, if it comes from where others record, too; 0 otherwise. */
  readonly recordedAt: number
  readonly #toEntry: ToEntry
  #read: WaitingRecord | JournalEntry

  constructor(read: WaitingRecord | JournalEntry, toEntry: ToEntry, recordedAt = 0) {
    this.#read = read
    this.recordedAt = recordedAt
    this.bytes = 'id' in read ? countEntryBytes(read) : countBytes(read)
    this.#toEntry = toEntry
  }

  get session(): string {
    return this.#read.session
  }

  /** Epoch milliseconds by the mock's clock. */
  get time(): number {
    return this.#read.time
  }

  get correlationId(): string {
    return this.#read.correlationId
  }

  /** The id of its entry; undefined until someone has read that, for nobody can know it before. */
  get id(): string | undefined {
    return 'id' in this.#read ? this.#read.id : undefined
  }

  /** Whether its request met no operation. */
  get isUnmatched(): boolean {
    const status = 'id' in this.#read ? this.#read.response.status : this.#read.status
    return isUnmatchedStatus(this.#read, status)
  }

  get entry(): JournalEntry {
    if (!('id' in this.#read)) this.#read = this.#toEntry(this.#read)
    return this.#read
  }
}

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
  /**
   * Takes over an entry of an earlier run, or of another mock.
   *
   * @param recordedAt tells its place among those of other sessions, in milliseconds
   */
  restore(entry: JournalEntry, recordedAt?: number): void
  /** Oldest first. */
  entries(): JournalEntry[]
  /** As {@link entries}, but each is read when its entry is asked for. */
  exchanges(): readonly Readonly<KeptExchange>[]
  /** Newest first; each is read when it is asked for. */
  newest(): Iterable<JournalEntry>
  find(id: string): JournalEntry | undefined
  clear(): void
  /** Frees what it keeps in this process. */
  release(): void
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
  /** Those of all journals, in the order in which they came. */
  exchanges(): readonly Readonly<KeptExchange>[]
  /** What reads an exchange that no journal keeps. */
  read(record: ExchangeRecord): { readonly entry: JournalEntry }
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

  function read(record: ExchangeRecord): KeptExchange {
    const { requestBody, responseBody } = record
    return new KeptExchange({ ...record, requestBody: trim(requestBody), responseBody: trim(responseBody) }, toEntry)
  }

  function open(): Journal {
    const kept: Kept = { exchanges: new Queue(), dropped: 0 }
    function clear(): void {
      for (const place of kept.exchanges.toArray()) remove(place)
      kept.dropped = 0
    }
    const entries = () => kept.exchanges.toArray().map(({ exchange }) => exchange.entry)
    return {
      record(record) {
        const exchange = read(record)
        if (capacity > 0) add({ exchange, kept })
        return exchange
      },
      restore(entry, recordedAt) {
        if (capacity > 0) add({ exchange: new KeptExchange(entry, toEntry, recordedAt), kept })
      },
      entries,
      exchanges: () => kept.exchanges.toArray().map(({ exchange }) => exchange),
      *newest() {
        for (const { exchange } of kept.exchanges.toArray().toReversed()) yield exchange.entry
      },
      find: (id) => kept.exchanges.toArray().find(({ exchange }) => exchange.id === id)?.exchange.entry,
      clear,
      release: clear,
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
