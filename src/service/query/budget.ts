import { problem } from '../../errors.ts'

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
