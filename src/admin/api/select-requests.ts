import { isDateTime } from '../../service/contract/models.ts'
import { problem } from '../../errors.ts'
import { isFailedStatus } from '../../sessions/journal/record.ts'
import type { JournalEntry, KeptExchange } from '../../sessions/journal/record.ts'
import { compileJournalFilter } from '../../sessions/journal/filter.ts'
import type { FilterContext } from '../../sessions/journal/filter.ts'
import { SEARCHED_CHARACTERS } from '../../sessions/journal/filter-terms.ts'
import { findAttempts, findRetryState } from '../../sessions/journal/retries.ts'
import type { Attempt, RetryState } from '../../sessions/journal/retries.ts'
import { toSent } from '../../sessions/journal/target.ts'
import { toProjectId } from '../../service/state/project-data.ts'
import type { ProjectName } from '../../service/state/project-data.ts'
import { findProject } from './projects.ts'
import { inSlices } from '../../util/time-slices.ts'
import { EVERY_SESSION } from '../../sessions/events.ts'
import { findNear } from './explanation.ts'
import { findCount, readSwitch } from './request.ts'
import type { AdminRequest, AdminParts } from './request.ts'

/** @throws {Problem} 400 if it is not an ISO 8601 date-time. */
function findSince(query: URLSearchParams): number | undefined {
  const text = query.get('since')
  if (text === null) return undefined
  if (isDateTime(text)) return Date.parse(text)
  throw problem.invalidField({
    field: 'since',
    invalidValue: text,
    message: `Malformed parameter: since: ${JSON.stringify(text.slice(0, 100))} is not a date-time. Example: 2026-01-31T12:00:00Z.`,
  })
}

/** Columns to sort by. */
const sortKeys: Readonly<Record<string, (entry: JournalEntry) => string | number>> = {
  time: ({ time }) => time,
  method: ({ request }) => request.method,
  path: ({ request }) => toSent(request.url).slice(0, SEARCHED_CHARACTERS),
  operation: ({ operation = '' }) => operation,
  session: ({ session }) => session,
  status: ({ response }) => response.status,
  took: ({ durationMilliseconds }) => durationMilliseconds,
}

interface SortOrder {
  readonly toKey: (entry: JournalEntry) => string | number
  readonly isDescending: boolean
}

/** @throws {Problem} 400 for an unknown column. */
function findEntryOrder(query: URLSearchParams): SortOrder | undefined {
  const text = query.get('sort') ?? ''
  if (text === '') return undefined
  const isDescending = text.startsWith('-')
  const name = isDescending ? text.slice(1) : text
  const toKey = Object.hasOwn(sortKeys, name) ? sortKeys[name] : undefined
  if (toKey !== undefined) return { toKey, isDescending }
  const names = Object.keys(sortKeys)
  throw problem.invalidField({
    field: 'sort',
    invalidValue: text,
    allowedValues: names.flatMap((one) => [one, `-${one}`]),
    message: `Malformed parameter: sort: ${JSON.stringify(text.slice(0, 100))} is unknown. Use one of ${names.join(', ')}, prefixed with - for descending order.`,
  })
}

/** Finds all current and former ids and keys of a project's resource by one of them. */
function findNames({ store }: AdminParts, session: string, project: ProjectName, idOrKey: string): ReadonlySet<string> {
  const projectId = toProjectId(project)
  const data = store.access(session, project).read()
  const names = new Set([idOrKey])
  const id = data.findByKey(idOrKey)?.id ?? store.history.findIdByKey(session, projectId, idOrKey)
  if (id !== undefined) names.add(id)
  const present = data.find(idOrKey)
  const versions = store.history.versions(session, projectId, idOrKey).map(({ resource }) => resource)
  for (const { key } of present === undefined ? versions : [present, ...versions]) if (key !== undefined) names.add(key)
  return names
}

/**
 * Creates a function that finds the ids and keys of a resource in the project of a request; once for each project.
 *
 * @param toSession returns the name of the session that has the data of a request
 */
