import { closest, distance } from 'fastest-levenshtein'

/** ` Did you mean "x"?` when one of the candidates is near, else the empty string. */
export function didYouMean(name: string, candidates: readonly string[]): string {
  if (candidates.length === 0) return ''
  const near = closest(
    name.toLowerCase(),
    candidates.map((candidate) => candidate.toLowerCase()),
  )
  const found = candidates.find((candidate) => candidate.toLowerCase() === near)
  const isNear = found !== undefined && distance(name.toLowerCase(), near) <= Math.ceil(near.length / 3)
  return isNear ? ` Did you mean "${found}"?` : ''
}
