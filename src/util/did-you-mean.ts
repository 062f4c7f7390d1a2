import { closest, distance } from 'fastest-levenshtein'

/** Longer names are not compared: it would be slow, and such names are rarely mistyped. */
const LONGEST_TYPO = 200

/** Case-insensitive edit distance of two names; undefined if it is too large for a typo. */
export function findTypoDistance(name: string, candidate: string): number | undefined {
  if (name.length > LONGEST_TYPO) return undefined
  const edits = distance(name.toLowerCase(), candidate.toLowerCase())
  return edits <= Math.ceil(candidate.length / 3) ? edits : undefined
}

/** Returns ` Did you mean "x"?` for the nearest candidate, or an empty string if none is close enough. */
export function didYouMean(name: string, candidates: readonly string[]): string {
  if (candidates.length === 0 || name.length > LONGEST_TYPO) return ''
  const near = closest(
    name.toLowerCase(),
    candidates.map((candidate) => candidate.toLowerCase()),
  )
  const found = candidates.find((candidate) => candidate.toLowerCase() === near)
  const isNear = found !== undefined && findTypoDistance(name, found) !== undefined
  return isNear ? ` Did you mean "${found}"?` : ''
}