function createIdentify(parts: AdminParts, toSession: (entry: JournalEntry) => string): FilterContext['identify'] {
  const known = new Map<string, ReadonlySet<string>>()
  return function identify(idOrKey, entry) {
    const [session, project] = [toSession(entry), findProject(entry)]
    const name = JSON.stringify([session, project, idOrKey])
    const names =
      known.get(name) ?? (project === undefined ? new Set([idOrKey]) : findNames(parts, session, project, idOrKey))
    known.set(name, names)
    return names
  }
}

/** How a request relates to its other attempts. */
export interface RetryMembers {
  /** The id of the first attempt. */
  readonly retryOf?: string
  /** Only for failed requests. */
  readonly retry?: RetryState
}

function toRetryState(attempt: Attempt | undefined): RetryMembers {
  const retry = findRetryState(attempt)
  return {
    ...(attempt === undefined || attempt.at === 0 ? {} : { retryOf: attempt.attempts[0].id }),
    ...(retry === undefined ? {} : { retry }),
  }
}

/** Counts of requests in equal periods. */
export interface Histogram {
  /** Start of the first period in ISO 8601. */
  readonly from: string
  /** Length of a period in milliseconds. */
  readonly step: number
  readonly counts: readonly number[]
  /** Counts of the requests that failed. */
  readonly failed: readonly number[]
}

const MOST_PERIODS = 200

/** Counts requests in equal periods, from the first to the last request; undefined without requests. */
export function toHistogram(
  exchanges: readonly Pick<KeptExchange, 'time' | 'status'>[],
  wanted: number,
): Histogram | undefined {
  let [from, to] = [Infinity, -Infinity]
  for (const { time } of exchanges) [from, to] = [Math.min(from, time), Math.max(to, time)]
  const periods = Math.min(Math.max(wanted, 1), MOST_PERIODS)
  if (from > to) return undefined
  const step = Math.ceil((to - from + 1) / periods)
  const counts = Array.from({ length: periods }, () => 0)
  const failed = [...counts]
  for (const { time, status } of exchanges) {
    const at = Math.floor((time - from) / step)
    counts[at] = (counts[at] ?? 0) + 1
    if (isFailedStatus(status)) failed[at] = (failed[at] ?? 0) + 1
  }
  return { from: new Date(from).toISOString(), step, counts, failed }
}

/** A request without its headers and bodies. */
export function toEntrySummary(entry: JournalEntry) {
  const { id, session, time, durationMilliseconds, operation, isPassedThrough, scenarios, request, response } = entry
  const [nearest] = findNear(entry)
  return {
    id,
    session,
    time,
    durationMilliseconds,
    ...(operation === undefined ? {} : { operation }),
    ...(isPassedThrough === undefined ? {} : { isPassedThrough }),
    ...(nearest === undefined ? {} : { nearest: nearest.operation }),
    scenarios,
    method: request.method,
    url: toSent(request.url),
    status: response.status,
    ...(response.fault === undefined ? {} : { fault: response.fault }),
  }
}

/**
 * The index of the request that a parameter names; undefined without the parameter.
 *
 * @throws {Problem} 404 if the list does not have it.
 */
function findIndex(
  found: readonly KeptExchange[],
  query: URLSearchParams,
  parameter: 'before' | 'around',
): number | undefined {
  const named = query.get(parameter)
  if (named === null) return undefined
  const at = found.findIndex(({ id }) => id === named)
  if (at !== -1) return at
  throw problem.notFound(
    `The list has no request ${JSON.stringify(named.slice(0, 100))} (parameter ${parameter}). Start again from the first page.`,
  )
}

