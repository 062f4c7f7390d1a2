/** Puts answers in the order of what was asked, for none to take the place of that to a later question. */
export interface Order {
  /** Returns the number of a question that is asked now. */
  ask(): number
  /** Whether the answer to a question may be shown, which it is then: none to a later one was. */
  show(asked: number): boolean
}

export function createOrder(): Order {
  let last = 0
  let shown = 0
  return {
    ask() {
      last += 1
      return last
    },
    show(asked) {
      if (asked < shown) return false
      shown = asked
      return true
    },
  }
}
