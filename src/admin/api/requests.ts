import * as z from 'zod'
import { problem, toMessage } from '../../errors.ts'
import {
  ADMIN_PATH,
  parseAddress,
  splitUrl,
  expectShortHead,
  isKnownMethod,
  isRead,
} from '../../service/http/request-head.ts'
import { parseJson, stringifyJson } from '../../service/http/json.ts'
import { readBytes, decodeUtf8 } from '../../service/http/body.ts'
import { toCutNote, readEntries } from '../../sessions/journal/record.ts'
import { fillSecrets, toSendableHeaders, writeHar } from '../../sessions/journal/har.ts'
import { toJson } from '../../service/http/envelope.ts'
import { MAX_BYTES } from '../../service/http/sizes.ts'
import { writeList } from '../../service/http/json-list.ts'
import { findNearMisses, findNearRequests } from '../../sessions/journal/near-misses.ts'
import type { NearOperation } from '../../sessions/journal/near-misses.ts'
import { matchEntries, parsePattern } from '../../sessions/journal/patterns.ts'
import {
  parseRequestLine,
  toJournalEntry,
  toWireMockRequest,
  toOperationNearMiss,
  toRequestNearMiss,
  toWireMockEvent,
} from '../../sessions/journal/wiremock-json.ts'
import { VERSION } from '../../version.ts'
import { toJsonStream } from './state.ts'
import { expectBody, findCount, findPosition, readSwitch, untilLeft } from './request.ts'
import type { KeptExchange } from '../../sessions/journal/kept-exchange.ts'
import type { RedactedExchange } from '../../sessions/journal/record.ts'
import { inSlices } from '../../util/time-slices.ts'
import type { KeptBody } from '../../sessions/journal/redact.ts'
import type { AdminRequest, AdminParts, AdminRoutes } from './request.ts'
import { EVERY_SESSION } from '../../sessions/events.ts'
import type { Session } from '../../sessions/sessions.ts'

/** Request timeout, in milliseconds. */
const RESEND_TIMEOUT = 30_000

/**
 * Sends a request to the mock itself and returns its journal entry.
 *
 * @param toRequest creates the request; its journal entry is found by correlation id
 * @throws {Problem} 414 or 431 if its URL or headers are too long to send over a socket.
 */
export async function sendRecorded(
  { name, journal }: Session,
  correlationId: string,
  { send, refresh }: Pick<AdminParts, 'send' | 'refresh'>,
  toRequest: (signal: AbortSignal) => Request,
): Promise<RedactedExchange | undefined> {
  const request = toRequest(AbortSignal.timeout(RESEND_TIMEOUT))
  request.headers.set('X-Correlation-ID', correlationId)
  expectShortHead(request)
  try {
    const response = await send(request)
    // A chunked body is recorded after its last chunk.
    await response.arrayBuffer()
  } catch {
    // A scenario broke the connection; the journal says how.
  }
  await refresh?.(name)
  // Reads only the matching entry.
  return journal.exchanges().findLast((one) => one.correlationId === correlationId)?.entry
}

/** More than any request to the service needs. */
const MOST_HEADERS = 200

/** The schema for request headers, by name. */
export const toHeaderSchema = <Value extends z.ZodType>(value: Value) =>
  z.record(z.string(), value).refine((headers) => Object.keys(headers).length <= MOST_HEADERS, {
    error: `at most ${MOST_HEADERS} headers expected.`,
  })

/** The methods that `Request` changes to capitals (https://fetch.spec.whatwg.org/#concept-method-normalize). */
const NORMALIZED = /^(?:delete|get|head|options|post|put)$/i

/** The schema for a method that can be sent. */
export const sentMethod = z.string().refine((method) => NORMALIZED.test(method) || isKnownMethod(method), {
  error: 'an HTTP method in capitals, such as PATCH, expected.',
})

/** Changes to the original request. */
export const resendBody = z.strictObject({
  method: sentMethod.optional(),
  /** Path and query. */
  url: z.string().startsWith('/').optional(),
  /** By name; null removes a header. */
  headers: toHeaderSchema(z.string().nullable()).optional(),
  /** Strings are sent as they are, other values as JSON. */
  body: z.unknown().optional(),
})

export type RequestChanges = z.output<typeof resendBody>

/** @throws {Problem} 400 if the journal truncated it. */
function toSendableBody(body: KeptBody | undefined): string | Uint8Array<ArrayBuffer> | undefined {
  if (body === undefined) return undefined
  if (body.isCut) {
    throw problem.invalidInput(
      `The journal has only part of the body (${toCutNote(body)}). Send the whole body as "body".`,
    )
  }
  if (body.encoding === 'utf-8') return fillSecrets(body.text)
  return Uint8Array.from(atob(body.text), (character) => character.charCodeAt(0))
}