/** A page of journal entries. */
export interface SelectedRequests {
  readonly page: readonly KeptExchange[]
  readonly meta: {
    /** Number of matching requests on all pages. */
    readonly total: number
    /** Number of requests in the journal. */
    readonly kept: number
    /** Number of requests before the page, if the query has `around`. */
    readonly offset?: number
    readonly dropped: number
    /** Of the matching requests, if the query has `periods`. */
    readonly histogram: Histogram | undefined
  }
  /** Returns the members that relate a request to its other attempts; none unless the query has `retries=true`. */
  readonly toRetryMembers: (entry: JournalEntry) => RetryMembers
}

/**
 * Selects journal entries, newest first unless `sort` names a column. `filter`, `since` and `unmatched` narrow the
 * selection; `before` is the id of the last request on the previous page, `offset` skips further ones, and `around` is the id
 * of a request in the middle of the page. With `session=*`, all sessions are included.
 * Retries are found among all requests, including those not listed.
 *
 * @throws {Problem} 400 for a malformed parameter, 404 if the list does not have the `before` request.
 */
export async function selectRequests(
  parts: AdminParts,
  { session, query }: AdminRequest,
  limit: number,
): Promise<SelectedRequests> {
  const isAll = query.get('session') === EVERY_SESSION
  const sessions = isAll ? [...parts.sessions.all()] : [session]
  const tests = new Map(sessions.map(({ name, test }) => [name, test]))
  const since = findSince(query)
  const wantsUnmatched = readSwitch(query, 'unmatched')
  const order = findEntryOrder(query)
  const filter = compileJournalFilter(query.get('filter') ?? '', {
    now: parts.clock(),
    // An archived session has another name than its requests.
    identify: createIdentify(parts, (entry) => (isAll ? entry.session : session.name)),
    toTestTitle: (name) => (isAll ? tests.get(name) : session.test)?.title.join(' › '),
  })
  const exchanges = isAll ? parts.journals.exchanges() : session.journal.exchanges()
  const isCandidate = (one: KeptExchange): boolean =>
    (since === undefined || one.time >= since) && (!wantsUnmatched || one.isUnmatched)
  const listsRetries = readSwitch(query, 'retries')
  const filtered = filter.needsRetries ? await findAttempts(exchanges) : undefined
  let found = exchanges.toReversed().filter(isCandidate)
  if (filter.isNarrowing) {
    const matching: KeptExchange[] = []
    for await (const one of inSlices(found)) {
      const { entry } = one
      if (filter.isMatch({ entry, retry: findRetryState(filtered?.get(entry.id)) })) matching.push(one)
    }
    found = matching
  }
  if (order !== undefined) {
    const { toKey, isDescending } = order
    const sign = isDescending ? -1 : 1
    const keyed: { readonly one: KeptExchange; readonly key: string | number }[] = []
    // If requests have the same key, the one recorded first is older.
    for await (const one of inSlices(isDescending ? found : found.toReversed()))
      keyed.push({ one, key: toKey(one.entry) })
    const compare = (a: { key: string | number }, b: { key: string | number }): number =>
      a.key < b.key ? -sign : a.key > b.key ? sign : 0
    found = keyed.toSorted(compare).map(({ one }) => one)
  }
  const [before, around] = [findIndex(found, query, 'before'), findIndex(found, query, 'around')]
  const first = (before ?? -1) + 1
  const offset =
    around === undefined ? (findCount(query, 'offset') ?? 0) : Math.max(0, around - first - Math.floor(limit / 2))
  const page = found.slice(first + offset, first + offset + limit)
  const attempts = listsRetries ? (filtered ?? (await findAttempts(exchanges, page))) : undefined
  const toRetryMembers = ({ id }: JournalEntry): RetryMembers =>
    attempts === undefined ? {} : toRetryState(attempts.get(id))
  const periods = findCount(query, 'periods')
  const meta = {
    total: found.length,
    kept: exchanges.length,
    ...(around === undefined ? {} : { offset }),
    dropped: sessions.reduce((sum, { journal }) => sum + journal.dropped, 0),
    histogram: periods === undefined ? undefined : toHistogram(found, periods),
  }
  return { page, meta, toRetryMembers }
}
