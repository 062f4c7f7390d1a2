/**
 * Values in the order in which they came. Taking the oldest takes constant time, and so does removing any other.
 *
 * @example
 * const queue = new Queue<string>()
 * queue.add('a')
 * queue.shift() // 'a'
 */
export class Queue<T> {
  readonly #values = new Set<T>()
  /** Everything before it is gone. A new iterator would first have to step over all that were deleted. */
  readonly #oldest = this.#values.values()

  get size(): number {
    return this.#values.size
  }

  add(value: T): void {
    this.#values.add(value)
  }

  /** Returns whether the value was there. */
  delete(value: T): boolean {
    return this.#values.delete(value)
  }

  /** Removes the oldest value and returns it; undefined when there is none. */
  shift(): T | undefined {
    // An iterator that has once reached the end stays there.
    if (this.#values.size === 0) return undefined
    const { value, done } = this.#oldest.next()
    if (done === true) return undefined
    this.#values.delete(value)
    return value
  }

  /** All values, the oldest first. */
  toArray(): T[] {
    return [...this.#values]
  }
}
