import { problem } from '../errors.ts'
import { pause } from '../util/pause.ts'

/** At most so many values are looked at before others have their turn, or, of one resource, at all. */
export const MOST_AT_ONCE = 2_000_000
/** At most so many values one query may look at in all. */
export const MOST_IN_ALL = 100_000_000
/** After so many values, or milliseconds, others have their turn. */
const PAUSE_AFTER = 200_000
const SLICE = 3
/** The clock is read after so many items, or values: to read it takes longer than to look at a value. */
const ITEMS_A_READING = 16
const VALUES_A_READING = 2000

/** Counts what a request looks at, so that none holds the mock up (D96). */
export interface Effort {
  /** @throws {Problem} 400 where that is more than one request may look at. */
  readonly spend: (values: number) => void
  /** Whether others should have their turn. */
  readonly isPauseDue: () => boolean
}

/** For what is asked of one resource at a time, and not by a request. */
export const UNLIMITED: Effort = { spend: () => undefined, isPauseDue: () => false }

/** What is said where it is too much: of one resource, or of all. */
interface TooMuch {
  readonly atOnce: string
  readonly inAll: string
}

const TOO_MUCH_OF_A_QUERY: TooMuch = {
  atOnce: `The query looks at more than ${MOST_AT_ONCE} values of one resource. Use fewer conditions, or shorter arrays.`,
  inAll: `The query looks at more than ${MOST_IN_ALL} values. Use fewer conditions, or fewer resources.`,
}

/** Counts nothing, and lets others have their turn after so many items. */
export function createPauses(items: number): Effort {
  let visited = 0
  return {
    spend: () => undefined,
    isPauseDue() {
      visited += 1
      return visited % items === 0
    },
  }
}

interface EffortParts {
  readonly tooMuch?: TooMuch
  /** Milliseconds of a monotonic clock. Default: pauses depend only on the number of values. */
  readonly elapsed?: (() => number) | undefined
}

export function createEffort({ tooMuch = TOO_MUCH_OF_A_QUERY, elapsed }: EffortParts = {}): Effort {
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
 * Visits the places from 0 to `count` until one visit returns `false`, with a pause whenever the effort wants one. Few are
 * visited synchronously.
 */
export function scanPlaces(
  count: number,
  { isPauseDue }: Effort,
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

/** As {@link scanPlaces} for a list. Changes to the list meanwhile are not seen. */
export function scan<Item>(
  items: Iterable<Item>,
  effort: Effort,
  visit: (item: Item) => boolean | void,
): void | Promise<void> {
  const all = [...items]
  // A place that exists.
  return scanPlaces(all.length, effort, (place) => visit(all[place] as Item))
}

/** The longest piece of a request that a message repeats. */
const LONGEST = 60

/** As much of a text as a message needs. */
export const abridge = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)

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
