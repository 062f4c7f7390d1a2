import { isIntegral } from '../contract/models.ts'
import { problem } from '../../errors.ts'
import { abridge } from './fields.ts'
import { BoundedMap } from '../../util/collections.ts'
import { timeSlices } from '../../util/time-slices.ts'
import type { ResourceList } from '../state/resource.ts'

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

export interface SearchTerm {
  readonly text: string
  /** Maximum edit distance. */
  readonly edits: number
}

/** Whether a word starts with the term or is similar to it. */
export const isMatch = ({ text, edits }: SearchTerm, word: string): boolean =>
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

/** Shorter lists are scanned, because an index would not be faster. */
export const MIN_INDEXED = 1000

/** Maximum number of cached indexes of one kind per base. */
const MOST_CANDIDATES = 16

/** Caches indexes of bases for all sessions. Concurrent requests for the same index share one build. */
export function createBaseIndexes<Index>() {
  const indexes = new WeakMap<ResourceList, BoundedMap<string, Promise<Index>>>()
  return function findIndex(base: ResourceList, name: string, make: () => Promise<Index>): Promise<Index> {
    const known = indexes.get(base) ?? new BoundedMap<string, Promise<Index>>(MOST_CANDIDATES)
    indexes.set(base, known)
    const index = known.get(name) ?? make()
    known.set(name, index)
    return index
  }
}

/** A word and the positions of resources that contain it, ascending. */
interface IndexedWord {
  readonly word: string
  readonly places: number[]
}

/** The words of a base, sorted by UTF-16 code units. */
export type WordIndex = readonly IndexedWord[]

async function createWordIndex({ count, at }: ResourceList): Promise<WordIndex> {
  const words = new Map<string, IndexedWord>()
  function addWord(word: string, place: number): void {
    const known = words.get(word)
    if (known === undefined) words.set(word, { word, places: [place] })
    else if (known.places.at(-1) !== place) known.places.push(place)
  }
  const slice = timeSlices.start()
  for (let place = 0; place < count; place += 1) {
    for (const text of at(place).objectTypeProperty.arrayOfStringExample ?? []) {
      for (const word of toSearchWords(text)) addWord(word, place)
    }
    if (slice.isOver()) await slice.next()
  }
  return [...words.values()].toSorted((a, b) => (a.word < b.word ? -1 : 1))
}

const findIndex = createBaseIndexes<WordIndex>()

/** Finds the word index of a base. */
export const findWordIndex = (base: ResourceList): Promise<WordIndex> =>
  findIndex(base, 'words', () => createWordIndex(base))

/** Finds the position of the first word that is not less than a text. */
function findFirstWord(index: WordIndex, text: string): number {
  let [low, high] = [0, index.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((index[middle]?.word ?? '') < text) low = middle + 1
    else high = middle
  }
  return low
}

/** Lists words that could match a term: those that start with it, or all words for a fuzzy match. */
function* toWordCandidates(index: WordIndex, { text, edits }: SearchTerm): Generator<IndexedWord> {
  for (let at = edits > 0 ? 0 : findFirstWord(index, text); at < index.length; at += 1) {
    const one = index[at]
    if (one === undefined || (edits === 0 && !one.word.startsWith(text))) return
    yield one
  }
}

/** Returns a predicate for positions of a base whose resource matches all terms. */
export async function findMatches(
  index: WordIndex,
  count: number,
  terms: readonly SearchTerm[],
): Promise<(place: number) => boolean> {
  /** The number of terms matched so far at each position. */
  const matched = new Uint32Array(count)
  const slice = timeSlices.start()
  for (const [nth, term] of terms.entries()) {
    for (const { word, places } of toWordCandidates(index, term)) {
      if (isMatch(term, word)) for (const place of places) if (matched[place] === nth) matched[place] = nth + 1
      if (slice.isOver()) await slice.next()
    }
  }
  return (place) => matched[place] === terms.length
}
