import { decodePercent } from '../http/request-head.ts'
import { memoizeLast } from '../../util/collections.ts'

/** Any number of segments, or of characters of a segment. */
export const STAR = Symbol('*')
/** Any character. */
const ANY = Symbol('?')

type Star = typeof STAR
/** The pattern of a segment: characters as code points. */
type SegmentGlob = readonly (string | typeof ANY | Star)[]

/**
 * Whether a pattern with stars matches a list. It returns only to the latest star and lets it take one item more, so it makes
 * at most as many steps as the product of both lengths. A regular expression can take exponential time.
 */
export function isStarMatch<Part, Item>(
  pattern: readonly (Part | Star)[],
  items: readonly Item[],
  takes: (part: Part, item: Item) => boolean,
): boolean {
  let [at, from] = [0, 0]
  let latest: { readonly star: number; end: number } | undefined
  for (const end = items.length; from < end;) {
    const part = pattern[at]
    // Both indexes exist.
    if (part === STAR) latest = { star: at, end: from }
    else if (at < pattern.length && takes(part as Part, items[from] as Item)) from += 1
    else if (latest === undefined) return false
    else {
      latest.end += 1
      ;[at, from] = [latest.star, latest.end]
    }
    at += 1
  }
  return pattern.slice(at).every((part) => part === STAR)
}

/** The segments of a path. The rules of a scenario are all compared with the same path. */
const toSegments = memoizeLast((path: string) => path.split('/').map((segment) => [...decodePercent(segment)]))

function toSegmentGlob(segment: string): SegmentGlob | Star {
  if (segment === '**') return STAR
  // A lone `*` does not match an empty segment.
  if (/^\*+$/.test(segment)) return [ANY, STAR]
  return segment.split(/([*?])/).flatMap((piece): SegmentGlob => {
    if (piece === '*') return [STAR]
    return piece === '?' ? [ANY] : [...decodePercent(piece)]
  })
}

const isSegmentMatch = (glob: SegmentGlob, segment: readonly string[]): boolean =>
  isStarMatch(glob, segment, (part: string | typeof ANY, character) => part === ANY || part === character)

/**
 * Compiles a path glob: `*` matches within a segment, `**` any number of segments, `?` a single character. Percent-encoded
 * text is the same as decoded text: `%c3%a9` is `é` (RFC 3986, section 6.2.2).
 */
export function toPathGlob(glob: string): (path: string) => boolean {
  const pattern = glob.split('/').map(toSegmentGlob)
  return (path) => isStarMatch(pattern, toSegments(path), isSegmentMatch)
}
