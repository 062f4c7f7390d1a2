/**
 * Goes on with a value: at once where it is there, later where it is awaited. Most requests have nothing to wait for,
 * and a request that never waits costs half of one that does.
 */
export const after = <T, U>(value: T | Promise<T>, proceed: (value: T) => U | Promise<U>): U | Promise<U> =>
  value instanceof Promise ? value.then(proceed) : proceed(value)
