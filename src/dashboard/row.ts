import type { JournalEntry } from '../journal/record.ts'
import { toSent } from '../journal/target.ts'
import type { toServeEvent } from '../journal/wiremock-json.ts'

/** What the list of requests shows of an exchange. */
export interface Row {
  readonly id: string
  /** Epoch milliseconds by the mock's clock. */
  readonly time: number
  readonly session: string
  readonly method: string
  /** Path and query as sent. */
  readonly target: string
  /** Empty if none matched. */
  readonly operation: string
  /** 0 if the connection broke. */
  readonly status: number
  /** In milliseconds. */
  readonly duration: number
  readonly scenarios: readonly string[]
  readonly warnings: readonly string[]
}

/** The row of an exchange of the journal. */
export const toRow = (entry: JournalEntry): Row => ({
  id: entry.id,
  time: entry.time,
  session: entry.session,
  method: entry.request.method,
  target: toSent(entry.request.url),
  operation: entry.operation ?? '',
  status: entry.response.status,
  duration: entry.durationMilliseconds,
  scenarios: entry.scenarios,
  warnings: entry.warnings,
})

/** An exchange as the event stream sends it. */
export type ServeEvent = ReturnType<typeof toServeEvent>

/** The row of an exchange from the event stream. */
export const toRowOfEvent = (event: ServeEvent): Row => ({
  id: event.id,
  time: event.request.loggedDate,
  session: event.session,
  method: event.request.method,
  target: event.request.url,
  operation: event.operation ?? '',
  status: event.response.status,
  duration: event.durationMilliseconds,
  scenarios: event.scenarios,
  warnings: event.warnings,
})

/** Whether the response is an error, or there was none. */
export const isFailure = ({ status }: Pick<Row, 'status'>): boolean => status === 0 || status >= 400

const toPath = (target: string): string => target.split('?', 1)[0] ?? target

/** Whether two requests have the same session, method and path. Whether one is a retry also depends on the bodies. */
export const mayBeRetryOf = (row: Row, other: Row): boolean =>
  row.session === other.session && row.method === other.method && toPath(row.target) === toPath(other.target)

/** The first digit of a status, which decides its colour and mark; `0` for a broken connection. */
export const toFamily = (status: number): string => String(Math.floor(status / 100))

/** The query with its question mark; empty if there is none. */
export const toQuery = (target: string): string => (target.includes('?') ? target.slice(target.indexOf('?')) : '')

/** `0.4 ms`, `12 ms`, `1.3 s`. */
export function toDurationText(milliseconds: number): string {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(1)} s`
  return `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`
}

const count = new Intl.NumberFormat('en')

/** `65,536`. */
export const toCountText = (number: number): string => count.format(number)

/** How many requests the list loads first. */
export const FIRST_ROWS = 1000

/** How many requests the list shows at most. */
export const MOST_ROWS = 10_000

/** Characters that stay encoded: decoded, they would change the meaning of the URL or break the line. */
const KEPT_IN_QUERY = /[%&#+\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu
const KEPT_IN_PATH = new RegExp(`[/?]|${KEPT_IN_QUERY.source}`, 'gu')

function decode(encoded: string, kept: RegExp): string {
  try {
    return decodeURIComponent(encoded).replaceAll(kept, encodeURIComponent)
  } catch {
    return encoded
  }
}

const ENCODED = /(?:%[\da-f]{2})+/gi

/** A request target for people: decoded, except for characters that separate its parts. */
export function toReadable(target: string): string {
  const [path = '', ...query] = target.split('?')
  return [
    path.replaceAll(ENCODED, (encoded) => decode(encoded, KEPT_IN_PATH)),
    ...(query.length === 0 ? [] : [query.join('?').replaceAll(ENCODED, (encoded) => decode(encoded, KEPT_IN_QUERY))]),
  ].join('?')
}
