import type { JournalEntry } from './entry.ts'
import { toRecordedBody } from './kept-body.ts'
import type { RecordedBody } from './kept-body.ts'
import { isList, toEntry } from './record.ts'
import type { ExchangeRecord, RecordedHeaders, WaitingRecord } from './record.ts'

const toKeepable = (body: string | Uint8Array | undefined): RecordedBody | undefined =>
  body === undefined ? undefined : toRecordedBody(body)

/**
 * A place in a journal, which holds one exchange after the other. It is filled anew rather than replaced: each object that
 * a journal keeps for a while costs the garbage collector more than all that is noted of a request.
 */
export class Slot implements WaitingRecord {
  time = 0
  durationMilliseconds = 0
  session = ''
  correlationId = ''
  operation: string | undefined = undefined
  projectKey: string | undefined = undefined
  scenarios: readonly string[] = []
  warnings: readonly string[] = []
  method = ''
  url = ''
  requestHeaders: RecordedHeaders = []
  requestBody: RecordedBody | undefined = undefined
  clientAddress: string | undefined = undefined
  status = 0
  responseHeaders: RecordedHeaders = []
  responseBody: RecordedBody | undefined = undefined
  fault: string | undefined = undefined
  readonly #headerList: string[] = []
  #entry: JournalEntry | undefined

  hold(record: ExchangeRecord): void {
    this.time = record.time
    this.durationMilliseconds = record.durationMilliseconds
    this.session = record.session
    this.correlationId = record.correlationId
    this.operation = record.operation
    // Another text of the same project would be kept beside the one that is there.
    if (this.projectKey !== record.projectKey) this.projectKey = record.projectKey
    this.scenarios = record.scenarios
    this.warnings = record.warnings
    this.method = record.method
    this.url = record.url
    this.requestHeaders = record.requestHeaders
    this.requestBody = toKeepable(record.requestBody)
    this.clientAddress = record.clientAddress
    this.status = record.status
    this.responseHeaders = this.#toKept(record.responseHeaders)
    this.responseBody = toKeepable(record.responseBody)
    this.fault = record.fault
    this.#entry = undefined
  }

  /** The exchange as it is shown, made when it is first asked for. */
  read(newId: () => string): JournalEntry {
    return (this.#entry ??= toEntry(this, newId()))
  }

  /** Headers as they are kept: a plain object's names and values are written into the place's own list. */
  #toKept(headers: RecordedHeaders): RecordedHeaders {
    if (headers instanceof Headers || isList(headers)) return headers
    const list = this.#headerList
    let length = 0
    for (const name of Object.keys(headers)) {
      list[length] = name
      list[length + 1] = headers[name] ?? ''
      length += 2
    }
    if (list.length > length) list.length = length
    return list
  }
}
