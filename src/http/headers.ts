import { parseAccept } from 'hono/utils/accept'
import { problem } from '../errors.ts'
import type { Connection } from './connection.ts'

/** A header of a request by its lower-case name; several of one name are joined. */
export type ReadHeader = (name: string) => string | undefined

/** Reads headers that a server has by lower-case name already. */
export const toHeaderReader =
  (known: NonNullable<Connection['headers']>): ReadHeader =>
  (name) => {
    const value = known[name]
    return typeof value === 'object' ? value.join(', ') : value
  }

/** The most that Node reads of a request line and headers, in characters. */
export const LONGEST_HEAD = 16 * 1024

/**
 * Holds a request that the mock sends to itself to the limit that a socket has: what reads a URL or a header relies on it.
 *
 * @throws {Problem} 431 if the request line and headers are too long.
 */
export function expectShortHead({ method, url, headers }: Request): void {
  let length = method.length + url.length
  headers.forEach((value, name) => (length += name.length + value.length))
  if (length > LONGEST_HEAD) throw problem.headersTooLarge()
}

/** Headers are asked for by name many times a request, and most are absent: those that are read already are quicker. */
export const createHeaderReader = ({ headers }: Pick<Request, 'headers'>, connection?: Connection): ReadHeader =>
  connection?.headers === undefined ? (name) => headers.get(name) ?? undefined : toHeaderReader(connection.headers)

/** The preferences of a `Prefer` header (RFC 7240, with Prism's names), by lower-case name. */
export type Preferences = ReadonlyMap<string, string>

const NONE: Preferences = new Map()

/**
 * Parses `Prefer: code=203, example="custom2"`. The first of two preferences of one name counts (RFC 7240, section 2);
 * what is not a preference is passed over, since preferences are never refused.
 */
export function parsePrefer(header: string | undefined): Preferences {
  if (header === undefined) return NONE
  const preferences = new Map<string, string>()
  for (const part of header.split(/[,;]/)) {
    // Taken apart by hand: a regular expression tries every way to part a long run of spaces.
    const end = part.includes('=') ? part.indexOf('=') : part.length
    const key = part.slice(0, end).trim().toLowerCase()
    const value = part.slice(end + 1).trim()
    const quoted = /^"([^"]*)"$/.exec(value)?.[1]
    const isPreference = /^[\w-]+$/.test(key) && (quoted !== undefined || !/\s/.test(value))
    if (isPreference && !preferences.has(key)) preferences.set(key, quoted ?? value)
  }
  return preferences
}

/** How closely a media range names a type: 3 exactly, 2 by its main type, 1 by the full wildcard, 0 not at all. */
function closeness(range: string, type: string): number {
  const [main = ''] = type.split('/')
  return range === type ? 3 : range === `${main}/*` ? 2 : range === '*/*' || range === '*' ? 1 : 0
}

/** Whether an `Accept` header admits a media type; the closest range decides (RFC 9110, section 12.5.1). */
export function admitsType(accept: string, type: string): boolean {
  let best = { close: 0, quality: 0 }
  for (const { type: range, q } of parseAccept(accept)) {
    const close = closeness(range.toLowerCase(), type)
    if (close > best.close) best = { close, quality: q }
  }
  return best.quality > 0
}

/** Whether a page is asked for; a client that accepts anything, as most do, gets JSON (D88). */
export function wantsPage(headers: Headers): boolean {
  const accept = headers.get('Accept') ?? ''
  return accept.includes('text/html') && admitsType(accept, 'text/html')
}

const TRACE_PARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(-.*)?$/

/**
 * Finds the trace id of a `traceparent` header (W3C Trace Context, section 3.2); undefined for a malformed one. Versions
 * after 00 may have more fields.
 */
export function findTraceId(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const [, version, traceId, more] = TRACE_PARENT.exec(header.trim()) ?? []
  return version === '00' && more !== undefined ? undefined : traceId
}

/** Whether a method only reads (RFC 9110, section 9.2.1). */
export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'
