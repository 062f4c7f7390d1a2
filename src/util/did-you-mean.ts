import { closest, distance } from 'fastest-levenshtein'

/** Longer names are no typos of anything; telling how far away they are would take long. */
const LONGEST_TYPO = 200

/** How many letters apart two names are, upper and lower case alike; undefined where they are too far for a typo. */
export function findTypoDistance(name: string, candidate: string): number | undefined {
  if (name.length > LONGEST_TYPO) return undefined
  const apart = distance(name.toLowerCase(), candidate.toLowerCase())
  return apart <= Math.ceil(candidate.length / 3) ? apart : undefined
}

/** ` Did you mean "x"?` when one of the candidates is near, else the empty string. */
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
