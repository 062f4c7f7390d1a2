import { isDateTime } from '../../service/contract/models.ts'
import { problem } from '../../errors.ts'
import type { KeptExchange } from '../../sessions/journal/kept-exchange.ts'
import { isFailed } from '../../sessions/journal/failure-kinds.ts'
import type { RedactedExchange } from '../../sessions/journal/record.ts'
import { compileJournalFilter, compileTitleFilter } from '../../sessions/journal/filter.ts'
import type { FilterContext } from '../../sessions/journal/filter.ts'
import { SEARCHED_CHARACTERS } from '../../sessions/journal/filter-terms.ts'
import { byAge } from '../../sessions/journal/journal.ts'
import { Periods, findRetryState } from '../../sessions/journal/summary.ts'
import type { RetryState } from '../../sessions/journal/summary.ts'
import { toSent } from '../../sessions/journal/target.ts'
import { toProjectId } from '../../service/state/project-data.ts'
import type { ProjectName } from '../../service/state/project-data.ts'
import { findProject } from './projects.ts'
import { inSlices } from '../../util/time-slices.ts'
import { EVERY_SESSION } from '../../sessions/events.ts'
import type { Session } from '../../sessions/sessions.ts'
import { findNear } from './explanation.ts'
import { findCount, findPosition, readSwitch, untilLeft } from './request.ts'
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

type ToSortKey = (exchange: KeptExchange) => string | number

/** Columns to sort by. */
const sortKeys = {
  time: ({ time }) => time,
  method: ({ method }) => method,
  path: ({ url }) => toSent(url).slice(0, SEARCHED_CHARACTERS),
  operation: ({ operation = '' }) => operation,
  session: ({ session }) => session,
  status: ({ status }) => status,
  took: ({ durationMilliseconds }) => durationMilliseconds,
} satisfies Readonly<Record<string, ToSortKey>>

/** The name of a column to sort by. */
export type SortName = keyof typeof sortKeys

const sortKeysByName = new Map<string, ToSortKey>(Object.entries(sortKeys))

interface SortOrder {
  readonly toKey: ToSortKey
  readonly isDescending: boolean
}

