import type { JournalEntry } from './entry.ts'
import { toRecordedBody } from './kept-body.ts'
import type { RecordedBody } from './kept-body.ts'
import { Kind } from './kind.ts'
import { toEntry } from './record.ts'
import type { ExchangeRecord } from './record.ts'

/** Stand in no URL, no identifier and no header (RFC 9110, section 5.5). */
const FIELD = '\0'
const EXCHANGE = '\u0002'

/** So many texts are packed at once: fewer take more time, more wait longer as objects. */
const PACK = 16

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

const toKeepable = (body: string | Uint8Array | undefined): RecordedBody | undefined =>
  body === undefined ? undefined : toRecordedBody(body)

/**
 * So many exchanges one after the other: their texts, soon as bytes, their figures, and the rest by
 * reference. Whatever object lives for a while and then goes costs the garbage collector more than it takes to write down
 * what it says, so that none is made before someone reads.
 */
export class Page {
  readonly #capacity: number
  /** What of each exchange is text, some of them in one. */
  #packed: Uint8Array[] = []
  /** Of those that are not packed yet. */
  #texts: string[] = []
  readonly #times: number[] = []
  readonly #durations: number[] = []
  /** The kind of each exchange until it is read, and what was read from then on. */
  readonly #exchanges: (Kind | JournalEntry)[] = []
  readonly #requestBodies: (RecordedBody | undefined)[] = []
  readonly #responseBodies: (RecordedBody | undefined)[] = []

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get size(): number {
    return this.#exchanges.length
  }

  get isFull(): boolean {
    return this.size === this.#capacity
  }

  /** Adds an exchange; there must be room for it. */
  add(record: ExchangeRecord, kind: Kind): void {
    this.#requestBodies.push(toKeepable(record.requestBody))
    this.#responseBodies.push(toKeepable(record.responseBody))
    const text = record.url + FIELD + record.correlationId + kind.packValues(record.responseHeaders, FIELD)
    this.#put(kind, text, record.time, record.durationMilliseconds)
  }

  /** Adds an exchange that was read already. */
  addEntry(entry: JournalEntry): void {
    this.#requestBodies.push(undefined)
    this.#responseBodies.push(undefined)
    this.#put(entry, '', 0, 0)
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
    const [url = '', correlationId = '', ...values] = this.#unpack(place).split(FIELD)
    const entry = toEntry(
      {
        ...kind.common,
        time: this.#times[place] ?? 0,
        durationMilliseconds: this.#durations[place] ?? 0,
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

  #put(exchange: Kind | JournalEntry, text: string, time: number, duration: number): void {
    this.#exchanges.push(exchange)
    this.#texts.push(text)
    this.#times.push(time)
    this.#durations.push(duration)
    if (this.#texts.length < PACK && !this.isFull) return
    this.#packed.push(encoder.encode(this.#texts.join(EXCHANGE)))
    this.#texts = []
  }

  /** The text at a place. Who reads one is likely to read them all, so that all stay as they are then. */
  #unpack(place: number): string {
    if (this.#packed.length > 0) {
      this.#texts = [...this.#packed.flatMap((bytes) => decoder.decode(bytes).split(EXCHANGE)), ...this.#texts]
      this.#packed = []
    }
    return this.#texts[place] ?? ''
  }
}
