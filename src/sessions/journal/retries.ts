import { findJson, isJsonObject, stringifyJson } from '../../service/http/json.ts'
import { inSlices } from '../../util/time-slices.ts'
import { isFailedStatus, readEntries } from './record.ts'
import type { JournalEntry, KeptExchange } from './record.ts'
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

/** The keys that were found before: a live list asks for them again with each request that comes in. */
const knownKeys = new WeakMap<JournalEntry, string>()

/** A key that a request shares with its retries: the same operation on the same resource, with any version. */
function toRetryKey(entry: JournalEntry): string {
  const known = knownKeys.get(entry)
  if (known !== undefined) return known
  const { session, request } = entry
  const [path, ...search] = toSent(request.url).split('?')
  const query = new URLSearchParams(search.join('?'))
  query.delete('version')
  const key = JSON.stringify([session, request.method, path, String(query), toIntent(request.body)])
  knownKeys.set(entry, key)
  return key
}

/** A request and its retries, oldest first: failures, and then the success, if there was one. */
type Attempts = readonly [JournalEntry, ...JournalEntry[]]

/** One of the attempts at a request. */
export interface Attempt {
  readonly attempts: Attempts
  /** Its index in the attempts. */
  readonly at: number
}

/** What requests must have in common to be retries of each other. */
type PlacedRequest = Pick<KeptExchange, 'session' | 'method' | 'url'>

const toPlace = ({ session, method, url }: PlacedRequest): string => `${session} ${method} ${toSentPath(url)}`

/** Statuses below 500 that another attempt at the same request may overcome: a new token, or time. */
const TRANSIENT: ReadonlySet<number> = new Set([401, 408, 425, 429])

/** Whether a read fails as the one before did, for a reason that does not pass: a page that is opened again, not a retry. */
function failsAgain(entry: JournalEntry, before: JournalEntry | undefined): boolean {
  const { status } = entry.response
  const isRead = entry.request.method === 'GET' || entry.request.method === 'HEAD'
  return isRead && status >= 400 && status < 500 && !TRANSIENT.has(status) && status === before?.response.status
}

/**
 * Finds failed requests and their retries, by id. A request that succeeded at once is not included.
 *
 * @param exchanges oldest first
 * @param wanted only attempts at the same places as these requests are found
 */
export async function findAttempts(
  exchanges: readonly (PlacedRequest & Pick<KeptExchange, 'status' | 'entry'>)[],
  wanted: Iterable<PlacedRequest> = exchanges,
): Promise<ReadonlyMap<string, Attempt>> {
  const found = new Map<string, Attempt>()
  const [places, failedAt] = [new Set<string>(), new Set<string>()]
  for await (const one of inSlices(wanted)) places.add(toPlace(one))
  for await (const one of inSlices(exchanges)) {
    if (isFailedStatus(one.status) && places.has(toPlace(one))) failedAt.add(toPlace(one))
  }
  if (failedAt.size === 0) return found
  const candidates: (typeof exchanges)[number][] = []
  for await (const one of inSlices(exchanges)) if (failedAt.has(toPlace(one))) candidates.push(one)
  /** Attempts without a success so far. */
  const open = new Map<string, [JournalEntry, ...JournalEntry[]]>()
  for await (const entry of readEntries(candidates)) {
    const key = toRetryKey(entry)
    const hasFailed = isFailedStatus(entry.response.status)
    const earlier = open.get(key)
    if (earlier === undefined && !hasFailed) continue
    const isRetry = earlier !== undefined && !failsAgain(entry, earlier.at(-1))
    const attempts = isRetry ? earlier : ([entry] satisfies Attempts)
    if (isRetry) attempts.push(entry)
    else open.set(key, attempts)
    if (!hasFailed) open.delete(key)
    found.set(entry.id, { attempts, at: attempts.length - 1 })
  }
  return found
}

/** The retry of a failed request that succeeded. */
export function findRecovery({ attempts, at }: Attempt): JournalEntry | undefined {
  const last = attempts.at(-1)
  return last === undefined || at === attempts.length - 1 || isFailedStatus(last.response.status) ? undefined : last
}

/** The retry state of a request; undefined if it did not fail. */
export function findRetryState(attempt: Attempt | undefined): RetryState | undefined {
  const entry = attempt?.attempts[attempt.at]
  if (attempt === undefined || entry === undefined || !isFailedStatus(entry.response.status)) return undefined
  if (findRecovery(attempt) !== undefined) return 'succeeded'
  return attempt.at === attempt.attempts.length - 1 ? 'none' : 'failed'
}
