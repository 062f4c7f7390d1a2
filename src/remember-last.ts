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
