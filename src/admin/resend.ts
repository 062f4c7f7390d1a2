import * as z from 'zod'
import { problem } from '../errors.ts'
import { ADMIN_PATH, parseAddress, splitUrl } from '../http/address.ts'
import { isRead } from '../http/is-read.ts'
import { stringifyJson } from '../http/json.ts'
import type { JournalEntry, KeptBody } from '../journal/entry.ts'
import { toCutNote } from '../journal/kept-body.ts'
import { fillSecrets, toSendableHeaders } from '../journal/sendable.ts'
import type { Session } from '../sessions/session.ts'

/** Timeout of a request, in milliseconds. */
const PATIENCE = 30_000

/** What sends a request to the mock itself. */
export interface AskParts {
  readonly ask: (request: Request) => Promise<Response>
  /** Reads what the journal of a session has from other mocks, and from this one through their store; absent without a store. */
  readonly look: ((session: string) => Promise<void>) | undefined
}

/**
 * Sends a request to the mock itself, and returns its journal entry.
 *
 * @param request called with what it needs; the journal finds it by its correlation id
 */
export async function sendRecorded(
  { name, journal }: Session,
  correlationId: string,
  { ask, look }: AskParts,
  toRequest: (signal: AbortSignal) => Request,
): Promise<JournalEntry | undefined> {
  const request = toRequest(AbortSignal.timeout(PATIENCE))
  request.headers.set('X-Correlation-ID', correlationId)
  try {
    const response = await ask(request)
    // A body sent in chunks is recorded after its last chunk.
    await response.arrayBuffer()
  } catch {
    // A scenario broke the connection; the journal says how.
  }
  await look?.(name)
  // No other entry is read.
  return journal.exchanges().findLast((one) => one.correlationId === correlationId)?.entry
}

/** More than any request to the service has. */
const MOST_HEADERS = 200

/** The schema of a request's headers, by name. */
export const toHeaders = <Value extends z.ZodType>(value: Value) =>
  z.record(z.string(), value).refine((headers) => Object.keys(headers).length <= MOST_HEADERS, {
    error: `at most ${MOST_HEADERS} headers expected.`,
  })

/** What differs from the first request. */
export const resendBody = z.strictObject({
  method: z.string().optional(),
  /** Path and query. */
  url: z.string().startsWith('/').optional(),
  /** By name; null leaves a header out. */
  headers: toHeaders(z.string().nullable()).optional(),
  /** Text as it is, anything else as JSON. */
  body: z.unknown().optional(),
})

export type RequestChanges = z.output<typeof resendBody>

/** @throws {Problem} 400 if the journal has only part of it. */
function toSendableBody(body: KeptBody | undefined): string | Uint8Array<ArrayBuffer> | undefined {
  if (body === undefined) return undefined
  if (body.isCut) {
    throw problem.invalidInput(`The journal does not have the whole body (${toCutNote(body)}). Send it as "body".`)
  }
  if (body.encoding === 'utf-8') return fillSecrets(body.text)
  return Uint8Array.from(atob(body.text), (character) => character.charCodeAt(0))
}

/** @throws {Problem} 400 for the URL of another session, or of the admin API. */
function toUrl({ request: { url } }: JournalEntry, changed: string | undefined, session: string): string {
  const whole = changed === undefined ? fillSecrets(url) : splitUrl(url).origin + changed
  const address = parseAddress(whole)
  if (address.path.startsWith(ADMIN_PATH)) {
    throw problem.invalidInput(`Only requests to the service can be sent again, not those to ${ADMIN_PATH}.`)
  }
  if (address.session === undefined || address.session === session) return whole
  throw problem.invalidInput(
    `The URL is of the session "${address.session}", and the request of "${session}". Send it from that session.`,
  )
}

function toRequest(entry: JournalEntry, changes: RequestChanges, session: string, signal: AbortSignal): Request {
  const { method = entry.request.method } = changes
  const url = toUrl(entry, changes.url, session)
  const isUnchanged = changes.body === undefined
  const given = typeof changes.body === 'string' ? changes.body : stringifyJson(changes.body)
  const body = isUnchanged && isRead(method) ? undefined : isUnchanged ? toSendableBody(entry.request.body) : given
  try {
    const headers = new Headers(toSendableHeaders(entry).map(([name, value]) => [name, value]))
    for (const [name, value] of Object.entries(changes.headers ?? {})) {
      if (value === null) headers.delete(name)
      else headers.set(name, value)
    }
    headers.set('X-Mock-Session', session)
    // Without one, the type would be that of a text.
    if (body !== undefined && !headers.has('Content-Type')) headers.set('Content-Type', 'application/json')
    return new Request(url, { method, headers, body: body === undefined || body === '' ? null : body, signal })
  } catch (fault) {
    throw problem.invalidInput(`The request cannot be sent: ${fault instanceof Error ? fault.message : String(fault)}`)
  }
}

const RESENT = /^resend-([\da-f-]{36})-/

/** The id of the request that a request repeats; undefined for a request that repeats none. */
export const findRepeated = ({ correlationId }: JournalEntry): string | undefined => RESENT.exec(correlationId)?.[1]

/**
 * Sends a request of the journal again, and returns the new entry. Its correlation id names the first one.
 *
 * @throws {Problem} 400 for a request that cannot be sent, 404 if the journal did not keep it.
 */
export async function resend(
  entry: JournalEntry,
  changes: RequestChanges,
  session: Session,
  parts: AskParts,
): Promise<JournalEntry> {
  const correlationId = `resend-${entry.id}-${crypto.randomUUID().slice(0, 8)}`
  const sent = await sendRecorded(session, correlationId, parts, (signal) =>
    toRequest(entry, changes, session.name, signal),
  )
  if (sent !== undefined) return sent
  throw problem.notFound('The request was sent again, but the journal no longer has it: newer requests took its place.')
}
