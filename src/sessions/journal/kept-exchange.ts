import { hasPart } from '../../util/find-part.ts'
import { isUnmatchedStatus, toKeptBody } from './record.ts'
import type { RedactedExchange, KeptMembers, ToEntry } from './record.ts'
import { REDACTED } from './redact.ts'
import type { KeptBody, Redactor } from './redact.ts'

const hasWanted = (body: KeptBody | undefined, wanted: string): boolean =>
  body?.encoding === 'utf-8' && hasPart(body.text.toLowerCase(), wanted)

/** A failed request and its retries: failures, and then the success, if there was one. */
export interface Attempts {
  readonly place: string
  readonly key: string
  first: KeptExchange
  last: KeptExchange
}

/** One of the attempts at a request. They are a linked list, because the journal drops the oldest. */
export interface Attempt {
  readonly attempts: Attempts
  previous: KeptExchange | undefined
  next: KeptExchange | undefined
}

/** Creates entries of recorded exchanges, and redacts their parts that are read without creating the entry. */
export interface EntryReader {
  readonly toEntry: ToEntry
  readonly redactor: Pick<Redactor, 'url' | 'body'>
}

/** An exchange in a journal. Its entry is created on first access, because most are never read. */
export class KeptExchange {
  readonly bytes: number
  /** Orders exchanges across sessions. */
  readonly number: number
  /** When it was recorded, if it comes from a shared store; otherwise 0. */
  readonly recordedAt: number
  /** How it relates to other attempts at the same request; undefined if it succeeded at once. */
  attempt: Attempt | undefined
  /** What its body has in common with its retries; undefined until it is compared. Reading a long body takes time. */
  intent: string | undefined
  readonly #reader: EntryReader
  #read: KeptMembers | RedactedExchange
  /** Whether its bodies are known to have no secrets. */
  #isPlain = false

  constructor(
    read: KeptMembers | RedactedExchange,
    reader: EntryReader,
    { bytes, number, recordedAt = 0 }: Pick<KeptExchange, 'bytes' | 'number'> & { readonly recordedAt?: number },
  ) {
    this.#read = read
    this.#reader = reader
    this.bytes = bytes
    this.number = number
    this.recordedAt = recordedAt
  }

  get session(): string {
    return 'id' in this.#read ? this.#read.session : this.#read.sessionName
  }

  /** Epoch milliseconds by the mock's clock. */
  get time(): number {
    return this.#read.time
  }

  get durationMilliseconds(): number {
    return this.#read.durationMilliseconds
  }

  get correlationId(): string {
    return this.#read.correlationId
  }

  /** Undefined until the entry is first read, because ids are assigned then. */
  get id(): string | undefined {
    return 'id' in this.#read ? this.#read.id : undefined
  }

  /** Undefined if no operation matched the request. */
  get operation(): string | undefined {
    return this.#read.operation
  }

  get projectKey(): string | undefined {
    return this.#read.projectKey
  }

  get method(): string {
    return 'id' in this.#read ? this.#read.request.method : this.#read.method
  }

  /** Absolute, without secrets. */
  get url(): string {
    return 'id' in this.#read ? this.#read.request.url : this.#reader.redactor.url(this.#read.url)
  }

  /** Without secrets. */
  get requestBody(): KeptBody | undefined {
    if ('id' in this.#read) return this.#read.request.body
    return this.#reader.redactor.body(this.#read.url, toKeptBody(this.#read.keptRequestBody))
  }

  /** Names of the scenarios whose rules fired. */
  get scenarios(): readonly string[] {
    return this.#read.scenarios
  }

  /** 0 if the connection broke before the response. */
  get status(): number {
    return 'id' in this.#read ? this.#read.response.status : this.#read.status
  }

  /** What replaced the response. */
  get fault(): string | undefined {
    return 'id' in this.#read ? this.#read.response.fault : this.#read.fault
  }

  /** Whether the client disconnected before it had the whole response. */
  get clientLeft(): boolean {
    return this.#read.clientLeft === true
  }

  /** Notes that the client has left since the exchange was recorded. */
  leave(durationMilliseconds: number): void {
    this.#read = Object.freeze({ ...this.#read, clientLeft: true, durationMilliseconds })
  }

  /** Whether the text of a body contains a text in lower case. Creates no entry. */
  hasInBody(wanted: string): boolean {
    if ('id' in this.#read) {
      const { request, response } = this.#read
      return [request.body, response.body].some((body) => hasWanted(body, wanted))
    }
    const { url, keptRequestBody, keptResponseBody } = this.#read
    const bodies = [toKeptBody(keptRequestBody), toKeptBody(keptResponseBody)]
    const isFound = bodies.some((body) => hasWanted(body, wanted))
    // Redacting takes most of the time. It adds no text but its replacement.
    if (this.#isPlain || (!isFound && !wanted.includes('redacted') && !REDACTED.includes(wanted))) return isFound
    const redacted = bodies.map((body) => this.#reader.redactor.body(url, body))
    this.#isPlain = redacted.every((body, at) => body === bodies[at])
    return redacted.some((body) => hasWanted(body, wanted))
  }

  get isPassedThrough(): boolean {
    return this.#read.isPassedThrough === true
  }

  get isUnmatched(): boolean {
    return isUnmatchedStatus(this.#read, this.status)
  }

  /** Takes milliseconds on first access; use `readEntries` for several. */
  get entry(): RedactedExchange {
    if (!('id' in this.#read)) this.#read = this.#reader.toEntry(this.#read)
    return this.#read
  }
}
