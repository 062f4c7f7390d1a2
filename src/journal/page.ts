import type { JournalEntry } from './entry.ts'
import { toRecordedBody } from './kept-body.ts'
import type { RecordedBody } from './kept-body.ts'
import { Kind } from './kind.ts'
import { toEntry } from './record.ts'
import type { ExchangeRecord } from './record.ts'

/** Stand in no URL, no identifier and no header (RFC 9110, section 5.5). */
const FIELD = '\0'
const EXCHANGE = '\u0002'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

const toKeepable = (body: string | Uint8Array | undefined): RecordedBody | undefined =>
  body === undefined ? undefined : toRecordedBody(body)

/**
 * Some exchanges in a row, packed: their texts as bytes, their figures, and the rest by reference. Whatever object lives for
 * a while and then goes costs the garbage collector more than it takes to write down what it says, so that none is made
 * before someone reads.
 */
export class Page {
  /** The kind of each exchange until it is read, and what was read from then on. */
  readonly #exchanges: (Kind | JournalEntry)[]
  readonly #times: readonly number[]
  readonly #durations: readonly number[]
  readonly #requestBodies: (RecordedBody | undefined)[]
  readonly #responseBodies: (RecordedBody | undefined)[]
  /** What of the exchanges is text. */
  #packed: Uint8Array | undefined
  #texts: string[] = []

  constructor(records: readonly ExchangeRecord[], toKind: (record: ExchangeRecord) => Kind) {
    const kinds = records.map(toKind)
    this.#exchanges = kinds
    this.#times = records.map(({ time }) => time)
    this.#durations = records.map(({ durationMilliseconds }) => durationMilliseconds)
    this.#requestBodies = records.map(({ requestBody }) => toKeepable(requestBody))
    this.#responseBodies = records.map(({ responseBody }) => toKeepable(responseBody))
    const texts = records.map(
      ({ url, correlationId, responseHeaders }, at) =>
        url + FIELD + correlationId + (kinds[at]?.packValues(responseHeaders, FIELD) ?? ''),
    )
    this.#packed = encoder.encode(texts.join(EXCHANGE))
  }

  /** A page of exchanges that were read already. */
  static of(entries: readonly JournalEntry[]): Page {
    const page = new Page([], (record) => new Kind(record))
    page.#exchanges.push(...entries)
    return page
  }

  get size(): number {
    return this.#exchanges.length
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

  /** The text at a place. Who reads one is likely to read them all, so that all stay as they are then. */
  #unpack(place: number): string {
    if (this.#packed !== undefined) {
      this.#texts = decoder.decode(this.#packed).split(EXCHANGE)
      this.#packed = undefined
    }
    return this.#texts[place] ?? ''
  }
}
