import { pause } from '../util/pause.ts'
import type { Effort } from './effort.ts'

/** So many items are sorted at once; longer lists are merged. */
const RUN = 64

/** Merges two sorted lists; what is equal comes from the first one first. */
async function merge<Item>(
  first: readonly Item[],
  second: readonly Item[],
  compare: (a: Item, b: Item) => number,
  { isPauseDue }: Effort,
): Promise<Item[]> {
  const merged: Item[] = []
  let [atFirst, atSecond] = [0, 0]
  while (atFirst < first.length && atSecond < second.length) {
    // Places that exist.
    const [a, b] = [first[atFirst] as Item, second[atSecond] as Item]
    const isFirst = compare(a, b) <= 0
    merged.push(isFirst ? a : b)
    if (isFirst) atFirst += 1
    else atSecond += 1
    if (isPauseDue()) await pause()
  }
  const [rest, at] = atFirst < first.length ? [first, atFirst] : [second, atSecond]
  for (let place = at; place < rest.length; place += 1) merged.push(rest[place] as Item)
  return merged
}

/** Sorts as `Array.prototype.toSorted` does, with a pause whenever the effort wants one. */
export async function sortInSlices<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
  effort: Effort,
): Promise<readonly Item[]> {
  let runs: Item[][] = []
  for (let start = 0; start < items.length; start += RUN) {
    runs.push(items.slice(start, start + RUN).toSorted(compare))
    if (effort.isPauseDue()) await pause()
  }
  while (runs.length > 1) {
    const merged: Item[][] = []
    for (let at = 0; at < runs.length; at += 2)
      merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], compare, effort))
    runs = merged
  }
  return runs[0] ?? []
}
