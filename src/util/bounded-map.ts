/**
 * A map that holds so many entries at most: a new one makes the oldest go.
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
