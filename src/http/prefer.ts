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