/** @throws {Problem} 400 for an unknown column. */
function findEntryOrder(query: URLSearchParams): SortOrder | undefined {
  const text = query.get('sort') ?? ''
  if (text === '') return undefined
  const isDescending = text.startsWith('-')
  const name = isDescending ? text.slice(1) : text
  const toKey = sortKeysByName.get(name)
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
function createIdentify(parts: AdminParts, toSession: (exchange: KeptExchange) => string): FilterContext['identify'] {
  const known = new Map<string, ReadonlySet<string>>()
  return function identify(idOrKey, exchange) {
    const [session, project] = [toSession(exchange), findProject(exchange)]
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

/** How a request relates to its other attempts. */
export function toRetryMembers(exchange: KeptExchange): RetryMembers {
  const first = exchange.attempt?.attempts.first ?? exchange
  const retry = findRetryState(exchange)
  return { ...(first === exchange ? {} : { retryOf: first.entry.id }), ...(retry === undefined ? {} : { retry }) }
}

/** A request without its headers and bodies. */
export function toEntrySummary(entry: RedactedExchange) {
  const {
    id,
    session,
    time,
    durationMilliseconds,
    operation,
    isPassedThrough,
    clientLeft,
    tookEffect,
    scenarios,
    warnings,
    request,
    response,
  } = entry
  const type = response.headers['content-type']?.split(';', 1)[0]
  const [nearest] = findNear(entry)
  return {
    id,
    session,
    time,
    durationMilliseconds,
    ...(operation === undefined ? {} : { operation }),
    ...(isPassedThrough === undefined ? {} : { isPassedThrough }),
    ...(clientLeft === undefined ? {} : { clientLeft }),
    ...(tookEffect === undefined ? {} : { tookEffect }),
    ...(nearest === undefined ? {} : { nearest: nearest.operation }),
    scenarios,
    method: request.method,
    url: toSent(request.url),
    status: response.status,
    ...(response.fault === undefined ? {} : { fault: response.fault }),
    ...(warnings.length === 0 ? {} : { warnings: warnings.length }),
    size: response.body?.size ?? 0,
    ...(type === undefined ? {} : { type }),
  }
}

/** How the requests of an operation went. */
export interface OperationCounts {
  /** Empty for requests that matched none. */
  readonly operation: string
  readonly requests: number
  readonly failures: number
  /** Most of them (95 %) took at most as long as this, in milliseconds. */
  readonly p95: number
}

/** Groups requests by operation, those with the most requests first. */
async function countOperations(found: readonly KeptExchange[]): Promise<readonly OperationCounts[]> {
  const groups = new Map<string, { readonly durations: number[]; failures: number }>()
  for await (const exchange of inSlices(found)) {
    const { operation = '', durationMilliseconds } = exchange
    const group = groups.get(operation) ?? { durations: [], failures: 0 }
    groups.set(operation, group)
    group.durations.push(durationMilliseconds)
    if (isFailed(exchange)) group.failures += 1
  }
  return Array.from(groups, ([operation, { durations, failures }]) => ({
    operation,
    requests: durations.length,
    failures,
    p95: durations.toSorted((a, b) => a - b)[Math.ceil(durations.length * 0.95) - 1] ?? 0,
  })).toSorted((a, b) => b.requests - a.requests)
}

/** Finds the requests in the archive whose test has the title that a filter names. */
async function findArchivedExchanges(parts: AdminParts, filter: string): Promise<ReadonlyMap<KeptExchange, Session>> {
  const found = new Map<KeptExchange, Session>()
  const isWanted = compileTitleFilter(filter)
  if (isWanted === undefined) return found
  for (const run of parts.runs.all()) {
    for (const { id, title, ended } of run.attempts()) {
      if (ended?.bytes === undefined || !isWanted(toTitle(title))) continue
      // oxlint-disable-next-line no-await-in-loop -- loads from a shared store; each may be large
      await parts.refresh?.(id)
      const session = parts.sessions.peek(id)
      for (const exchange of session.journal.exchanges()) found.set(exchange, session)
    }
  }
  return found
}

const toTitle = (titles: readonly string[]): string => titles.join(' › ')

/**
 * Selects journal entries, newest first unless `sort` names a column. `filter`, `since` and `unmatched` narrow the
 * selection; `before` is the id of the last request on the previous page, `offset` skips further ones, and `around` is the id
 * of a request in the middle of the page. With `session=*`, all sessions are included, and those in the archive whose test
 * the filter names.
 *
 * @throws {Problem} 400 for a malformed parameter, 404 if the list does not have the `before` request.
 */
export async function selectRequests(parts: AdminParts, request: AdminRequest, limit: number) {
  const { session, query } = request
  const isAll = query.get('session') === EVERY_SESSION
  const sessions = isAll ? [...parts.sessions.all()] : [session]
  const byName = new Map(sessions.map((one) => [one.name, one]))
  const since = findSince(query)
  const wantsUnmatched = readSwitch(query, 'unmatched')
  const order = findEntryOrder(query)
  const periods = findCount(query, 'periods')
  const filter = query.get('filter') ?? ''
  // An archived session has another name than its requests.
  const sessionOf = (exchange: KeptExchange): Session | undefined =>
    isAll ? (archived.get(exchange) ?? byName.get(exchange.session)) : session
  const isMatch = compileJournalFilter(filter, {
    now: parts.clock(),
    identify: createIdentify(parts, (exchange) => sessionOf(exchange)?.name ?? exchange.session),
    toTestTitle: (exchange) => toTitle(sessionOf(exchange)?.test?.title ?? []),
  })
  const archived: ReadonlyMap<KeptExchange, Session> = isAll ? await findArchivedExchanges(parts, filter) : new Map()
  const kept = isAll ? parts.journals.exchanges() : session.journal.exchanges()
  let found = (archived.size === 0 ? kept : [...archived.keys(), ...kept].toSorted(byAge)).toReversed()
  const isNarrowed = since !== undefined || wantsUnmatched || isMatch !== undefined
  if (isNarrowed) {
    const matching: KeptExchange[] = []
    for await (const one of untilLeft(request, inSlices(found))) {
      if (
        (since === undefined || one.time >= since) &&
        (!wantsUnmatched || one.isUnmatched) &&
        isMatch?.(one) !== false
      )
        matching.push(one)
    }
    found = matching
  }
  if (order !== undefined) {
    const { toKey, isDescending } = order
    const sign = isDescending ? -1 : 1
    const keyed: { readonly one: KeptExchange; readonly key: string | number }[] = []
    // If requests have the same key, the one recorded first is older.
    for await (const one of inSlices(isDescending ? found : found.toReversed())) keyed.push({ one, key: toKey(one) })
    const compare = (a: { key: string | number }, b: { key: string | number }): number =>
      a.key < b.key ? -sign : a.key > b.key ? sign : 0
    found = keyed.toSorted(compare).map(({ one }) => one)
  }
  const [before, around] = [findPosition(found, query, 'before'), findPosition(found, query, 'around')]
  const first = (before ?? -1) + 1
  const offset =
    around === undefined ? (findCount(query, 'offset') ?? 0) : Math.max(0, around - first - Math.floor(limit / 2))
  // The periods of whole journals are counted as requests come.
  const counted = isNarrowed ? [new Periods(found)] : sessions.map(({ journal }) => journal.periods())
  const meta = {
    total: found.length,
    kept: kept.length + archived.size,
    ...(around === undefined ? {} : { offset }),
    dropped: sessions.reduce((sum, { journal }) => sum + journal.dropped, 0),
    histogram: periods === undefined ? undefined : Periods.toHistogram(counted, periods),
    ...(readSwitch(query, 'operations') ? { operations: await countOperations(found) } : {}),
  }
  return {
    page: found.slice(first + offset, first + offset + limit),
    meta,
    findArchived: (exchange: KeptExchange) => archived.get(exchange)?.name,
  }
}
