export interface FakeClock {
  (): number
  /** Moves the clock on by seconds. */
  pass(seconds: number): void
}

/** A clock that stands until it is moved; it begins in a year long gone, so that nothing rests on the real one. */
export function createFakeClock(start = Date.parse('2001-02-03T04:05:06.789Z')): FakeClock {
  let now = start
  return Object.assign(() => now, {
    pass: (seconds: number) => {
      now += seconds * 1000
    },
  })
}
