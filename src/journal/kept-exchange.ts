import { isUnmatchedStatus } from './entry.ts'
import type { JournalEntry } from './entry.ts'
import type { RecordedBody } from './kept-body.ts'
import { isList } from './record.ts'
import type { RecordedExchange, RecordedHeaders, ToEntry } from './record.ts'

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

/** How many bytes an exchange of so many characters takes in memory. */
export const toBytes = (characters: number): number => OBJECT_BYTES + BYTES_PER_CHARACTER * characters

/** How many bytes an exchange takes in memory. */
export function countBytes(exchange: RecordedExchange): number {
  const characters =
    exchange.url.length +
    (exchange.projectKey ?? '').length +
    countAll(exchange.warnings) +
    countAll(exchange.scenarios) +
    countHeaders(exchange.requestHeaders) +
    countHeaders(exchange.responseHeaders) +
    countBody(exchange.keptRequestBody) +
    countBody(exchange.keptResponseBody)
  return toBytes(characters)
}

/** An exchange of a journal. Its entry is made when someone first asks for it: most are never read. */
export class KeptExchange {
  readonly bytes: number
  /** When it was recorded, if it comes from where others record, too; 0 otherwise. */
  readonly recordedAt: number
  readonly #toEntry: ToEntry
  #read: RecordedExchange | JournalEntry

  constructor(read: RecordedExchange | JournalEntry, toEntry: ToEntry, bytes: number, recordedAt = 0) {
    this.#read = read
    this.recordedAt = recordedAt
    this.bytes = bytes
    this.#toEntry = toEntry
  }

  get session(): string {
    return 'id' in this.#read ? this.#read.session : this.#read.sessionName
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

  /** 0 where the connection was broken off by a fault. */
  get status(): number {
    return 'id' in this.#read ? this.#read.response.status : this.#read.status
  }

  /** Whether its request met no operation. */
  get isUnmatched(): boolean {
    return isUnmatchedStatus(this.#read, this.status)
  }

  /** Takes milliseconds the first time: `readEntries` reads many. */
  get entry(): JournalEntry {
    if (!('id' in this.#read)) this.#read = this.#toEntry(this.#read)
    return this.#read
  }
}
