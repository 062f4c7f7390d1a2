import { isRead, ADMIN_PATH, parseAddress, findSessionName } from '../http/request-head.ts'
import type * as z from 'zod'
import { Problem, SetupError } from '../errors.ts'
import { EVERY_SCOPE } from '../auth/authenticate.ts'
import { stringifyJson } from '../http/json.ts'
import type { JournaledRequest } from '../journal/wiremock-json.ts'
import type { AdminClient, MockFetch } from '../client/admin-client.ts'

// The format of src/journal/wiremock-json.ts, redacted as there.

/** A request of the journal with its answer, as `GET /__admin/requests` lists it. */
interface ServeEvent {
  readonly request: Omit<JournaledRequest, 'response'>
  readonly response: JournaledRequest['response']
}

/** A request of the journal and its response, reduced to what an agent needs. */
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

/** An exchange on one line of a list. */
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

/** A request of the journal, by its id. */
export async function readRequest({ admin }: MockAccess, id: string): Promise<JournaledRequest> {
  return toJournaled((await admin.ask('GET', `/requests/${encodeURIComponent(id)}`)) as ServeEvent)
}

/** The newest requests of the journal, the newest first. */
export async function* readNewest({ admin }: MockAccess, limit: number): AsyncGenerator<JournaledRequest, void> {
  for await (const event of admin.list('GET', `/requests?limit=${limit}`, 'requests'))
    yield toJournaled(event as ServeEvent)
}

/** The requests that a pattern matches, the newest first. */
export const findRequests = ({ admin }: MockAccess, pattern: object): AsyncIterable<JournaledRequest> =>
  admin.list('POST', '/requests/find', 'requests', pattern) as AsyncIterable<JournaledRequest>

/** The first request for which a test holds. */
export async function findFirst(
  requests: AsyncIterable<JournaledRequest>,
  holds: (request: JournaledRequest) => boolean = () => true,
): Promise<JournaledRequest | undefined> {
  for await (const request of requests) if (holds(request)) return request
  return undefined
}

/** Requests searched for the last failure. */
const SEARCHED = 200

const isFailure = ({ response: { status, fault } }: JournaledRequest): boolean => status >= 400 || fault !== undefined

/**
 * Explains a request of the journal, as the admin API does.
 *
 * @param id default: the last request that failed
 * @throws {SetupError} if there is none.
 */
export async function explainFailure(mock: MockAccess, id: string | undefined): Promise<object> {
  const request =
    id === undefined ? await findFirst(readNewest(mock, SEARCHED), isFailure) : await readRequest(mock, id)
  if (request === undefined) {
    throw new SetupError(
      `None of the last ${SEARCHED} requests of this session failed. Pass the id of a request from list_requests.`,
    )
  }
  const explanation = await mock.admin.ask('GET', `/requests/${encodeURIComponent(request.id)}/explanation`)
  return { ...toSummary(request), ...(explanation as object) }
}

/** How tools reach the session that a call names. */
export interface MockAccess {
  /** Calls the admin API. */
  readonly admin: AdminClient
  /** Sends a request to the service. */
  readonly fetch: MockFetch
}

/** A tool of the server. */
export interface Tool {
  readonly name: string
  readonly description: string
  readonly input: z.ZodObject
  /** Whether it changes nothing: `--read-only` leaves out the others. */
  readonly isReading: boolean
  /** Whether it acts on a session of the mock, which the argument `session` names. */
  readonly hasSession: boolean
  /** @throws {SetupError} with the sentence of whatever the mock refused. */
  readonly call: (input: Readonly<Record<string, unknown>>, mock: MockAccess) => Promise<unknown>
}

/** Creates a tool, by default one that writes and acts on a session. */
export function createTool<Input extends z.ZodObject>(
  tool: Pick<Tool, 'name' | 'description'> &
    Partial<Pick<Tool, 'isReading' | 'hasSession'>> & {
      readonly input: Input
      readonly call: (input: z.output<Input>, mock: MockAccess) => Promise<unknown>
    },
): Tool {
  const { isReading = false, hasSession = true, call } = tool
  // The arguments have been checked against the schema.
  return { ...tool, isReading, hasSession, call: (given, mock) => call(given as z.output<Input>, mock) }
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

/** @throws {SetupError} for a path of the admin API, or of another session. */
function expectServicePath(path: string): void {
  const { path: own, session } = parseAddress(new URL(`http://mock${path}`).href)
  if (own.startsWith(ADMIN_PATH)) {
    throw new SetupError(`send_request sends to the service, not to ${ADMIN_PATH}. Use the other tools for that.`)
  }
  expectNoSession('The path names', session)
}

/**
 * The headers to send: the defaults, and those of the call in their place. A default that the call leaves empty is not sent.
 *
 * @throws {SetupError} for a name or value that no header can have, and for headers that name a session.
 */
function toHeaders(defaults: Readonly<Record<string, string>>, own: SentRequest['headers'] = {}): Headers {
  const headers = new Headers(defaults)
  for (const [name, value] of Object.entries(own)) {
    try {
      headers.set(name, value)
    } catch {
      throw new SetupError(
        `${JSON.stringify(name.slice(0, 100))} cannot be sent as a header: its name or value has characters that HTTP does not allow. Correct it.`,
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
 * Sends a request to the service. Returns its journal entry, redacted as in the journal.
 *
 * @throws {SetupError} for a path of the admin API, or if the journal keeps nothing.
 * @throws {Problem} 431 if the path and headers are longer than a socket takes.
 */
export async function sendRequest(mock: MockAccess, { method, path, headers, body }: SentRequest): Promise<Exchange> {
  expectServicePath(path)
  if (body !== undefined && isRead(method.toUpperCase())) {
    throw new SetupError(`A ${method} request has no body. Leave body out, or use another method.`)
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
  // Bytes: a text would be sent with a Content-Type even if the call wants none.
  const bytes = new TextEncoder().encode(typeof body === 'string' ? body : stringifyJson(body))
  let reason =
    'The journal does not have the response: it keeps neither CORS preflights nor requests to /_pactSetup, nothing at all with --journal 0, and too little with a small --journal-bytes.'
  try {
    const response = await mock.fetch(path, { method, headers: sent, ...(body === undefined ? {} : { body: bytes }) })
    // The journal has it once it is read.
    await response.arrayBuffer()
  } catch (error) {
    if (error instanceof Problem) throw error
    // If a scenario broke the connection, the journal says how.
    if (error instanceof Error) reason = `The request got no response: ${error.message}`
  }
  const found = await findFirst(findRequests(mock, { headers: { 'X-Correlation-ID': { equalTo: correlationId } } }))
  if (found !== undefined) return toExchange(found)
  throw new SetupError(reason)
}
