import { Hono } from 'hono'
import { isDateTime } from '../contract/date-time.ts'
import { problem } from '../errors.ts'
import { REQUEST_LIMITS, parseJson } from '../http/json.ts'
import { toJson } from '../http/json-response.ts'
import { writeList } from '../http/json-list.ts'
import type { JournalEntry } from '../journal/entry.ts'
import { writeHar } from '../journal/har.ts'
import { collectNearRequests, findNearMisses } from '../journal/near-misses.ts'
import type { NearOperation } from '../journal/near-misses.ts'
import { PATTERN_LIMITS, matches, parsePattern } from '../journal/patterns.ts'
import {
  parseLoggedRequest,
  toJournaledRequest,
  toLoggedRequest,
  toOperationNearMiss,
  toRequestNearMiss,
  toServeEvent,
} from '../journal/wiremock-json.ts'
import { createPauses, scan } from '../query/effort.ts'
import type { Events } from '../sessions/events.ts'
import type { Session } from '../sessions/session.ts'
import { VERSION } from '../version.ts'
import { toJsonStream } from './json-stream.ts'
import { expectBody, findCount, readSwitch } from './request.ts'
import type { AdminContext, AdminEnv, AdminRequest } from './request.ts'
import { resend, resendBody } from './resend.ts'
import type { AskParts } from './resend.ts'

interface RequestParts extends AskParts {
  readonly events: Events
  /** Whether journals keep anything. */
  readonly isJournaling: boolean
}

/** How many requests are listed where nobody says how many: each may hold 64 KiB of body, more than once. */
const DEFAULT_LIMIT = 100

/** @throws {Problem} 400 for what is not an ISO 8601 date-time. */
function findSince(query: URLSearchParams): number | undefined {
  const text = query.get('since')
  if (text === null) return undefined
  if (isDateTime(text)) return Date.parse(text)
  throw problem.invalidField({
    field: 'since',
    invalidValue: text,
    message: `Malformed parameter: since: ${JSON.stringify(text.slice(0, 100))} is not a date-time. Use one such as 2026-01-31T12:00:00Z.`,
  })
}

const newestFirst = ({ session }: AdminRequest) => session.journal.exchanges().toReversed()

/** Reads each exchange when it is asked for: to read a whole journal at once would hold everybody up. */
function* readEach(exchanges: readonly { readonly entry: JournalEntry }[]): Generator<JournalEntry> {
  for (const { entry } of exchanges) yield entry
}

/** @throws {Problem} 404 if the journal does not have it. */
export function findEntry({ session }: AdminRequest, id: string): JournalEntry {
  const entry = session.journal.find(id)
  if (entry !== undefined) return entry
  throw problem.notFound(
    `The journal of the session "${session.name}" has no request ${JSON.stringify(id.slice(0, 100))}. GET /__admin/requests lists its requests.`,
  )
}

/** After so many requests whose near misses are searched others have their turn. */
const MOST_SEARCHED = 16

/** The near misses of all requests that met nothing; others have their turn meanwhile. */
async function findAllNearMisses(request: AdminRequest): Promise<readonly (readonly [JournalEntry, NearOperation])[]> {
  const found: (readonly [JournalEntry, NearOperation])[] = []
  const unmatched = newestFirst(request).filter((one) => one.isUnmatched)
  await scan(unmatched, createPauses(MOST_SEARCHED), ({ entry }) => {
    for (const miss of findNearMisses(entry)) found.push([entry, miss])
  })
  return found
}

function har({ session }: AdminRequest): Response {
  return toJsonStream(writeHar(readEach(session.journal.exchanges()), { name: 'resource-mock', version: VERSION }))
}

async function findNearOperations({ env: { admin } }: AdminContext): Promise<Response> {
  const request = parseLoggedRequest(await admin.readJson())
  return toJson({ nearMisses: findNearMisses({ request }).map((miss) => toOperationNearMiss(undefined, miss)) })
}

/** The requests that a pattern matches, the newest first; others have their turn meanwhile. */
async function findMatching({ session, readJson }: AdminRequest): Promise<readonly JournalEntry[]> {
  const pattern = parsePattern(await readJson(PATTERN_LIMITS))
  const found: JournalEntry[] = []
  await scan(session.journal.exchanges().toReversed(), pattern.effort, ({ entry }) => {
    if (matches(pattern, entry).isMatch) found.push(entry)
  })
  return found
}

