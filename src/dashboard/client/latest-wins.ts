/** Lets the answer to the latest request win: one that arrives after the answer to a later request is dropped. */
export interface LatestWins {
  /** Numbers a request that is sent now. */
  ask(): number
  /** Whether the answer to a request may be shown: no later one was. */
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