/** @throws {Problem} 400 if the URL belongs to another session or the admin API. */
function toResentUrl({ request: { url } }: RedactedExchange, changed: string | undefined, session: string): string {
  const whole = changed === undefined ? fillSecrets(url) : splitUrl(url).origin + changed
  const address = parseAddress(whole)
  if (address.path.startsWith(ADMIN_PATH)) {
    throw problem.invalidInput(
      `Only requests to the service can be resent, not those to ${ADMIN_PATH}. Change the url, or send it with an HTTP client.`,
    )
  }
  if (address.session === undefined || address.session === session) return whole
  throw problem.invalidInput(
    `The URL names session "${address.session}", but the request belongs to session "${session}". Leave the session out of the url, or resend a request of that session.`,
  )
}

function toResentRequest(
  entry: RedactedExchange,
  changes: RequestChanges,
  session: string,
  signal: AbortSignal,
): Request {
  const { method = entry.request.method } = changes
  const url = toResentUrl(entry, changes.url, session)
  const isUnchanged = changes.body === undefined
  const changed = typeof changes.body === 'string' ? changes.body : stringifyJson(changes.body)
  const body = isUnchanged && isRead(method) ? undefined : isUnchanged ? toSendableBody(entry.request.body) : changed
  try {
    const headers = new Headers(toSendableHeaders(entry).map(([name, value]) => [name, value]))
    for (const [name, value] of Object.entries(changes.headers ?? {})) {
      if (value === null) headers.delete(name)
      else headers.set(name, value)
    }
    headers.set('X-Mock-Session', session)
    // Otherwise, `Request` would default to text/plain.
    if (body !== undefined && !headers.has('Content-Type')) headers.set('Content-Type', 'application/json')
    return new Request(url, { method, headers, body: body === undefined || body === '' ? null : body, signal })
  } catch (error) {
    const reason = toMessage(error).replace(/\.$/, '')
    throw problem.invalidInput(`Cannot send the request: ${reason}. Correct its method, url or headers.`)
  }
}

/**
 * Resends a request from the journal and returns the new entry, whose correlation id names the original.
 *
 * @throws {Problem} 400 if the request cannot be sent, 404 if the journal did not keep it.
 */
export async function resend(
  entry: RedactedExchange,
  changes: RequestChanges,
  session: Session,
  parts: Pick<AdminParts, 'send' | 'refresh'>,
): Promise<RedactedExchange> {
  const correlationId = `resend-${entry.id}-${crypto.randomUUID().slice(0, 8)}`
  const sent = await sendRecorded(session, correlationId, parts, (signal) =>
    toResentRequest(entry, changes, session.name, signal),
  )
  if (sent !== undefined) return sent
  throw problem.notFound(
    'The request was resent, but newer requests have already replaced it in the journal. To keep more of them, raise --journal.',
  )
}

/** Default page size: each request may have several bodies of 64 KiB. */
const ENTRIES_A_PAGE = 100

const newestFirst = ({ session }: AdminRequest) => session.journal.exchanges().toReversed()

/** @throws {Problem} 404 if the journal does not have it. */
export function findEntry({ session }: AdminRequest, id: string): RedactedExchange {
  const entry = session.journal.find(id)
  if (entry !== undefined) return entry
  throw problem.notFound(
    `The journal of session "${session.name}" has no request ${JSON.stringify(id.slice(0, 100))}. GET /__admin/requests lists its requests.`,
  )
}

/** The near misses of unmatched requests. */
async function* findAllNearMisses(
  unmatched: AsyncIterable<RedactedExchange>,
): AsyncGenerator<readonly [RedactedExchange, NearOperation]> {
  for await (const entry of unmatched) for (const miss of findNearMisses(entry)) yield [entry, miss]
}

async function findNearOperations(admin: AdminRequest): Promise<Response> {
  const request = parseRequestLine(await admin.readJson())
  return toJson({ nearMisses: findNearMisses({ request }).map((miss) => toOperationNearMiss(undefined, miss)) })
}

const readUnmatched = (request: AdminRequest) => readEntries(newestFirst(request).filter((one) => one.isUnmatched))

