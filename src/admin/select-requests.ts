import { isDateTime } from '../contract/models.ts'
import { problem } from '../errors.ts'
import type { JournalEntry, KeptExchange } from '../journal/record.ts'
import { compileFilter } from '../journal/filter.ts'
import { SEARCHED_CHARACTERS } from '../journal/filter-terms.ts'
import { findAttempts, findRetryState } from '../journal/retries.ts'
import type { Attempt, RetryState } from '../journal/retries.ts'
import { toSent } from '../journal/target.ts'
import { createBudget, sortInSlices } from '../query/budget.ts'
import { EVERY_PROJECT, toProjectId } from '../state/project-data.ts'
import { inSlices } from '../util/turns.ts'
import { readSwitch } from './request.ts'
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
function findOrder(query: URLSearchParams): SortOrder | undefined {
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

/** Creates a function that finds all current and former ids and keys of a session's resource by one of them. */
function createIdentify({ store }: AdminParts, session: string): (idOrKey: string) => ReadonlySet<string> {
  return (idOrKey) => {
    const names = new Set([idOrKey])
    const fixtures = toProjectId(EVERY_PROJECT)
    const written = store.written(session)
    const projects = new Map([[fixtures, store.access(session, EVERY_PROJECT).read()], ...written])
    for (const [project, data] of projects) {
      const id = data.findByKey(idOrKey)?.id ?? store.history.findIdByKey(session, project, idOrKey)
      if (id !== undefined) names.add(id)
      const present = data.find(idOrKey)
      const versions = store.history.versions(session, project, idOrKey).map(({ resource }) => resource)
      for (const { key } of present === undefined ? versions : [present, ...versions])
        if (key !== undefined) names.add(key)
    }
    return names
  }
}

/** How a request relates to its other attempts. */
interface RetryMembers {
  /** The id of the first attempt. */
  readonly retryOf?: string
  /** Only for failed requests. */
  readonly retry?: RetryState
}

function toMembers(attempt: Attempt | undefined): RetryMembers {
  const retry = findRetryState(attempt)
  return {
    ...(attempt === undefined || attempt.at === 0 ? {} : { retryOf: attempt.attempts[0].id }),
    ...(retry === undefined ? {} : { retry }),
  }
}

/** A page of journal entries. */
export interface SelectedRequests {
  readonly page: readonly KeptExchange[]
  /** Number of matching requests on all pages. */
  readonly total: number
  /** Returns the members that relate a request to its other attempts; none unless the query has `retries=true`. */
  readonly toRetryMembers: (entry: JournalEntry) => RetryMembers
}

/**
 * Selects journal entries, newest first unless `sort` names a column. `filter`, `since` and `unmatched` narrow the
 * selection; `before` is the id of the last request on the previous page. Retries are found among all requests, including
 * those not listed.
 *
 * @throws {Problem} 400 for a malformed parameter, 404 if the list does not have the `before` request.
 */
export async function selectRequests(
  parts: AdminParts,
  { session, query }: AdminRequest,
  limit: number,
): Promise<SelectedRequests> {
  const { elapsed } = parts
  const since = findSince(query)
  const wantsUnmatched = readSwitch(query, 'unmatched')
  const order = findOrder(query)
  const filter = compileFilter(query.get('filter') ?? '', {
    now: session.clock.now(),
    identify: createIdentify(parts, session.name),
    // No session belongs to a test yet.
    toTestTitle: () => session.test?.title.join(' › '),
  })
  const exchanges = session.journal.exchanges()
  const isCandidate = (one: KeptExchange): boolean =>
    (since === undefined || one.time >= since) && (!wantsUnmatched || one.isUnmatched)
  const listsRetries = readSwitch(query, 'retries')
  const attempts =
    listsRetries || filter.needsRetries ? await findAttempts(exchanges, elapsed) : new Map<string, Attempt>()
  let found = exchanges.toReversed().filter(isCandidate)
  if (filter.isNarrowing) {
    const matching: KeptExchange[] = []
    for await (const one of inSlices(found, elapsed)) {
      const { entry } = one
      if (filter.isMatch({ entry, retry: findRetryState(attempts.get(entry.id)) })) matching.push(one)
    }
    found = matching
  }
  if (order !== undefined) {
    const { toKey, isDescending } = order
    const sign = isDescending ? -1 : 1
    const keyed: { readonly one: KeptExchange; readonly key: string | number }[] = []
    // If requests have the same key, the one recorded first is older.
    for await (const one of inSlices(isDescending ? found : found.toReversed(), elapsed))
      keyed.push({ one, key: toKey(one.entry) })
    const compare = (a: { key: string | number }, b: { key: string | number }): number =>
      a.key < b.key ? -sign : a.key > b.key ? sign : 0
    found = (await sortInSlices(keyed, compare, createBudget({ elapsed }))).map(({ one }) => one)
  }
  const before = query.get('before')
  const start = before === null ? 0 : found.findIndex(({ id }) => id === before) + 1
  if (before !== null && start === 0) {
    throw problem.notFound(
      `The list has no request ${JSON.stringify(before.slice(0, 100))} (parameter before). Start again from the first page.`,
    )
  }
  const toRetryMembers = ({ id }: JournalEntry): RetryMembers => (listsRetries ? toMembers(attempts.get(id)) : {})
  return { page: found.slice(start, start + limit), total: found.length, toRetryMembers }
}
