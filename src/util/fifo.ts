/** Removed places at the front are given back once there are this many, and more of them than values. */
const MOST_REMOVED = 32

/**
 * A queue in one array. Adding a value and taking the oldest take constant time.
 *
 * @example
 * const queue = new Fifo<string>()
 * queue.push('a')
 * queue.shift() // 'a'
 */
export class Fifo<T> {
  #values: (T | undefined)[] = []
  /** How many places at the front are removed. */
  #removed = 0

  get size(): number {
    return this.#values.length - this.#removed
  }

  /** The oldest value. */
  get first(): T | undefined {
    return this.#values[this.#removed]
  }

  push(value: T): void {
    this.#values.push(value)
  }

  /** Removes the oldest value and returns it; undefined if there is none. */
  shift(): T | undefined {
    if (this.size === 0) return undefined
    const oldest = this.first
    this.#values[this.#removed] = undefined
    this.#removed += 1
    if (this.#removed > MOST_REMOVED && this.#removed > this.size) {
      this.#values = this.#values.slice(this.#removed)
      this.#removed = 0
    }
    return oldest
  }

  /** Removes the values that the predicate holds for, and returns them, oldest first. */
  remove(predicate: (value: T) => boolean): T[] {
    const removed: T[] = []
    const kept: T[] = []
    for (const value of this.toArray()) (predicate(value) ? removed : kept).push(value)
    this.#values = kept
    this.#removed = 0
    return removed
  }

  /** All values, oldest first. */
  toArray(): T[] {
    // Only the places at the front are removed.
    return this.#values.slice(this.#removed) as T[]
  }
}
