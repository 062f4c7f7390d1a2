import { encoder } from '../../service/http/body.ts'
import { pathOf } from '../client/admin-client.ts'
import { isRead, ADMIN_PATH, parseAddress, findSessionName } from '../../service/http/request-head.ts'
import { Problem, SetupError } from '../../errors.ts'
import { EVERY_SCOPE } from '../../service/auth/authenticate.ts'
import { findJson, stringifyJson } from '../../service/http/json.ts'
import type { JournalEntry, toWireMockEvent } from '../../sessions/journal/wiremock-json.ts'
import type { MockAccess } from './tool.ts'

/** A body as JSON if it is. Integers above 2^53 become strings, because clients would round them (D3). */
function parseShownBody(text: string): unknown {
  if (text === '') return undefined
  const value = /^\s*[[{]/.test(text) ? findJson(text) : undefined
  if (value === undefined) return text
  return JSON.parse(stringifyJson(value, undefined, (_name, one) => (typeof one === 'bigint' ? String(one) : one)))
}

/** A journal entry with bodies as JSON, without what the admin API repeats for WireMock. */
export function toExchange(entry: JournalEntry) {
  const { id, loggedDateString: time, correlationId, operation, clientLeft, tookEffect, scenarios, warnings } = entry
  const { method, url, headers, body, bodySize } = entry
  const { bodyAsBase64: _repeated, body: text, ...response } = entry.response
  const members = { id, time, correlationId, operation, clientLeft, tookEffect, scenarios, warnings }
  return {
    ...members,
    request: { method, url, headers, bodySize, body: parseShownBody(body) },
    response: { ...response, body: parseShownBody(text) },
  }
}

/** Summarizes an exchange for lists. */
export function toSummary({
  id,
  loggedDateString: time,
  method,
  url,
  operation,
  clientLeft,
  tookEffect,
  scenarios,
  response,
}: JournalEntry) {
  const { status, fault } = response
  return { id, time, method, url, operation, status, fault, clientLeft, tookEffect, scenarios }
}

/** The ids of the journal are UUIDs (RFC 9562, section 4); any other text could name another path of the admin API. */
const ENTRY_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * Returns the journal entry with this id.
 *
 * @throws {SetupError} if it is not the id of a request.
 */
export async function readRequest({ admin }: MockAccess, id: string): Promise<JournalEntry> {
  if (!ENTRY_ID.test(id)) {
    throw new SetupError(
      `The journal has no request ${JSON.stringify(id.slice(0, 100))}. list_requests lists the ids of requests.`,
    )
  }
  const event = (await admin.send('GET', pathOf('requests', id))) as ReturnType<typeof toWireMockEvent>
  const { request, durationMilliseconds, response } = event
  return { ...request, durationMilliseconds, response }
}

/**
 * Returns journal entries, newest first.
 *
 * @param page parameters of `POST /__admin/requests/find`
 * @param pattern a WireMock request pattern; default: all requests
 */
export async function listEntries(
  { admin }: MockAccess,
  page: Readonly<Record<string, string>>,
  pattern: object = {},
): Promise<readonly JournalEntry[]> {
  const { requests } = (await admin.send('POST', `/requests/find?${new URLSearchParams(page)}`, pattern)) as {
    readonly requests: readonly JournalEntry[]
  }
  return requests
}

interface SentRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: unknown
}

/** @throws {SetupError} if the path or a header names a session. */
function expectNoSession(where: string, session: string | undefined): void {
  if (session === undefined) return
  throw new SetupError(`${where} the session "${session}". Leave it out, and pass session: "${session}".`)
}

/**
 * Merges the call's headers into the defaults. An empty value removes a default.
 *
 * @throws {SetupError} for invalid header names or values, and for headers that name a session.
 */
function mergeHeaders(defaults: Readonly<Record<string, string>>, own: SentRequest['headers'] = {}): Headers {
  const headers = new Headers(defaults)
  for (const [name, value] of Object.entries(own)) {
    try {
      headers.set(name, value)
    } catch {
      throw new SetupError(
        `Invalid header ${JSON.stringify(name.slice(0, 100))}: its name or value contains characters that HTTP does not allow. Correct it.`,
      )
    }
  }
  for (const name of Object.keys(defaults)) if (headers.get(name) === '') headers.delete(name)
  expectNoSession(
    'The headers name',
    findSessionName((name) => headers.get(name) ?? undefined),
  )
  return headers
}

/**
 * Sends a request to the service and returns its journal entry, redacted as in the journal.
 *
 * @throws {SetupError} if the path belongs to the admin API, or if the request is not in the journal.
 * @throws {Problem} 414 or 431 if the path or headers exceed the limits of a socket.
 */
export async function sendRequest(
  mock: MockAccess,
  { method, path, headers, body }: SentRequest,
): Promise<JournalEntry> {
  const { path: own, session } = parseAddress(new URL(`http://mock${path}`).href)
  if (own.startsWith(ADMIN_PATH))
    throw new SetupError(`send_request sends to the service, not to ${ADMIN_PATH}. Use the other tools for that.`)
  expectNoSession('The path names', session)
  if (body !== undefined && isRead(method.toUpperCase()))
    throw new SetupError(`A ${method} request cannot have a body. Omit body, or use another method.`)
  const sent = mergeHeaders(
    {
      Authorization: `Bearer ${EVERY_SCOPE}`,
      'X-Correlation-ID': `mcp-${crypto.randomUUID()}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    headers,
  )
  const sentId = sent.get('X-Correlation-ID')
  const [previous] = await listEntries(mock, { limit: '1' })
  // As bytes, because fetch adds a Content-Type to text even if the call removes it.
  const bytes = encoder.encode(typeof body === 'string' ? body : stringifyJson(body))
  let answeredId: string | null = null
  let reason =
    'The response is not in the journal. CORS preflights and requests to /_pactSetup are not recorded; --journal 0 records nothing, and a full --memory drops the oldest requests.'
  try {
    const response = await mock.fetch(path, { method, headers: sent, ...(body === undefined ? {} : { body: bytes }) })
    answeredId = response.headers.get('X-Correlation-ID')
    // The exchange is added to the journal once the response has been read.
    await response.arrayBuffer()
  } catch (error) {
    if (error instanceof Problem) throw error
    // If a scenario broke the connection, the journal has the details.
    if (error instanceof Error) reason = `The request got no response: ${error.message}`
  }
  // The mock replaces a malformed correlation id, and an agent may send one twice.
  for (const request of await listEntries(mock, { limit: '100' })) {
    if (request.id === previous?.id) break
    if (request.correlationId === answeredId) return request
    if (sentId !== null && request.headers['x-correlation-id'] === sentId) return request
  }
  throw new SetupError(reason)
}
