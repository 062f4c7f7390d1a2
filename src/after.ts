/**
 * Goes on with a value: at once where it is there, later where it is awaited. Most requests have nothing to wait for,
 * and a request that never waits costs half of one that does.
 */
export const after = <T, U>(value: T | Promise<T>, proceed: (value: T) => U | Promise<U>): U | Promise<U> =>
  value instanceof Promise ? value.then(proceed) : proceed(value)

/** As {@link after}, for what goes on with a subject of its own: without a closure around it. */
export const onward = <T, S, U>(
  value: T | Promise<T>,
  subject: S,
  proceed: (value: T, subject: S) => U | Promise<U>,
): U | Promise<U> =>
  value instanceof Promise ? value.then((settled) => proceed(settled, subject)) : proceed(value, subject)
