/** A value, and its neighbours. */
interface Link<T> {
  readonly value: T
  older: Link<T> | undefined
  newer: Link<T> | undefined
}

/**
 * Values in the order in which they came. Taking the oldest takes constant time, and so does removing any other.
 *
 * The links are there because a set alone cannot do that: a new iterator steps over all that were deleted, and an iterator
 * that is kept for long keeps deleted values alive.
 *
 * @example
 * const queue = new Queue<string>()
 * queue.add('a')
 * queue.shift() // 'a'
 */
export class Queue<T> {
  readonly #links = new Map<T, Link<T>>()
  #oldest: Link<T> | undefined
  #newest: Link<T> | undefined

  get size(): number {
    return this.#links.size
  }

  /** Adds a value, unless it is there. */
  add(value: T): void {
    if (this.#links.has(value)) return
    const link: Link<T> = { value, older: this.#newest, newer: undefined }
    if (this.#newest === undefined) this.#oldest = link
    else this.#newest.newer = link
    this.#newest = link
    this.#links.set(value, link)
  }

  /** Returns whether the value was there. */
  delete(value: T): boolean {
    const link = this.#links.get(value)
    if (link === undefined) return false
    const { older, newer } = link
    if (older === undefined) this.#oldest = newer
    else older.newer = newer
    if (newer === undefined) this.#newest = older
    else newer.older = older
    return this.#links.delete(value)
  }

  /** Removes the oldest value and returns it; undefined when there is none. */
  shift(): T | undefined {
    const oldest = this.#oldest
    if (oldest === undefined) return undefined
    this.delete(oldest.value)
    return oldest.value
  }

  /** All values, the oldest first. */
  toArray(): T[] {
    return [...this.#links.keys()]
  }
}
