import { isIntegral } from '../contract/models.ts'
import { problem } from '../../errors.ts'
import { abridge } from './fields.ts'

// Text search follows D14.

/** Words consist of letters, digits and combining marks. */
const WORD = /[\p{L}\p{M}\p{N}]+/gu

/** Splits a text into words, normalized for comparison. */
export const toSearchWords = (text: string): readonly string[] => text.normalize().toLowerCase().match(WORD) ?? []

/** The default fuzzy level: the maximum edit distance for a term, depending on its length in characters. */
export function toDefaultLevel(term: string): number {
  const { length } = [...term]
  return length <= 2 ? 0 : length <= 5 ? 1 : 2
}

/** The highest default level. */
const HIGHEST_LEVEL = toDefaultLevel('longest')

/**
 * Whether the edit distance (Levenshtein) of two texts is within a limit. For few edits, this takes linear time; computing
 * the full distance would take the product of both lengths.
 */
export function isWithinEdits(a: string, b: string, edits: number, fromA = 0, fromB = 0): boolean {
  let [atA, atB] = [fromA, fromB]
  while (atA < a.length && atB < b.length && a.charCodeAt(atA) === b.charCodeAt(atB)) {
    atA += 1
    atB += 1
  }
  const [leftA, leftB] = [a.length - atA, b.length - atB]
  if (leftA === 0 || leftB === 0) return leftA + leftB <= edits
  if (Math.abs(leftA - leftB) > edits || edits === 0) return false
  const isWithin = (skippedA: number, skippedB: number) =>
    isWithinEdits(a, b, edits - 1, atA + skippedA, atB + skippedB)
  return isWithin(1, 1) || isWithin(1, 0) || isWithin(0, 1)
}

/** Specification 8: an explicit level must not exceed the default, whether `fuzzy` is on or off (D14). */
function expectLevel(level: number | bigint, terms: readonly string[]): number {
  const refuse = (why: string) =>
    problem.invalidField({
      field: 'fuzzyLevel',
      invalidValue: level,
      message: `Malformed parameter: fuzzyLevel: ${why}, got ${level}.`,
    })
  if (!isIntegral(level) || level < 0) throw refuse('expected a whole number of at least 0')
  const tight = terms.find((term) => toDefaultLevel(term) < level)
  if (tight !== undefined) throw refuse(`must not exceed ${toDefaultLevel(tight)} for the term "${abridge(tight)}"`)
  if (level > HIGHEST_LEVEL) throw refuse(`must not exceed ${HIGHEST_LEVEL}`)
  return Number(level)
}

/** The texts to search for, and how closely they must match. */
export interface TextQuery {
  readonly texts: readonly string[]
  readonly fuzzy?: boolean | undefined
  readonly fuzzyLevel?: number | bigint | undefined
}

interface SearchTerm {
  readonly text: string
  /** Maximum edit distance. */
  readonly edits: number
}

/** Whether a word starts with the term or is similar to it. */
const isMatch = ({ text, edits }: SearchTerm, word: string): boolean =>
  word.startsWith(text) ||
  (edits > 0 && Math.abs(text.length - word.length) <= edits && isWithinEdits(text, word, edits))

/**
 * Splits the texts to search for into terms.
 *
 * @throws {Problem} 400 for a `fuzzyLevel` that is invalid or above the default.
 */
export function parseSearchTerms({ texts, fuzzy = false, fuzzyLevel }: TextQuery): readonly SearchTerm[] {
  const terms = [...new Set(texts.flatMap(toSearchWords))]
  const level = fuzzyLevel === undefined ? undefined : expectLevel(fuzzyLevel, terms)
  return terms.map((text) => ({ text, edits: fuzzy ? (level ?? toDefaultLevel(text)) : 0 }))
}

/**
 * Compiles terms into a predicate on a resource's texts: every term must match a word exactly, as a prefix or
 * approximately. Undefined if there are no terms.
 */
export function compileTextSearch(terms: readonly SearchTerm[]): ((texts: readonly string[]) => boolean) | undefined {
  if (terms.length === 0) return undefined
  return (texts) => {
    // Long texts repeat words.
    const words = new Set<string>()
    for (const text of texts) for (const word of toSearchWords(text)) words.add(word)
    return terms.every((term) => {
      for (const word of words) if (isMatch(term, word)) return true
      return false
    })
  }
}
