import { isList } from './record.ts'
import type { ExchangeRecord, RecordedHeaders } from './record.ts'

/** What of an exchange is its own; everything else it has in common with those of its kind. */
type Own =
  | 'time'
  | 'durationMilliseconds'
  | 'session'
  | 'url'
  | 'correlationId'
  | 'requestBody'
  | 'responseHeaders'
  | 'responseBody'

type Common = Omit<ExchangeRecord, Own>

/** Stands for a value that is the kind's; no header has it (Fetch standard, section 2.2.2). */
const SAME = '\r'

function toCommon(record: ExchangeRecord): Common {
  const { operation, projectKey, scenarios, warnings } = record
  const { method, requestHeaders, clientAddress, status, fault } = record
  return {
    operation,
    projectKey,
    scenarios,
    warnings,
    method,
    requestHeaders,
    clientAddress,
    status,
    fault,
  }
}

/** Exchanges that differ in little: who asked, what for and how it ended is the same. */
export class Kind {
  readonly common: Common
  readonly #names: readonly string[]
  readonly #values: readonly string[]
  /** Headers that are no plain object are kept as they are, for one exchange alone. */
  readonly #others: RecordedHeaders | undefined

  constructor(first: ExchangeRecord) {
    const { responseHeaders } = first
    const isPlain = !(responseHeaders instanceof Headers || isList(responseHeaders))
    this.common = toCommon(first)
    this.#names = isPlain ? Object.keys(responseHeaders) : []
    this.#values = isPlain ? Object.values(responseHeaders) : []
    this.#others = isPlain ? undefined : responseHeaders
  }

  fits(record: ExchangeRecord): boolean {
    const { common } = this
    return (
      common.status === record.status &&
      common.method === record.method &&
      common.requestHeaders === record.requestHeaders &&
      common.projectKey === record.projectKey &&
      common.clientAddress === record.clientAddress &&
      common.operation === record.operation &&
      common.scenarios === record.scenarios &&
      common.warnings === record.warnings &&
      common.fault === record.fault &&
      this.#hasNames(record.responseHeaders)
    )
  }

  #hasNames(headers: RecordedHeaders): boolean {
    if (this.#others !== undefined || headers instanceof Headers || isList(headers)) return false
    let count = 0
    for (const name in headers) {
      if (this.#names[count] !== name) return false
      count += 1
    }
    return count === this.#names.length
  }

  /** The header values of an exchange of this kind, each after the separator. */
  packValues(headers: RecordedHeaders, separator: string): string {
    if (this.#others !== undefined) return ''
    let packed = ''
    let at = 0
    for (const name of this.#names) {
      const value = (headers as Readonly<Record<string, string>>)[name]
      packed += separator + (value === this.#values[at] ? SAME : value)
      at += 1
    }
    return packed
  }

  /** The headers that have these values, as they were packed. */
  unpackHeaders(values: readonly string[]): RecordedHeaders {
    if (this.#others !== undefined) return this.#others
    return Object.fromEntries(
      this.#names.map((name, at) => [name, values[at] === SAME ? (this.#values[at] ?? '') : (values[at] ?? '')]),
    )
  }
}

/** Tells the kind of each exchange: that of the one before of its operation, where it fits. */
export function createKinds(): (record: ExchangeRecord) => Kind {
  const latest = new Map<string | undefined, Kind>()
  return function toKind(record) {
    const known = latest.get(record.operation)
    if (known?.fits(record) === true) return known
    const kind = new Kind(record)
    latest.set(record.operation, kind)
    return kind
  }
}