/** Routes for the journal, in the format of WireMock's admin API and as HAR. */
export function createRequestRoutes(parts: AdminParts): AdminRoutes {
  const { isJournaling, events, maxBody, runInTime } = parts
  const requestJournalDisabled = !isJournaling

  /** Matches journal entries against the pattern of a request's body, newest first. */
  async function matchAll(request: AdminRequest, exchanges = newestFirst(request)) {
    const pattern = parsePattern(await request.readJson(MAX_BYTES.pattern))
    return { pattern, matched: untilLeft(request, matchEntries(pattern, exchanges, runInTime)) }
  }

  async function findMatching(request: AdminRequest, exchanges = newestFirst(request), limit = Infinity) {
    const found: RedactedExchange[] = []
    const { matched } = await matchAll(request, exchanges)
    for await (const { entry, differences } of matched) {
      if (found.length === limit) break
      if (differences.length === 0) found.push(entry)
    }
    return found
  }

  async function answerNearRequests(request: AdminRequest): Promise<Response> {
    const { pattern, matched } = await matchAll(request)
    const misses = await findNearRequests(pattern, matched)
    return toJson({ nearMisses: misses.map((miss) => toRequestNearMiss(pattern, miss)) })
  }

  /** Responds with a list of journal entries. */
  const answer = (
    entries: Iterable<RedactedExchange> | AsyncIterable<RedactedExchange>,
    toItem: (entry: RedactedExchange) => unknown,
  ): Response => toJsonStream(writeList('requests', entries, toItem, () => ({ requestJournalDisabled })))

  /** Publishes that entries were removed (D68). */
  const publishRemoval = ({ name }: Session): void => events.publish({ kind: 'state', session: name })

  function clear({ session, query }: AdminRequest): Response {
    for (const one of query.get('session') === EVERY_SESSION ? parts.sessions.all() : [session]) {
      one.journal.clear()
      publishRemoval(one)
    }
    return toJson({})
  }

  /** Removes the entries with these ids and returns them. */
  function remove(session: Session, ids: Iterable<string>): readonly RedactedExchange[] {
    const removed = session.journal.remove(new Set(ids))
    if (removed.length > 0) publishRemoval(session)
    return removed
  }

  async function list(request: AdminRequest): Promise<Response> {
    const limit = findCount(request.query, 'limit') ?? ENTRIES_A_PAGE
    // Loaded when it is first needed, because a page that embeds a mock rarely needs it.
    const { selectRequests, toEntrySummary: toSummary, toRetryMembers } = await import('./select-requests.ts')
    const { page, meta, findArchived } = await selectRequests(parts, request, limit)
    const toOwn = readSwitch(request.query, 'summary') ? toSummary : toWireMockEvent
    const hasRetries = readSwitch(request.query, 'retries')
    const toItem = (one: KeptExchange) => {
      const session = findArchived(one)
      return {
        ...toOwn(one.entry),
        ...(hasRetries ? toRetryMembers(one) : {}),
        ...(session === undefined ? {} : { session }),
      }
    }
    return toJsonStream(writeList('requests', inSlices(page), toItem, () => ({ meta, requestJournalDisabled })))
  }

  return {
    'GET /requests': list,
    'DELETE /requests': clear,
    'GET /requests.har': async (admin) => {
      const { selectRequests } = await import('./select-requests.ts')
      const { page } = await selectRequests(parts, admin, Infinity)
      const creator = { name: 'resource-mock', version: VERSION }
      return toJsonStream(
        writeHar(readEntries(page.toReversed()), creator, (session) => parts.runs.find(session)?.title.join(' › ')),
      )
    },
    'POST /requests/reset': clear,
    'POST /requests/count': async (admin) => {
      const found = await findMatching(admin)
      return toJson({ count: found.length, requestJournalDisabled })
    },
    'POST /requests/find': async (admin) => {
      const all = newestFirst(admin)
      const rest = all.slice((findPosition(all, admin.query, 'before') ?? -1) + 1)
      return answer(await findMatching(admin, rest, findCount(admin.query, 'limit')), toJournalEntry)
    },
    'POST /requests/remove': async (admin) => {
      const found = await findMatching(admin)
      // A search that its client ended is incomplete.
      if (admin.hasLeft()) return toJson({})
      const removed = remove(
        admin.session,
        found.map(({ id }) => id),
      )
      return toJsonStream(writeList('serveEvents', removed, toWireMockEvent))
    },
    'GET /requests/unmatched': (admin) => answer(readUnmatched(admin), toWireMockRequest),
    'GET /requests/unmatched/near-misses': (admin) => {
      const misses = findAllNearMisses(readUnmatched(admin))
      return toJsonStream(writeList('nearMisses', misses, ([entry, miss]) => toOperationNearMiss(entry, miss)))
    },
    // WireMock's npm client uses the paths below /requests.
    'POST /near-misses/request': findNearOperations,
    'POST /requests/near-misses/request': findNearOperations,
    'POST /near-misses/request-pattern': answerNearRequests,
    'POST /requests/near-misses/request-pattern': answerNearRequests,
    'GET /requests/:id': (admin, param) => toJson(toWireMockEvent(findEntry(admin, param('id')))),
    'DELETE /requests/:id': (admin, param) => {
      const { id } = findEntry(admin, param('id'))
      remove(admin.session, [id])
      return toJson({})
    },
    'POST /requests/:id/resend': async (admin, param) => {
      const entry = findEntry(admin, param('id'))
      const text = decodeUtf8(await readBytes(admin.exchange.request, maxBody))
      const changes = text === '' ? {} : expectBody(resendBody, parseJson(text))
      return toJson(toWireMockEvent(await resend(entry, changes, admin.session, parts)))
    },
  }
}
