import { problem } from '../errors.ts'
import { pause } from '../util/pause.ts'

/** At most so many values are looked at before others have their turn, or, of one resource, at all. */
export const MOST_AT_ONCE = 2_000_000
/** At most so many values one query may look at in all. */
export const MOST_IN_ALL = 100_000_000
/** After so many values others have their turn. */
const PAUSE_AFTER = 200_000

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

export function createEffort(tooMuch: TooMuch = TOO_MUCH_OF_A_QUERY): Effort {
  let sincePause = 0
  let inAll = 0
  return {
    spend(values) {
      sincePause += values
      inAll += values
      if (sincePause > MOST_AT_ONCE) throw problem.invalidInput(tooMuch.atOnce)
      if (inAll > MOST_IN_ALL) throw problem.invalidInput(tooMuch.inAll)
    },
    isPauseDue() {
      if (sincePause < PAUSE_AFTER) return false
      sincePause = 0
      return true
    },
  }
}

/** After so many items others have their turn: to take an item may mean to make it. */
const MOST_ITEMS = 1000

/**
 * Visits items until one visit returns `false`, with a pause whenever the effort wants one, and after many items. Few items
 * are visited synchronously. Items are taken one by one: pass what does not change during a pause.
 */
export function scan<Item>(
  items: Iterable<Item>,
  { isPauseDue }: Effort,
  visit: (item: Item) => boolean | void,
): void | Promise<void> {
  const iterator = items[Symbol.iterator]()
  let visited = 0
  function visitNext(): void | Promise<void> {
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
      if (visit(next.value) === false) return undefined
      visited += 1
      if (isPauseDue() || visited % MOST_ITEMS === 0) return pause().then(visitNext)
    }
    return undefined
  }
  return visitNext()
}
