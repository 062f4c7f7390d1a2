import type { ResourceList } from '../state/base.ts'
import { pause } from '../util/pause.ts'
import { createBaseIndexes } from './base-index.ts'
import { scanPlaces } from './effort.ts'
import type { Effort } from './effort.ts'
import { sortInSlices } from './sort-in-slices.ts'
import { isMatch, readWords } from './words.ts'
import type { SearchTerm } from './words.ts'

/** A word, and the places of the resources that have it, in ascending order. */
interface IndexedWord {
  readonly word: string
  readonly places: number[]
}

/** The words of a base, in the order of their UTF-16 code units. */
export type WordIndex = readonly IndexedWord[]

async function createWordIndex({ count, at }: ResourceList, effort: Effort): Promise<WordIndex> {
  const words = new Map<string, IndexedWord>()
  function addWord(word: string, place: number): void {
    const known = words.get(word)
    if (known === undefined) words.set(word, { word, places: [place] })
    else if (known.places.at(-1) !== place) known.places.push(place)
  }
  await scanPlaces(count, effort, (place) => {
    for (const text of at(place).objectTypeProperty.arrayOfStringExample ?? []) {
      for (const word of readWords(text, effort)) addWord(word, place)
    }
  })
  return sortInSlices([...words.values()], (a, b) => (a.word < b.word ? -1 : 1), effort)
}

const findIndex = createBaseIndexes<WordIndex>()

/** The words of a base; undefined where there are too many (D96). */
export const findWordIndex = (base: ResourceList, createEffort: () => Effort): Promise<WordIndex | undefined> =>
  findIndex(base, 'words', () => createWordIndex(base, createEffort()))

/** The place of the first word that does not come before a text. */
function findFirst(index: WordIndex, text: string): number {
  let [low, high] = [0, index.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((index[middle]?.word ?? '') < text) low = middle + 1
    else high = middle
  }
  return low
}

/** The words that begin with a term, or all words if some may be near it. */
function* toCandidates(index: WordIndex, { text, edits }: SearchTerm): Generator<IndexedWord> {
  for (let at = edits > 0 ? 0 : findFirst(index, text); at < index.length; at += 1) {
    const one = index[at]
    if (one === undefined || (edits === 0 && !one.word.startsWith(text))) return
    yield one
  }
}

/** Returns the test whether the resource at a place of a base has a match for each of the terms. */
export async function findMatches(
  index: WordIndex,
  count: number,
  terms: readonly SearchTerm[],
  effort: Effort,
): Promise<(place: number) => boolean> {
  /** How many of the terms have a match at a place. */
  const matched = new Uint32Array(count)
  for (const [nth, term] of terms.entries()) {
    for (const { word, places } of toCandidates(index, term)) {
      if (isMatch(term, word)) for (const place of places) if (matched[place] === nth) matched[place] = nth + 1
      effort.spend(1)
      if (effort.isPauseDue()) await pause()
    }
  }
  return (place) => matched[place] === terms.length
}
