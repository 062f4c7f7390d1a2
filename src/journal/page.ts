import type { JournalEntry } from './entry.ts'
import { toRecordedBody } from './kept-body.ts'
import type { RecordedBody } from './kept-body.ts'
import { Kind } from './kind.ts'
import { toEntry } from './record.ts'
import type { ExchangeRecord } from './record.ts'

/** So many exchanges fill a page: fewer at once take more time, more wait longer as objects. */
export const PAGE_SIZE = 16

/** The texts of most pages fit into so many bytes. */
const COMMON_BYTES = 4096

/** Stand in no name, no URL, no identifier and no header value (Fetch standard, section 2.2.2). */
const FIELD = '\0'
const EXCHANGE = '\n'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

const toKeepable = (body: string | Uint8Array | undefined): RecordedBody | undefined =>
  body === undefined ? undefined : toRecordedBody(body)

/**
 * Some exchanges in a row, whichever sessions they are of, packed: their texts as bytes, their figures, and the rest by
 * reference. Whatever object lives for a while and then goes costs the garbage collector more than it takes to write down
 * what it says, so that none is made before someone reads, and a page that nobody needs any more is written anew.
 */
export class Page {
  /** The kind of each exchange until it is read, and what was read from then on. */
  readonly #exchanges: (Kind | JournalEntry)[] = []
  readonly #times: number[] = []
  readonly #durations: number[] = []
  readonly #requestBodies: (RecordedBody | undefined)[] = []
  readonly #responseBodies: (RecordedBody | undefined)[] = []
  /** What of the exchanges is text, as far as `#written`. */
  #packed: Uint8Array | undefined
  #written = 0
  #texts: string[] = []
  /** So many of its exchanges someone still keeps. */
  #kept = 0

  /**
   * Writes exchanges down, in place of what was there.
   *
   * @param records never fewer than were there
   */
  write(records: readonly ExchangeRecord[], toKind: (record: ExchangeRecord) => Kind): void {
    let text = ''
    for (const [place, record] of records.entries()) {
      const kind = toKind(record)
      const { session, url, correlationId, responseHeaders } = record
      this.#exchanges[place] = kind
      this.#times[place] = record.time
      this.#durations[place] = record.durationMilliseconds
      this.#requestBodies[place] = toKeepable(record.requestBody)
      this.#responseBodies[place] = toKeepable(record.responseBody)
      if (place > 0) text += EXCHANGE
      text += session + FIELD + url + FIELD + correlationId + kind.packValues(responseHeaders, FIELD)
    }
    this.#texts = []
    this.#pack(text)
    this.#kept = records.length
  }

  /**
   * Called when one of its exchanges is kept no more.
   *
   * @returns whether the page can be written anew: it is full, and nobody keeps anything on it
   */
  release(): boolean {
    this.#kept -= 1
    return this.#kept === 0 && this.#exchanges.length === PAGE_SIZE && this.#packed?.length === COMMON_BYTES
  }

  /**
   * The exchange at a place, made when it is first asked for.
   *
   * @throws {RangeError} for a place that has none.
   */
  read(place: number, newId: () => string): JournalEntry {
    const kind = this.#exchanges[place]
    if (kind === undefined) throw new RangeError(`There is no exchange at place ${place}.`)
    if (!(kind instanceof Kind)) return kind
    const [session = '', url = '', correlationId = '', ...values] = this.#unpack(place).split(FIELD)
    const entry = toEntry(
      {
        ...kind.common,
        time: this.#times[place] ?? 0,
        durationMilliseconds: this.#durations[place] ?? 0,
        session,
        url,
        correlationId,
        requestBody: this.#requestBodies[place],
        responseHeaders: kind.unpackHeaders(values),
        responseBody: this.#responseBodies[place],
      },
      newId(),
    )
    this.#exchanges[place] = entry
    this.#requestBodies[place] = undefined
    this.#responseBodies[place] = undefined
    this.#texts[place] = ''
    return entry
  }

  #pack(text: string): void {
    if (this.#exchanges.length === PAGE_SIZE) {
      const bytes = this.#packed ?? new Uint8Array(COMMON_BYTES)
      const { read, written } = encoder.encodeInto(text, bytes)
      if (read === text.length) {
        this.#packed = bytes
        this.#written = written
        return
      }
    }
    this.#packed = encoder.encode(text)
    this.#written = this.#packed.length
  }

  /** The text at a place. Who reads one is likely to read them all, so that all stay as they are then. */
  #unpack(place: number): string {
    if (this.#packed !== undefined) {
      this.#texts = decoder.decode(this.#packed.subarray(0, this.#written)).split(EXCHANGE)
      this.#packed = undefined
    }
    return this.#texts[place] ?? ''
  }
}
