import { decodePercent } from '../http/request-head.ts'
import { memoizeLast } from '../../util/collections.ts'

/** The start of a segment, which paths are read as in place of a slash: a decoded segment may contain slashes. */
const SEGMENT_START = -1
/** The start of any number of segments. */
const ANY_SEGMENTS = -2
/** Any character. */
const ANY_CHARACTER = -3

/** One part of a glob: the code point that it takes, or one of the above. */
interface GlobPart {
  readonly takes: number
  /** Whether any characters of the segment may follow. */
  isStarred: boolean
}

const toCodes = (text: string): readonly number[] =>
  Array.from(text, (character) => character.codePointAt(0) ?? ANY_CHARACTER)

/** The segments of a path. The rules of a scenario are all compared with the same path. */
const toSegments = memoizeLast((path: string) => path.split('/').map((segment) => toCodes(decodePercent(segment))))

function toGlobParts(glob: string): readonly GlobPart[] {
  const parts: GlobPart[] = []
  const add = (takes: number): unknown => parts.push({ takes, isStarred: false })
  for (const segment of glob.split('/')) {
    if (segment === '**') {
      if (parts.at(-1)?.takes !== ANY_SEGMENTS) add(ANY_SEGMENTS)
      continue
    }
    add(SEGMENT_START)
    for (const piece of segment.split(/([*?])/)) {
      const last = parts.at(-1)
      if (piece === '*' && last !== undefined) last.isStarred = true
      else if (piece === '?') add(ANY_CHARACTER)
      else toCodes(decodePercent(piece)).forEach(add)
    }
    // A lone `*` does not match an empty segment.
    if (/^\*+$/.test(segment)) parts.push({ takes: ANY_CHARACTER, isStarred: true })
  }
  return parts
}

/** One bit for each part of a glob, in words of 32. */
type GlobBits = Uint32Array

const setBit = (bits: GlobBits, at: number): void => {
  bits[at >>> 5] = (bits[at >>> 5] ?? 0) | (1 << (at % 32))
}
const hasBit = (bits: GlobBits, at: number): boolean => ((bits[at >>> 5] ?? 0) & (1 << (at % 32))) !== 0

/**
 * Compiles a path glob: `*` matches within a segment, `**` any number of segments, `?` a single character. Percent-encoded
 * text is the same as decoded text: `%c3%a9` is `é` (RFC 3986, section 6.2.2).
 *
 * The predicate takes the same time for each character of a path, whatever the glob (Baeza-Yates and Gonnet, 1992): bit n is
 * set while the first n parts match what has been read. A regular expression can take exponential time.
 */
export function toPathGlob(glob: string): (path: string) => boolean {
  const parts = toGlobParts(glob)
  const words = Math.floor(parts.length / 32) + 1
  const toBits = (isSet: (part: GlobPart) => boolean): GlobBits => {
    const bits = new Uint32Array(words)
    for (const [at, part] of parts.entries()) if (isSet(part)) setBit(bits, at + 1)
    return bits
  }
  const any = toBits(({ takes }) => takes === ANY_CHARACTER)
  const runs = toBits(({ takes }) => takes === ANY_SEGMENTS)
  const continued = toBits(({ takes, isStarred }) => isStarred || takes === ANY_SEGMENTS)
  const starts = toBits(({ takes }) => takes === SEGMENT_START || takes === ANY_SEGMENTS)
  const taken = new Map([[SEGMENT_START, starts]])
  for (const { takes: code } of parts) {
    if (code >= 0)
      taken.set(
        code,
        toBits(({ takes }) => takes === code || takes === ANY_CHARACTER),
      )
  }

  /** Reads a character or the start of a segment; returns whether the glob can still match. */
  function read(active: GlobBits, code: number): boolean {
    const next = taken.get(code) ?? any
    const kept = code === SEGMENT_START ? runs : continued
    let carry = 0
    let all = 0
    for (let word = 0; word < words; word += 1) {
      const before = active[word] ?? 0
      const after = (((before << 1) | carry) & (next[word] ?? 0)) | (before & (kept[word] ?? 0))
      carry = before >>> 31
      active[word] = after
      all |= after
    }
    return all !== 0
  }

  /** A run can be empty: what starts it may also start the segment behind it. */
  function skipRuns(active: GlobBits): void {
    let carry = 0
    for (let word = 0; word < words; word += 1) {
      const started = (active[word] ?? 0) & (runs[word] ?? 0)
      active[word] = (active[word] ?? 0) | (((started << 1) | carry) & (starts[word] ?? 0))
      carry = started >>> 31
    }
  }

  return function matches(path) {
    const active = new Uint32Array(words)
    setBit(active, 0)
    for (const segment of toSegments(path)) {
      if (!read(active, SEGMENT_START)) return false
      skipRuns(active)
      for (const code of segment) if (!read(active, code)) return false
    }
    const end = parts.length
    return hasBit(active, end) || (parts.at(-1)?.takes === ANY_SEGMENTS && hasBit(active, end - 1))
  }
}
