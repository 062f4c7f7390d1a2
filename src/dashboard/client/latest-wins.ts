/** Drops responses that arrive after the response to a later request. */
export interface LatestWins {
  /** Returns a number for a request that is sent now. */
  ask(): number
  /** Whether the response may be shown: no later one was. */
  accept(asked: number): boolean
}

export function createLatestWins(): LatestWins {
  let last = 0
  let shown = 0
  return {
    ask() {
      last += 1
      return last
    },
    accept(asked) {
      if (asked < shown) return false
      shown = asked
      return true
    },
  }
}
