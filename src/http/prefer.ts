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
    const [, name, quoted, plain] = /^\s*([\w-]+)\s*(?:=\s*(?:"([^"]*)"|(\S*)))?\s*$/.exec(part) ?? []
    const key = name?.toLowerCase()
    if (key !== undefined && !preferences.has(key)) preferences.set(key, quoted ?? plain ?? '')
  }
  return preferences
}
