import { isRead, ADMIN_PATH, parseAddress, findSessionName } from '../http/request-head.ts'
import type * as z from 'zod'
import { Problem, SetupError } from '../errors.ts'
import { EVERY_SCOPE } from '../auth/authenticate.ts'
import { stringifyJson } from '../http/json.ts'
import { isFailedStatus } from '../journal/record.ts'
import type { JournaledRequest } from '../journal/wiremock-json.ts'
import type { AdminClient, MockFetch } from '../client/admin-client.ts'

// Same format and redaction as src/journal/wiremock-json.ts.

/** A journal entry as returned by `GET /__admin/requests`. */
interface ServeEvent {
  readonly request: Omit<JournaledRequest, 'response'>
  readonly response: JournaledRequest['response']
}

/** A journal entry reduced to what an agent needs. */
export function toExchange({ response, ...request }: JournaledRequest) {
  const { id, method, url, operation, scenarios, warnings, headers, body, loggedDateString: time } = request
  return {
    id,
    time,
    operation,
    scenarios,
    warnings,
    request: { method, url, headers, body },
    response: {
      status: response.status,
      fault: response.fault,
      headers: response.headers,
      body: response.body,
      bodySize: response.bodySize,
    },
  }
}

export type Exchange = ReturnType<typeof toExchange>

/** Summarizes an exchange for lists. */
export function toSummary({
  id,
  loggedDateString: time,
  method,
  url,
  operation,
  scenarios,
  response,
}: JournaledRequest) {
  return { id, time, method, url, operation, status: response.status, fault: response.fault, scenarios }
}

export const toJournaled = ({ request, response }: ServeEvent): JournaledRequest => ({ ...request, response })

/** Returns the journal entry with this id. */
export async function readRequest({ admin }: MockAccess, id: string): Promise<JournaledRequest> {
  return toJournaled((await admin.send('GET', `/requests/${encodeURIComponent(id)}`)) as ServeEvent)
}

/** Returns the latest journal entries, newest first. */
export async function* readNewest({ admin }: MockAccess, limit: number): AsyncGenerator<JournaledRequest, void> {
  for await (const event of admin.list('GET', `/requests?limit=${limit}`, 'requests'))
    yield toJournaled(event as ServeEvent)
}

/** Returns the journal entries that match a pattern, newest first. */
export const findRequests = ({ admin }: MockAccess, pattern: object): AsyncIterable<JournaledRequest> =>
  admin.list('POST', '/requests/find', 'requests', pattern) as AsyncIterable<JournaledRequest>

/** Returns the first journal entry that passes a test. */
export async function findFirst(
  requests: AsyncIterable<JournaledRequest>,
  holds: (request: JournaledRequest) => boolean = () => true,
): Promise<JournaledRequest | undefined> {
  for await (const request of requests) if (holds(request)) return request
  return undefined
}

/** Maximum number of entries searched for the last failure. */
const SEARCHED = 200

/**
 * Explains a journal entry, like the admin API.
 *
 * @param id default: the last failed request
 * @throws {SetupError} if no request failed.
 */
export async function explainFailure(mock: MockAccess, id: string | undefined): Promise<object> {
  const request =
    id === undefined
      ? await findFirst(readNewest(mock, SEARCHED), ({ response }) => isFailedStatus(response.status))
      : await readRequest(mock, id)
  if (request === undefined) {
    throw new SetupError(
      `None of the last ${SEARCHED} requests of this session failed. Pass a request id from list_requests.`,
    )
  }
  const explanation = await mock.admin.send('GET', `/requests/${encodeURIComponent(request.id)}/explanation`)
  return { ...toSummary(request), ...(explanation as object) }
}

/** Sends requests to the session that a tool call names. */
export interface MockAccess {
  readonly admin: AdminClient
  readonly fetch: MockFetch
}

/** An MCP tool. */
export interface Tool {
  readonly name: string
  readonly description: string
  readonly input: z.ZodObject
  /** Whether the tool changes nothing. `--read-only` omits all other tools. */
  readonly isReading: boolean
  /** Whether the tool acts on a session, named by its `session` argument. */
  readonly hasSession: boolean
  /** @throws {SetupError} with the mock's error message if it refuses the call. */
  readonly call: (input: Readonly<Record<string, unknown>>, mock: MockAccess) => Promise<unknown>
}

/** Creates a tool. By default, it writes and acts on a session. */
export function createTool<Input extends z.ZodObject>(
  tool: Pick<Tool, 'name' | 'description'> &
    Partial<Pick<Tool, 'isReading' | 'hasSession'>> & {
      readonly input: Input
      readonly call: (input: z.output<Input>, mock: MockAccess) => Promise<unknown>
    },
): Tool {
  const { isReading = false, hasSession = true, call } = tool
  // The arguments are already validated.
  return { ...tool, isReading, hasSession, call: (args, mock) => call(args as z.output<Input>, mock) }
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

/** @throws {SetupError} if the path belongs to the admin API or another session. */
function expectServicePath(path: string): void {
  const { path: own, session } = parseAddress(new URL(`http://mock${path}`).href)
  if (own.startsWith(ADMIN_PATH)) {
    throw new SetupError(`send_request sends to the service, not to ${ADMIN_PATH}. Use the other tools for that.`)
  }
  expectNoSession('The path names', session)
}

/**
 * Merges the call's headers into the defaults. An empty value removes a default.
 *
 * @throws {SetupError} for invalid header names or values, and for headers that name a session.
 */
function toHeaders(defaults: Readonly<Record<string, string>>, own: SentRequest['headers'] = {}): Headers {
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
 * @throws {Problem} 431 if the path and headers exceed the limit of a socket.
 */
export async function sendRequest(mock: MockAccess, { method, path, headers, body }: SentRequest): Promise<Exchange> {
  expectServicePath(path)
  if (body !== undefined && isRead(method.toUpperCase())) {
    throw new SetupError(`A ${method} request cannot have a body. Omit body, or use another method.`)
  }
  const sent = toHeaders(
    {
      Authorization: `Bearer ${EVERY_SCOPE}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    headers,
  )
  const correlationId = `mcp-${crypto.randomUUID()}`
  sent.set('X-Correlation-ID', correlationId)
  // As bytes, because fetch adds a Content-Type to text even if the call removes it.
  const bytes = new TextEncoder().encode(typeof body === 'string' ? body : stringifyJson(body))
  let reason =
    'The response is not in the journal. CORS preflights and requests to /_pactSetup are not recorded; --journal 0 records nothing, and a small --journal-bytes too little.'
  try {
    const response = await mock.fetch(path, { method, headers: sent, ...(body === undefined ? {} : { body: bytes }) })
    // The exchange is added to the journal once the response has been read.
    await response.arrayBuffer()
  } catch (error) {
    if (error instanceof Problem) throw error
    // If a scenario broke the connection, the journal has the details.
    if (error instanceof Error) reason = `The request got no response: ${error.message}`
  }
  const found = await findFirst(findRequests(mock, { headers: { 'X-Correlation-ID': { equalTo: correlationId } } }))
  if (found !== undefined) return toExchange(found)
  throw new SetupError(reason)
}