async function findNearRequests({ env: { admin } }: AdminContext): Promise<Response> {
  const { session, readJson } = admin
  const pattern = parsePattern(await readJson(PATTERN_LIMITS))
  const { add, nearest } = collectNearRequests(pattern)
  await scan(session.journal.exchanges().toReversed(), pattern.effort, ({ entry }) => add(entry))
  return toJson({ nearMisses: nearest().map((miss) => toRequestNearMiss(pattern, miss)) })
}

/** The journal, in the shapes of WireMock's admin API, and as HAR. */
export function createRequestRoutes({ isJournaling, events, ...parts }: RequestParts): Hono<AdminEnv> {
  const requestJournalDisabled = !isJournaling

  /** Answers requests of the journal as a list. */
  const answer = (
    entries: Iterable<JournalEntry>,
    toItem: (entry: JournalEntry) => unknown,
    others: Readonly<Record<string, unknown>> = {},
  ): Response => toJsonStream(writeList('requests', entries, toItem, { ...others, requestJournalDisabled }))

  /** Tells those who show the journal that entries were removed (D68). */
  const tellGone = ({ name }: Session): void => events.publish({ kind: 'state', session: name })

  function clear({ session }: AdminRequest): Response {
    session.journal.clear()
    tellGone(session)
    return toJson({})
  }

  /** Removes those that a test finds, and returns them. */
  function remove(session: Session, isMeant: (entry: JournalEntry) => boolean): readonly JournalEntry[] {
    const removed = session.journal.remove(isMeant)
    if (removed.length > 0) tellGone(session)
    return removed
  }

  function list(request: AdminRequest): Response {
    const { query } = request
    const limit = findCount(query, 'limit') ?? DEFAULT_LIMIT
    const since = findSince(query)
    const wantsUnmatched = readSwitch(query, 'unmatched')
    const all = newestFirst(request)
    const found = all.filter(
      (one) => (since === undefined || one.time >= since) && (!wantsUnmatched || one.isUnmatched),
    )
    const meta = { total: found.length, dropped: request.session.journal.dropped }
    return answer(readEach(found.slice(0, limit)), toServeEvent, { meta })
  }

  const routes = new Hono<AdminEnv>()
  routes.get('/requests', ({ env: { admin } }) => list(admin))
  routes.delete('/requests', ({ env: { admin } }) => clear(admin))
  routes.get('/requests.har', ({ env: { admin } }) => har(admin))
  routes.post('/requests/reset', ({ env: { admin } }) => clear(admin))
  routes.post('/requests/count', async ({ env: { admin } }) => {
    const found = await findMatching(admin)
    return toJson({ count: found.length, requestJournalDisabled })
  })
  routes.post('/requests/find', async ({ env: { admin } }) => answer(await findMatching(admin), toJournaledRequest))
  routes.post('/requests/remove', async ({ env: { admin } }) => {
    const found = new Set(await findMatching(admin))
    const removed = remove(admin.session, (entry) => found.has(entry))
    return toJsonStream(writeList('serveEvents', removed, toServeEvent))
  })
  routes.get('/requests/unmatched', ({ env: { admin } }) =>
    answer(readEach(newestFirst(admin).filter((one) => one.isUnmatched)), toLoggedRequest),
  )
  routes.get('/requests/unmatched/near-misses', async ({ env: { admin } }) => {
    const misses = await findAllNearMisses(admin)
    return toJsonStream(writeList('nearMisses', misses, ([entry, miss]) => toOperationNearMiss(entry, miss)))
  })
  // WireMock's npm client calls the paths below /requests.
  for (const path of ['/near-misses', '/requests/near-misses']) {
    routes.post(`${path}/request`, findNearOperations)
    routes.post(`${path}/request-pattern`, findNearRequests)
  }
  routes.get('/requests/:id', ({ req, env: { admin } }) => toJson(toServeEvent(findEntry(admin, req.param('id')))))
  routes.delete('/requests/:id', ({ req, env: { admin } }) => {
    const { id } = findEntry(admin, req.param('id'))
    remove(admin.session, (entry) => entry.id === id)
    return toJson({})
  })
  routes.post('/requests/:id/resend', async ({ req, env: { admin } }) => {
    const entry = findEntry(admin, req.param('id'))
    const text = await admin.readText()
    const changes = text === '' ? {} : expectBody(resendBody, parseJson(text, REQUEST_LIMITS))
    return toJson(toServeEvent(await resend(entry, changes, admin.session, parts)))
  })
  return routes
}
