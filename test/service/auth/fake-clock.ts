export interface FakeClock {
  (): number
  /** Advances the clock by seconds. */
  pass(seconds: number): void
}

/** A clock that only the test moves; it starts in a distant year, so that nothing depends on the real one. */
export function createFakeClock(start = Date.parse('2001-02-03T04:05:06.789Z')): FakeClock {
  let now = start
  return Object.assign(() => now, {
    pass: (seconds: number) => {
      now += seconds * 1000
    },
  })
}
