import { pause } from './pause.ts'
import { Queue } from './queue.ts'

/** Lets many pieces of work run one after the other, and everything else in between. */
export interface Turns {
  /**
   * Asks for a turn; undefined if the work may start at once.
   *
   * @param size of the work
   */
  take(size: number): Promise<void> | undefined
}

interface Waiting {
  readonly size: number
  readonly start: () => void
}

/**
 * Creates turns for work of any size. A pause follows each time that the work of one turn is as large as the slice, however
 * many take part: with a pace of their own, a thousand would all run after the same pause.
 */
export function createTurns(slice: number): Turns {
  const waiting = new Queue<Waiting>()
  let spent = 0
  let isPausing = false

  async function letOthersRun(): Promise<void> {
    isPausing = true
    do {
      await pause()
      spent = 0
      while (spent < slice) {
        const next = waiting.shift()
        if (next === undefined) break
        spent += next.size
        next.start()
      }
    } while (spent >= slice || waiting.size > 0)
    isPausing = false
  }

  return {
    take(size) {
      if (isPausing) return new Promise((start) => waiting.add({ size, start }))
      spent += size
      if (spent >= slice) void letOthersRun()
      return undefined
    },
  }
}
