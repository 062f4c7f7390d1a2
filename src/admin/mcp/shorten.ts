import { encoder } from '../../service/http/body.ts'
import { stringifyJson } from '../../service/http/json.ts'

/** Maximum size of a reply, in bytes of JSON: an agent reads every byte of it. */
const MAX_REPLY = 4096

/** How many members of an object are kept, such as headers. */
const MAX_MEMBERS = 20

/** Maximum characters of a text and entries of a list. A reply gets the first pair with which it fits. */
const TEXT_LIMITS = [
  [1000, 50],
  [300, 20],
  [300, 10],
  [300, 5],
  [300, 2],
  [100, 2],
  [15, 1],
] as const

/** Truncates a text; the `…` at its end says so. */
export const cutText = (text: string, most: number): string =>
  // A surrogate without its pair is not valid Unicode.
  text.length > most ? `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…` : text

const isShort = (value: object): boolean => encoder.encode(stringifyJson(value)).length <= MAX_REPLY

/** Cuts texts and lists at any depth, and counts in `omitted` the entries that it leaves out, by their path. */
function cutValue(
  value: unknown,
  [characters, entries]: (typeof TEXT_LIMITS)[number],
  omitted: Record<string, number>,
) {
  function keep<Entry>(all: readonly Entry[], most: number, path: string): readonly Entry[] {
    if (all.length > most) omitted[path] = (omitted[path] ?? 0) + all.length - most
    return all.slice(0, most)
  }

  function visit(part: unknown, path: string): unknown {
    if (typeof part === 'string') return cutText(part, characters)
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) return keep<unknown>(part, entries, path).map((one) => visit(one, path))
    return Object.fromEntries(
      keep(Object.entries(part), MAX_MEMBERS, path).map(([name, member]) => {
        const shown = cutText(name, 100)
        return [shown, visit(member, path === '' ? shown : `${path}.${shown}`)]
      }),
    )
  }

  return visit(value, '') as object
}

/**
 * Cuts a reply that is longer than 4 KB. Texts end in `…`; `omitted` counts the entries left out of each list, by its path.
 *
 * @param readOn how to get the rest
 */
export function shorten(reply: object, readOn = 'Pass whole: true to get all of it.'): object {
  if (isShort(reply)) return reply
  let short = reply
  for (const limits of TEXT_LIMITS) {
    const omitted: Record<string, number> = {}
    short = { ...cutValue(reply, limits, omitted), omitted, readOn }
    if (isShort(short)) break
  }
  return short
}
