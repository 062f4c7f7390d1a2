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
