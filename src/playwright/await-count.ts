/** What is asked of the number of requests that match a pattern. */
export interface Wanted {
  /** Exactly so many; undefined: at least one. */
  readonly times: number | undefined
  /** Whether the opposite is asked for. */
  readonly isNot: boolean
  /** Aborted when time is up. */
  readonly deadline: AbortSignal
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
 * @param wait resolves after so many milliseconds
 * @returns the last count
 */
export async function awaitCount(
  count: () => Promise<number>,
  { times, isNot, deadline }: Wanted,
  wait: (milliseconds: number) => Promise<void>,
): Promise<number> {
  for (let turn = 0; ; turn += 1) {
    // What came while time ran out was in time.
    const isLast = deadline.aborted
    const found = await count()
    if (isLast || isMet(found, times) !== isNot || isFinal(found, times)) return found
    await wait(PAUSES[turn] ?? LONGEST_PAUSE)
  }
}
