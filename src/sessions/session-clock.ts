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
}

export function createSessionClock({ clock, elapsed }: ClockParts): SessionClock {
  let offset = 0
  let passed = 0
  const now = (): number => clock() + offset
  return {
    now,
    elapsed: () => elapsed() + passed,
    set(time) {
      const step = time - now()
      offset += step
      passed += Math.max(0, step)
    },
    reset() {
      offset = 0
    },
  }
}
