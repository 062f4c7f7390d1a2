import { isRead } from '../../service/http/request-head.ts'
import { findJson, isJsonObject, stringifyJson } from '../../service/http/json.ts'
import type { Attempts, KeptExchange } from './kept-exchange.ts'
import { isFailedStatus } from './record.ts'
import type { KeptBody } from './redact.ts'
import { toSent, toSentPath } from './target.ts'

/** Whether a failed request was retried, and whether any retry succeeded. */
export type RetryState = 'none' | 'failed' | 'succeeded'

/** Only this many characters of a body distinguish requests. */
const COMPARED_BODY = 2000

/** Identifies a body by the actions of an update or the key of a draft, if any; the rest may differ in a retry. */
function toIntent(body: KeptBody | undefined): string {
  if (body === undefined) return ''
  const value = body.encoding === 'utf-8' ? findJson(body.text) : undefined
  const text = `${body.size} ${body.text.slice(0, COMPARED_BODY)}`
  if (!isJsonObject(value)) return text
  const { actions, key } = value
  if (Array.isArray(actions)) {
    return stringifyJson(actions.map((one: unknown) => (isJsonObject(one) ? one['action'] : one)))
  }
  return typeof key === 'string' ? `key ${key}` : text
}

/** Statuses below 500 that another attempt at the same request may overcome: a new token, or time. */
const TRANSIENT: ReadonlySet<number> = new Set([401, 408, 425, 429])

/** Whether a read fails as the one before did, for a reason that does not pass: a page that is opened again, not a retry. */
function failsAgain({ method, status }: KeptExchange, before: KeptExchange): boolean {
  return isRead(method) && status >= 400 && status < 500 && !TRANSIENT.has(status) && status === before.status
}

/** Creates what relates the exchanges of a session to their retries, as they come and go. */
export function createRetries() {
  /** Attempts without a success so far, by method and path, and by key. Only requests to these places are compared. */
  const open = new Map<string, Map<string, Attempts>>()

  function close({ place, key }: Attempts): void {
    const here = open.get(place)
    here?.delete(key)
    if (here?.size === 0) open.delete(place)
  }

  return {
    /** Returns the failed attempt that the newest exchange retries. */
    add(exchange: KeptExchange): KeptExchange | undefined {
      exchange.attempt = undefined
      const hasFailed = isFailedStatus(exchange.status)
      if (!hasFailed && open.size === 0) return undefined
      const place = `${exchange.method} ${toSentPath(exchange.url)}`
      const here = open.get(place)
      if (!hasFailed && here === undefined) return undefined
      // What a request at a place shares with its retries, which may have another version.
      const [, ...search] = toSent(exchange.url).split('?')
      const query = new URLSearchParams(search.join('?'))
      query.delete('version')
      exchange.intent ??= toIntent(exchange.requestBody)
      const key = JSON.stringify([String(query), exchange.intent])
      const known = here?.get(key)
      const previous = known === undefined || failsAgain(exchange, known.last) ? undefined : known.last
      if (!hasFailed && previous === undefined) return undefined
      const attempts = (previous && known) ?? { place, key, first: exchange, last: exchange }
      attempts.last = exchange
      exchange.attempt = { attempts, previous, next: undefined }
      if (previous?.attempt !== undefined) previous.attempt.next = exchange
      if (!hasFailed) close(attempts)
      else if (previous === undefined) open.set(place, (here ?? new Map<string, Attempts>()).set(key, attempts))
      return previous
    },
    /** Forgets the oldest exchange. */
    drop({ attempt }: KeptExchange): void {
      if (attempt === undefined) return
      const { attempts, next } = attempt
      if (next?.attempt === undefined) {
        if (open.get(attempts.place)?.get(attempts.key) === attempts) close(attempts)
        return
      }
      attempts.first = next
      next.attempt.previous = undefined
      if (!isFailedStatus(next.status)) next.attempt = undefined
    },
  }
}

/** The retry of a failed request that succeeded. */
export function findRecovery({ status, attempt }: KeptExchange): KeptExchange | undefined {
  const last = attempt?.attempts.last
  return last === undefined || !isFailedStatus(status) || isFailedStatus(last.status) ? undefined : last
}

/** The retry state of a request; undefined if it did not fail. */
export function findRetryState(exchange: KeptExchange): RetryState | undefined {
  if (!isFailedStatus(exchange.status)) return undefined
  if (findRecovery(exchange) !== undefined) return 'succeeded'
  return exchange.attempt?.next === undefined ? 'none' : 'failed'
}
