import type { JournalEntry } from '../journal/entry.ts'
import { toSent } from '../journal/target.ts'
import type { toServeEvent } from '../journal/wiremock-json.ts'

/** What the list of requests shows of an exchange. */
export interface Row {
  readonly id: string
  /** Epoch milliseconds by the mock's clock. */
  readonly time: number
  readonly session: string
  readonly method: string
  /** Path and query as they were sent. */
  readonly target: string
  /** Empty: the request met none. */
  readonly operation: string
  /** 0 where the connection was broken off. */
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

/** An exchange as the event stream tells it. */
export type ServeEvent = ReturnType<typeof toServeEvent>

/** The row of an exchange that the event stream told. */
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

/** Whether a client has to deal with it: an error, or no answer at all. */
export const isFailure = ({ status }: Pick<Row, 'status'>): boolean => status === 0 || status >= 400

const toPath = (target: string): string => target.split('?', 1)[0] ?? target

/** Whether a request has the session, method and path of another one, as its retry would; only the bodies tell whether it is one. */
export const mayBeRetryOf = (row: Row, other: Row): boolean =>
  row.session === other.session && row.method === other.method && toPath(row.target) === toPath(other.target)

/** The family of a status, by which it is coloured and marked: `2`, `3`, `4`, `5`, or `0` for a broken connection. */
export const toFamily = (status: number): string => String(Math.floor(status / 100))

/** From the question mark on, or the empty string. */
export const toQuery = (target: string): string => (target.includes('?') ? target.slice(target.indexOf('?')) : '')

/** `0.4 ms`, `12 ms`, `1.3 s`. */
export function toDurationText(milliseconds: number): string {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(1)} s`
  return `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`
}
