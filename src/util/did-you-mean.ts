import { closest, distance } from 'fastest-levenshtein'

/** Longer names are not compared: it would be slow, and such names are rarely mistyped. */
const LONGEST_TYPO = 200

/** Case-insensitive edit distance of two names; undefined if it is too large for a typo. */
export function findTypoDistance(name: string, candidate: string): number | undefined {
  if (name.length > LONGEST_TYPO) return undefined
  const edits = distance(name.toLowerCase(), candidate.toLowerCase())
  return edits <= Math.ceil(candidate.length / 3) ? edits : undefined
}

/** Whether a text is another with additional words: `deleteResourceById` is `deleteResource` and two words. */
const continues = (text: string, start: string): boolean =>
  text.startsWith(start) && /^[A-Z]/.test(text.slice(start.length))

/** Returns ` Did you mean "x"?` for the nearest candidate, or an empty string if none is close enough. */
export function didYouMean(name: string, candidates: readonly string[]): string {
  if (candidates.length === 0 || name.length > LONGEST_TYPO) return ''
  const near = closest(
    name.toLowerCase(),
    candidates.map((candidate) => candidate.toLowerCase()),
  )
  const related = candidates.find((candidate) => continues(name, candidate) || continues(candidate, name))
  // `urlPth` is `urlPath` with one letter missing, rather than `url` and a word.
  if (related !== undefined && distance(name.toLowerCase(), near) > 1) return ` Did you mean "${related}"?`
  const found = candidates.find((candidate) => candidate.toLowerCase() === near)
  const isNear = found !== undefined && findTypoDistance(name, found) !== undefined
  return isNear ? ` Did you mean "${found}"?` : ''
}

/** `a, b or c` */
export const toChoice = (choices: readonly string[]): string =>
  choices.length < 2 ? choices.join('') : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
