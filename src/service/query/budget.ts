import { problem } from '../../errors.ts'
import { pause } from '../../util/turns.ts'

/** Maximum number of values read without a pause, and therefore from a single resource. */
export const MOST_AT_ONCE = 2_000_000
/** Maximum number of values read by one query. */
export const MOST_IN_ALL = 100_000_000
/** Yield to other requests after this many values or milliseconds. */
const PAUSE_AFTER = 200_000
const SLICE = 3
/** Read the clock only after this many items or values, since reading it takes longer than reading a value. */
const ITEMS_A_READING = 16
const VALUES_A_READING = 2000

/** Limits the values that a request may read, so that no request blocks the mock (D96). */
export interface Budget {
  /** @throws {Problem} 400 if the request exceeds its limits. */
  readonly spend: (values: number) => void
  /** Whether to yield to other requests now. */
  readonly isPauseDue: () => boolean
}

/** For single resources, outside of requests. */
export const UNLIMITED: Budget = { spend: () => undefined, isPauseDue: () => false }

/** Error messages for exceeding the limit per resource, and the total limit. */
interface TooMuch {
  readonly atOnce: string
  readonly inAll: string
}

const TOO_MUCH_OF_A_QUERY: TooMuch = {
  atOnce: `The query reads more than ${MOST_AT_ONCE} values of one resource. Use fewer conditions or shorter arrays.`,
  inAll: `The query reads more than ${MOST_IN_ALL} values. Use fewer conditions or fewer resources.`,
}

/** Creates an unlimited budget that pauses after every batch of this many items. */
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

/** @param elapsed milliseconds of a monotonic clock; default: pauses depend only on the number of values */
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
 * Calls `visit` with every position from 0 up to `count` until it returns `false`, pausing when due. Short scans are
 * synchronous.
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

/** Like {@link scanPlaces}, but for a list, which is copied first. */
export function scan<Item>(
  items: Iterable<Item>,
  budget: Budget,
  visit: (item: Item) => boolean | void,
): void | Promise<void> {
  const all = [...items]
  // `place` is within bounds.
  return scanPlaces(all.length, budget, (place) => visit(all[place] as Item))
}

/** Maximum length of text quoted from a request in a message. */
const LONGEST = 60

export const abridge = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)

/** Maximum length of a list that is sorted in one go; longer lists are merge-sorted. */
const RUN = 64

/** Merges two sorted lists. The merge is stable: of equal items, those of the first list come first. */
async function merge<Item>(
  first: readonly Item[],
  second: readonly Item[],
  compare: (a: Item, b: Item) => number,
  { isPauseDue }: Budget,
): Promise<Item[]> {
  const merged: Item[] = []
  let [atFirst, atSecond] = [0, 0]
  while (atFirst < first.length && atSecond < second.length) {
    // Both indexes are within bounds.
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

/** Sorts like `Array.prototype.toSorted`, pausing when due. */
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
