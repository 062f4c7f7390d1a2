import { BoundedMap } from './util/bounded-map.ts'

/**
 * Makes a value once for all calls in a row that ask for the same: most requests are like the one before.
 *
 * @example const toTime = rememberLast((at: number) => new Date(at).toISOString())
 */
export function rememberLast<K, V>(make: (key: K) => V): (key: K) => V {
  let last: { readonly key: K; readonly value: V } | undefined
  return function remembered(key) {
    if (last === undefined || last.key !== key) last = { key, value: make(key) }
    return last.value
  }
}

/** So many texts are known at once: more than one client asks for in turn. */
const MOST = 1000

/** A longer one would take more memory than its value takes time. */
const LONGEST = 256

/**
 * Makes a value once for each text that is asked for again and again; of too many the oldest is made anew.
 *
 * @example const toAddress = rememberMany((target) => parseTarget(origin, target))
 */
export function rememberMany<V>(make: (key: string) => V): (key: string) => V {
  const known = new BoundedMap<string, V>(MOST)
  return function remembered(key) {
    const found = known.get(key)
    if (found !== undefined) return found
    const value = make(key)
    if (key.length <= LONGEST) known.set(key, value)
    return value
  }
}
