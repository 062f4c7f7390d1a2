/** The work on a longer text pauses between its steps, in characters. */
const LONG_TEXT = 100_000

/** Lets other requests have their turn. */
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

/** Counts a step of long work by its size; the promise, if there is one, lets other requests have their turn. */
export type Pace = (size: number) => Promise<void> | undefined

/** Creates what pauses each time that the steps of a work are that large together. */
export function createPace(slice: number): Pace {
  let sum = 0
  return function pace(size) {
    sum += size
    if (sum < slice) return undefined
    sum = 0
    return pause()
  }
}

/** How long work takes before others have their turn, in milliseconds. */
const SLICE = 3

/**
 * Returns items one after the other, and lets other requests have their turn every few milliseconds. What the caller does with
 * each item counts, and so does what it takes to make it.
 *
 * @param elapsed milliseconds of a monotonic clock
 */
export async function* inSlices<Item>(items: Iterable<Item>, elapsed: () => number): AsyncGenerator<Item, void> {
  let end = elapsed() + SLICE
  for (const item of items) {
    yield item
    if (elapsed() < end) continue
    await pause()
    end = elapsed() + SLICE
  }
}

/** Pauses after a step of the work on a text, if the text is long. */
export async function pauseIfLong(text: string): Promise<void> {
  if (text.length > LONG_TEXT) await pause()
}
