import { EVERY_SCOPE } from '../auth/scopes.ts'
import { SetupError } from '../errors.ts'
import { ADMIN_PATH, parseAddress } from '../http/address.ts'
import { findRequests, toExchange } from './exchange.ts'
import type { Exchange } from './exchange.ts'
import type { MockAccess } from './tool.ts'

interface SentRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: unknown
}

/** @throws {SetupError} for a path of the admin API, or of another session. */
function expectServicePath(path: string): void {
  const { path: own, session } = parseAddress(new URL(`http://mock${path}`).href)
  if (own.startsWith(ADMIN_PATH)) {
    throw new SetupError(`send_request sends to the service, not to ${ADMIN_PATH}. Use the other tools for that.`)
  }
  if (session === undefined) return
  throw new SetupError(`The path names the session "${session}". Leave it out, and pass session: "${session}".`)
}

/**
 * Sends a request to the service. Returns what the journal has of it, redacted as the journal is.
 *
 * @throws {SetupError} for a path of the admin API, or if the journal keeps nothing.
 */
export async function sendRequest(mock: MockAccess, { method, path, headers, body }: SentRequest): Promise<Exchange> {
  expectServicePath(path)
  const sent = new Headers({ Authorization: `Bearer ${EVERY_SCOPE}`, ...headers })
  const correlationId = `mcp-${crypto.randomUUID()}`
  sent.set('X-Correlation-ID', correlationId)
  if (body !== undefined && !sent.has('Content-Type')) sent.set('Content-Type', 'application/json')
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  let reason = 'the journal does not have it. Start the mock without --journal 0.'
  try {
    const response = await mock.fetch(path, { method, headers: sent, ...(body === undefined ? {} : { body: text }) })
    // The journal has it once it is read.
    await response.arrayBuffer()
  } catch (fault) {
    // If a scenario broke the connection, the journal says how.
    if (fault instanceof Error) reason = fault.message
  }
  const [found] = await findRequests(mock, { headers: { 'X-Correlation-ID': { equalTo: correlationId } } })
  if (found !== undefined) return toExchange(found)
  throw new SetupError(`The response cannot be shown: ${reason}`)
}
