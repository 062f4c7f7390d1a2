import { EVERY_SCOPE } from '../auth/scopes.ts'
import { SetupError } from '../errors.ts'
import { stringifyJson } from '../http/json.ts'
import { ADMIN_PATH, parseAddress } from '../http/address.ts'
import { findSessionName } from '../http/session-name.ts'
import { findFirst, findRequests, toExchange } from './exchange.ts'
import type { Exchange } from './exchange.ts'
import type { MockAccess } from './tool.ts'

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
 * Sends a request to the service. Returns what the journal has of it, redacted as the journal is.
 *
 * @throws {SetupError} for a path of the admin API, or if the journal keeps nothing.
 */
export async function sendRequest(mock: MockAccess, { method, path, headers, body }: SentRequest): Promise<Exchange> {
  expectServicePath(path)
  const sent = toHeaders(
    {
      Authorization: `Bearer ${EVERY_SCOPE}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    headers,
  )
  const correlationId = `mcp-${crypto.randomUUID()}`
  sent.set('X-Correlation-ID', correlationId)
  // Bytes: a text would be sent with a Content-Type even if the call asks for none.
  const bytes = new TextEncoder().encode(typeof body === 'string' ? body : stringifyJson(body))
  let reason =
    'The journal does not have the response: it keeps neither CORS preflights nor requests to /_pactSetup, nothing at all with --journal 0, and too little with a small --journal-bytes.'
  try {
    const response = await mock.fetch(path, { method, headers: sent, ...(body === undefined ? {} : { body: bytes }) })
    // The journal has it once it is read.
    await response.arrayBuffer()
  } catch (fault) {
    // If a scenario broke the connection, the journal says how.
    if (fault instanceof Error) reason = `The request got no response: ${fault.message}`
  }
  const found = await findFirst(findRequests(mock, { headers: { 'X-Correlation-ID': { equalTo: correlationId } } }))
  if (found !== undefined) return toExchange(found)
  throw new SetupError(reason)
}
