/** Removed slots at the front are freed once there are more than this many, and more than values. */
const MOST_REMOVED = 32

/**
 * A queue in one array. Adding a value and removing the oldest take constant time.
 *
 * @example
 * const queue = new Fifo<string>()
 * queue.push('a')
 * queue.shift() // 'a'
 */
export class Fifo<T> {
  #values: (T | undefined)[] = []
  /** The number of removed slots at the front. */
  #removed = 0

  get size(): number {
    return this.#values.length - this.#removed
  }

  /** The oldest value; undefined if the queue is empty. */
  get first(): T | undefined {
    return this.#values[this.#removed]
  }

  push(value: T): void {
    this.#values.push(value)
  }

  /** Removes and returns the oldest value; undefined if the queue is empty. */
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

  /** Removes the values that match the predicate and returns them, oldest first. */
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
    // Slots are undefined only at the front.
    return this.#values.slice(this.#removed) as T[]
  }
}

/**
 * A map of limited size that drops its oldest entry when it is full.
 *
 * @example new BoundedMap<string, number>(1000)
 */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #most: number

  constructor(most: number) {
    super()
    this.#most = most
  }

  override set(key: K, value: V): this {
    super.set(key, value)
    if (this.size > this.#most) {
      for (const oldest of this.keys()) {
        this.delete(oldest)
        break
      }
    }
    return this
  }
}

/** Splits items into groups with the same key, in the order of the first item of each. */
export function groupBy<Item>(
  items: Iterable<Item>,
  toKey: (item: Item) => string,
): readonly (readonly [Item, ...Item[]])[] {
  const groups = new Map<string, [Item, ...Item[]]>()
  for (const item of items) {
    const key = toKey(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return [...groups.values()]
}

/**
 * Caches the last result of a function, because most requests resemble the previous one.
 *
 * @example const toTime = memoizeLast((at: number) => new Date(at).toISOString())
 */
export function memoizeLast<K, V>(compute: (key: K) => V): (key: K) => V {
  let last: { readonly key: K; readonly value: V } | undefined
  return function memoized(key) {
    if (last === undefined || last.key !== key) last = { key, value: compute(key) }
    return last.value
  }
}

/** Maximum number of cached results. */
const MOST_KEYS = 1000

/** Results for longer keys (in characters) are not cached: the memory would cost more than the time saved. */
const LONGEST_CACHED_KEY = 256

/**
 * Caches the latest 1,000 results of a function.
 *
 * @example const toAddress = memoize((url) => parseAddress(url))
 */
export function memoize<V>(compute: (key: string) => V): (key: string) => V {
  const known = new BoundedMap<string, V>(MOST_KEYS)
  return function memoized(key) {
    const found = known.get(key)
    if (found !== undefined) return found
    const value = compute(key)
    if (key.length <= LONGEST_CACHED_KEY) known.set(key, value)
    return value
  }
}
