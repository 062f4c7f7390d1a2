import { problem } from '../errors.ts'
import { pause } from '../util/turns.ts'

/** The most values that are read without a pause, which also limits those of one resource. */
export const MOST_AT_ONCE = 2_000_000
/** The most values that one query may read. */
export const MOST_IN_ALL = 100_000_000
/** Other requests run after this many values or milliseconds. */
const PAUSE_AFTER = 200_000
const SLICE = 3
/** The clock is read after this many items or values, since that takes longer than reading a value. */
const ITEMS_A_READING = 16
const VALUES_A_READING = 2000

/** Limits the values that a request reads, so that none blocks the mock (D96). */
export interface Budget {
  /** @throws {Problem} 400 if the request has now read more than it may. */
  readonly spend: (values: number) => void
  /** Whether other requests should run now. */
  readonly isPauseDue: () => boolean
}

/** For single resources outside of requests. */
export const UNLIMITED: Budget = { spend: () => undefined, isPauseDue: () => false }

/** The error messages for too many values: of one resource, and in total. */
interface TooMuch {
  readonly atOnce: string
  readonly inAll: string
}

const TOO_MUCH_OF_A_QUERY: TooMuch = {
  atOnce: `The query looks at more than ${MOST_AT_ONCE} values of one resource. Use fewer conditions, or shorter arrays.`,
  inAll: `The query looks at more than ${MOST_IN_ALL} values. Use fewer conditions, or fewer resources.`,
}

/** Without a limit: pauses after each batch of this many items. */
export function createPauses(items: number): Budget {
  let visited = 0
  return {
    spend: () => undefined,
    isPauseDue() {
      visited += 1
      return visited % items === 0
    },
  }
}

/** @param elapsed milliseconds of a monotonic clock; without it, pauses depend only on the number of values */
export function createBudget({
  tooMuch = TOO_MUCH_OF_A_QUERY,
  elapsed,
}: { readonly tooMuch?: TooMuch; readonly elapsed?: (() => number) | undefined } = {}): Budget {
  let sincePause = 0
  let inAll = 0
  let items = 0
  let nextReading = VALUES_A_READING
  let endOfSlice: number | undefined

  function isSliceOver(): boolean {
    items += 1
    if (elapsed === undefined || (items % ITEMS_A_READING !== 0 && sincePause < nextReading)) return false
    nextReading = sincePause + VALUES_A_READING
    const now = elapsed()
    endOfSlice ??= now + SLICE
    return now >= endOfSlice
  }

  return {
    spend(values) {
      sincePause += values
      inAll += values
      if (sincePause > MOST_AT_ONCE) throw problem.invalidInput(tooMuch.atOnce)
      if (inAll > MOST_IN_ALL) throw problem.invalidInput(tooMuch.inAll)
    },
    isPauseDue() {
      if (!isSliceOver() && sincePause < PAUSE_AFTER) return false
      sincePause = 0
      nextReading = VALUES_A_READING
      endOfSlice = undefined
      return true
    },
  }
}

/**
 * Visits the places from 0 to `count` until a visit returns `false`, and pauses whenever one is due. Few places are visited
 * synchronously.
 */
export function scanPlaces(
  count: number,
  { isPauseDue }: Budget,
  visit: (place: number) => boolean | void,
): void | Promise<void> {
  function visitFrom(start: number): void | Promise<void> {
    for (let place = start; place < count; place += 1) {
      if (visit(place) === false) return undefined
      if (isPauseDue()) return pause().then(() => visitFrom(place + 1))
    }
    return undefined
  }
  return visitFrom(0)
}

/** As {@link scanPlaces} for a list, which is copied first. */
export function scan<Item>(
  items: Iterable<Item>,
  budget: Budget,
  visit: (item: Item) => boolean | void,
): void | Promise<void> {
  const all = [...items]
  // `place` is in the list.
  return scanPlaces(all.length, budget, (place) => visit(all[place] as Item))
}

/** Messages quote at most this many characters of a request. */
const LONGEST = 60

/** Truncates a text for a message. */
export const abridge = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)

/** This many items are sorted at once; longer lists are merged. */
const RUN = 64

/** Merges two sorted lists; of equal items, those of the first come first. */
async function merge<Item>(
  first: readonly Item[],
  second: readonly Item[],
  compare: (a: Item, b: Item) => number,
  { isPauseDue }: Budget,
): Promise<Item[]> {
  const merged: Item[] = []
  let [atFirst, atSecond] = [0, 0]
  while (atFirst < first.length && atSecond < second.length) {
    // Both places are in their lists.
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

/** Sorts as `Array.prototype.toSorted` does, and pauses whenever a pause is due. */
export async function sortInSlices<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
  budget: Budget,
): Promise<readonly Item[]> {
  let runs: Item[][] = []
  for (let start = 0; start < items.length; start += RUN) {
    runs.push(items.slice(start, start + RUN).toSorted(compare))
    if (budget.isPauseDue()) await pause()
  }
  while (runs.length > 1) {
    const merged: Item[][] = []
    for (let at = 0; at < runs.length; at += 2)
      merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], compare, budget))
    runs = merged
  }
  return runs[0] ?? []
}
