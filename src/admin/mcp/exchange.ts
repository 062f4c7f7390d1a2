import { encoder } from '../../service/http/body.ts'
import { pathOf } from '../client/admin-client.ts'
import { isRead, ADMIN_PATH, parseAddress, findSessionName } from '../../service/http/request-head.ts'
import { Problem, SetupError } from '../../errors.ts'
import { EVERY_SCOPE } from '../../service/auth/authenticate.ts'
import { stringifyJson } from '../../service/http/json.ts'
import type { JournaledRequest } from '../../sessions/journal/wiremock-json.ts'
import { cutText, omitOwnHeaders, takeFitting, toBriefBody, toBrief, toHeaderMembers } from './brief.ts'
import { toToolHints } from './tool.ts'
import type { MockAccess } from './tool.ts'

// Same format and redaction as src/sessions/journal/wiremock-json.ts.

/** A journal entry as returned by `GET /__admin/requests`. */
interface ServeEvent {
  readonly request: Omit<JournaledRequest, 'response'>
  readonly response: JournaledRequest['response']
}

/** Maximum size of all warnings, in bytes. */
const MOST_WARNINGS = 600

/** The response to a request, without the headers that the mock adds to every response. */
export function toShownAnswer(request: JournaledRequest, isWhole: boolean) {
  const { status, fault, headers, ...body } = request.response
  const warnings = request.warnings.map((one) => cutText(one))
  return {
    id: request.id,
    ...(request.operation === undefined ? {} : { operation: request.operation }),
    ...(request.scenarios.length === 0 ? {} : { scenarios: request.scenarios }),
    ...(warnings.length === 0 ? {} : { warnings: takeFitting(warnings, MOST_WARNINGS) }),
    response: {
      status,
      ...(fault === undefined ? {} : { fault }),
      ...toHeaderMembers(omitOwnHeaders(headers), isWhole),
      ...toBriefBody(body, isWhole),
    },
  }
}

/** A journal entry reduced to what an agent needs. */
export function toExchange(request: JournaledRequest, isWhole: boolean) {
  const { method, url, headers, correlationId, loggedDateString: time } = request
  const { id, response, ...members } = toShownAnswer(request, isWhole)
  return {
    id,
    time,
    correlationId,
    ...members,
    request: {
      method,
      url: isWhole ? url : cutText(url),
      ...toHeaderMembers(headers, isWhole),
      ...toBriefBody(request, isWhole),
    },
    response,
  }
}

/** Summarizes an exchange for lists. */
export function toExchangeSummary(request: JournaledRequest) {
  const { id, loggedDateString: time, method, url, operation, scenarios, response } = request
  const { status, fault } = response
  return {
    id,
    time,
    method,
    url: cutText(url),
    ...(operation === undefined ? {} : { operation }),
    status,
    ...(fault === undefined ? {} : { fault }),
    ...(scenarios.length === 0 ? {} : { scenarios }),
  }
}

const toJournaled = ({ request, response }: ServeEvent): JournaledRequest => ({ ...request, response })

/** The ids of the journal are UUIDs (RFC 9562, section 4); any other text could name another path of the admin API. */
const REQUEST_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * Returns the journal entry with this id.
 *
 * @throws {SetupError} if it is not the id of a request.
 */
export async function readRequest({ admin }: MockAccess, id: string): Promise<JournaledRequest> {
  if (!REQUEST_ID.test(id)) {
    throw new SetupError(
      `The journal has no request ${JSON.stringify(id.slice(0, 100))}. list_requests lists the ids of requests.`,
    )
  }
  return toJournaled((await admin.send('GET', pathOf('requests', id))) as ServeEvent)
}

/**
 * Returns a page of journal entries, newest first.
 *
 * @param page parameters of `GET /__admin/requests`
 * @param pattern a WireMock request pattern
 */
export async function listEntries(
  { admin }: MockAccess,
  page: Readonly<Record<string, string>>,
  pattern?: object,
): Promise<readonly JournaledRequest[]> {
  const [method, path] = pattern === undefined ? ['GET', '/requests'] : ['POST', '/requests/find']
  const { requests } = (await admin.send(method, `${path}?${new URLSearchParams(page)}`, pattern)) as {
    readonly requests: readonly (ServeEvent | JournaledRequest)[]
  }
  return requests.map((one) => ('request' in one ? toJournaled(one) : one))
}

/**
 * Explains a journal entry, like the admin API.
 *
 * @param id default: the last failed request
 * @throws {SetupError} if no request failed.
 */
export async function explainFailure(mock: MockAccess, id: string | undefined): Promise<object> {
  const [request] =
    id === undefined ? await listEntries(mock, { filter: 'failed', limit: '1' }) : [await readRequest(mock, id)]
  if (request === undefined)
    throw new SetupError('No request of this session failed. Pass a request id from list_requests.')
  const answer = await mock.admin.send('GET', `${pathOf('requests', request.id)}/explanation`)
  const { brief, omitted } = toBrief({ ...toExchangeSummary(request), ...(answer as object) })
  const { remedy, ...explanation } = brief as { readonly remedy?: string }
  return {
    ...explanation,
    ...(Object.keys(omitted).length === 0 ? {} : { omitted }),
    ...(remedy === undefined ? {} : { remedy: toToolHints(remedy) }),
  }
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
): Promise<JournaledRequest> {
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
  for (const request of await listEntries(mock, {})) {
    if (request.id === previous?.id) break
    if (request.correlationId === answeredId) return request
    if (sentId !== null && request.headers['x-correlation-id'] === sentId) return request
  }
  throw new SetupError(reason)
}
