import type { JournalEntry } from './entry.ts'
import { toRecordedBody } from './kept-body.ts'
import type { RecordedBody } from './kept-body.ts'
import { Kind } from './kind.ts'
import { toEntry } from './record.ts'
import type { ExchangeRecord } from './record.ts'

/** Room for the texts of most exchanges, in bytes of UTF-8. */
const ROOM = 256

/** Stands in no URL, no identifier and no header (RFC 9110, section 5.5). */
const SEPARATOR = '\0'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

const toKeepable = (body: string | Uint8Array | undefined): RecordedBody | undefined =>
  body === undefined ? undefined : toRecordedBody(body)

/**
 * So many exchanges, packed one after the other: their texts as bytes, their figures as numbers, and the rest by reference.
 * Whatever object lives for a while and then goes costs the garbage collector more than it takes to write down what it says,
 * so that none is made before someone reads.
 */
export class Page {
  readonly #capacity: number
  readonly #bytes: Uint8Array
  /** Where each text ends in the bytes. */
  readonly #ends: Uint32Array
  /** Two for each: time and duration. */
  readonly #figures: Float64Array
  /** The kind of each exchange until it is read, and what was read from then on. */
  readonly #exchanges: (Kind | JournalEntry)[] = []
  readonly #requestBodies: (RecordedBody | undefined)[] = []
  readonly #responseBodies: (RecordedBody | undefined)[] = []
  /** Texts that found no room. */
  readonly #longTexts = new Map<number, string>()

  constructor(capacity: number) {
    this.#capacity = capacity
    this.#bytes = new Uint8Array(capacity * ROOM)
    this.#ends = new Uint32Array(capacity)
    this.#figures = new Float64Array(capacity * 2)
  }

  get size(): number {
    return this.#exchanges.length
  }

  get isFull(): boolean {
    return this.size === this.#capacity
  }

  /** Adds an exchange; there must be room for it. */
  add(record: ExchangeRecord, kind: Kind): void {
    const place = this.size
    this.#exchanges.push(kind)
    this.#figures[place * 2] = record.time
    this.#figures[place * 2 + 1] = record.durationMilliseconds
    this.#requestBodies[place] = toKeepable(record.requestBody)
    this.#responseBodies[place] = toKeepable(record.responseBody)
    this.#addText(
      place,
      record.url + SEPARATOR + record.correlationId + kind.packValues(record.responseHeaders, SEPARATOR),
    )
  }

  /** Adds an exchange that was read already. */
  addEntry(entry: JournalEntry): void {
    const place = this.size
    this.#exchanges.push(entry)
    this.#ends[place] = this.#start(place)
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
    const [url = '', correlationId = '', ...values] = this.#text(place).split(SEPARATOR)
    const entry = toEntry(
      {
        ...kind.common,
        time: this.#figures[place * 2] ?? 0,
        durationMilliseconds: this.#figures[place * 2 + 1] ?? 0,
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
    return entry
  }

  #start(place: number): number {
    return place === 0 ? 0 : (this.#ends[place - 1] ?? 0)
  }

  #addText(place: number, text: string): void {
    const start = this.#start(place)
    const { read, written } = encoder.encodeInto(text, this.#bytes.subarray(start))
    const isWhole = read === text.length
    this.#ends[place] = isWhole ? start + written : start
    if (!isWhole) this.#longTexts.set(place, text)
  }

  #text(place: number): string {
    return this.#longTexts.get(place) ?? decoder.decode(this.#bytes.subarray(this.#start(place), this.#ends[place]))
  }
}
