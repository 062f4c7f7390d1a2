import { isIntegral } from '../contract/numbers.ts'
import { problem } from '../errors.ts'
import { abridge } from './abridge.ts'
import { UNLIMITED } from './effort.ts'
import type { Effort } from './effort.ts'

// D14: how a text is searched.

/** Letters, digits and their marks; all else parts words. */
const WORD = /[\p{L}\p{M}\p{N}]+/gu

/** The words of a text, in the one form that they are compared in. */
export const toWords = (text: string): readonly string[] => text.normalize().toLowerCase().match(WORD) ?? []

/** What it takes to find the words of a text, in values looked at, in addition to one for each character. */
const TEXT_COST = 10

/** How many edits a term may be away from a word: the platform's level, by the term's length in characters. */
export function toDefaultLevel(term: string): number {
  const { length } = [...term]
  return length <= 2 ? 0 : length <= 5 ? 1 : 2
}

/** The level for a text without terms: the highest that the platform chooses at all. */
const HIGHEST_LEVEL = toDefaultLevel('longest')

/**
 * Whether one text becomes the other by so many edits at most (Levenshtein). Where few are allowed, trying each takes
 * linear time; the whole distance takes the product of the lengths.
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

/** Specification 8: an explicit level is not higher than the platform's own, with `fuzzy` on or off (D14). */
function expectLevel(level: number | bigint, terms: readonly string[]): number {
  const refuse = (why: string) =>
    problem.invalidField({
      field: 'fuzzyLevel',
      invalidValue: level,
      message: `Malformed parameter: fuzzyLevel: ${why}, got ${level}.`,
    })
  if (!isIntegral(level) || level < 0) throw refuse('expected a whole number of at least 0')
  const tight = terms.find((term) => toDefaultLevel(term) < level)
  if (tight !== undefined)
    throw refuse(`must not be higher than ${toDefaultLevel(tight)} for the term "${abridge(tight)}"`)
  if (level > HIGHEST_LEVEL) throw refuse(`must not be higher than ${HIGHEST_LEVEL}`)
  return Number(level)
}

/** What is searched for, and how exactly. */
export interface TextQuery {
  readonly texts: readonly string[]
  readonly fuzzy?: boolean | undefined
  readonly fuzzyLevel?: number | bigint | undefined
}

/** A word to search for. */
export interface SearchTerm {
  readonly text: string
  /** How many edits a word may be away from it. */
  readonly edits: number
}

/** Whether a word is the term, begins with it, or is near it. */
export const isMatch = ({ text, edits }: SearchTerm, word: string): boolean =>
  word.startsWith(text) ||
  (edits > 0 && Math.abs(text.length - word.length) <= edits && isWithinEdits(text, word, edits))

/**
 * The words of the searched texts.
 *
 * @throws {Problem} 400 for a `fuzzyLevel` above the platform's, or one that is not a level.
 */
export function parseSearchTerms({ texts, fuzzy = false, fuzzyLevel }: TextQuery): readonly SearchTerm[] {
  const terms = [...new Set(texts.flatMap(toWords))]
  const level = fuzzyLevel === undefined ? undefined : expectLevel(fuzzyLevel, terms)
  return terms.map((text) => ({ text, edits: fuzzy ? (level ?? toDefaultLevel(text)) : 0 }))
}

/**
 * The words of a text of a resource.
 *
 * @throws {Problem} 400 where that is more than the effort allows.
 */
export function readWords(text: string, effort: Effort): readonly string[] {
  effort.spend(TEXT_COST + text.length)
  return toWords(text)
}

/**
 * Compiles terms into a test over the texts of a resource: each must be a word there, or the start of one, or near one.
 * Undefined when there is nothing to search for. The test throws a 400 where it looks at more than the effort allows.
 */
export function compileTextSearch(
  terms: readonly SearchTerm[],
  effort: Effort = UNLIMITED,
): ((texts: readonly string[]) => boolean) | undefined {
  if (terms.length === 0) return undefined
  return (texts) => {
    // A long text repeats its words.
    const words = new Set<string>()
    for (const text of texts) for (const word of readWords(text, effort)) words.add(word)
    return terms.every((term) => {
      effort.spend(words.size)
      for (const word of words) if (isMatch(term, word)) return true
      return false
    })
  }
}
