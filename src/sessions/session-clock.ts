import type { ClockMove } from '../state/state-data.ts'

/** The clock of a session: that of the mock, until a test moves it. */
export interface SessionClock {
  /** Epoch milliseconds. */
  now(): number
  /** Milliseconds of a monotonic clock. A move to the future counts as time that has passed. */
  elapsed(): number
  /** Moves the clock to a time, in epoch milliseconds; it goes on from there. */
  set(time: number): void
  /** Goes back to the clock of the mock. */
  reset(): void
}

interface ClockParts {
  /** Epoch milliseconds by the mock's clock. */
  readonly clock: () => number
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number
  /** How far the clock was moved. */
  readonly read: () => ClockMove
  readonly move: (move: ClockMove) => void
}

export function createSessionClock({ clock, elapsed, read, move }: ClockParts): SessionClock {
  return {
    now: () => clock() + read().offset,
    elapsed: () => elapsed() + read().passed,
    set(time) {
      const { offset: before, passed } = read()
      const offset = time - clock()
      move({ offset, passed: passed + Math.max(0, offset - before) })
    },
    reset() {
      const { offset, passed } = read()
      if (offset !== 0) move({ offset: 0, passed })
    },
  }
}
