/** What is asked of the number of requests that match a pattern. */
export interface Wanted {
  /** Exactly so many; undefined: at least one. */
  readonly times: number | undefined
  /** Whether the opposite is asked for. */
  readonly isNot: boolean
  /** In milliseconds, how long to wait for it. */
  readonly timeout: number
}

/** Time as the wait sees it. */
export interface Timing {
  /** Milliseconds of a clock that never stands still. */
  readonly elapsed: () => number
  readonly wait: (milliseconds: number) => Promise<void>
}

/** Short ones at first, for what comes at once. */
const PAUSES = [20, 50, 100] as const
const LONGEST_PAUSE = 250

export const isMet = (count: number, times: number | undefined): boolean =>
  times === undefined ? count > 0 : count === times

/** Requests come and do not go: past this no waiting changes the answer. */
const isFinal = (count: number, times: number | undefined): boolean => count > (times ?? 0)

/**
 * Counts again and again, as web-first assertions do, until what is wanted is so, can no longer be, or time is up.
 *
 * @returns the last count
 */
export async function awaitCount(count: () => Promise<number>, wanted: Wanted, timing: Timing): Promise<number> {
  const { times, isNot, timeout } = wanted
  const end = timing.elapsed() + timeout
  for (let turn = 0; ; turn += 1) {
    const found = await count()
    if (isMet(found, times) !== isNot || isFinal(found, times)) return found
    const left = end - timing.elapsed()
    if (left <= 0) return found
    await timing.wait(Math.min(PAUSES[turn] ?? LONGEST_PAUSE, left))
  }
}
