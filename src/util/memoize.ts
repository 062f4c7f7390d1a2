/**
 * A map of limited size: a new entry replaces the oldest one.
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

/**
 * Remembers the last result of a function: most requests resemble the one before.
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

/** More results than this are not kept. */
const MOST = 1000

/** A result of a longer key is not kept: it would take more memory than it saves time. In characters. */
const LONGEST = 256

/**
 * Remembers the latest 1,000 results of a function.
 *
 * @example const toAddress = memoize((url) => parseAddress(url))
 */
export function memoize<V>(compute: (key: string) => V): (key: string) => V {
  const known = new BoundedMap<string, V>(MOST)
  return function memoized(key) {
    const found = known.get(key)
    if (found !== undefined) return found
    const value = compute(key)
    if (key.length <= LONGEST) known.set(key, value)
    return value
  }
}
