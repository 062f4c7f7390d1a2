/** A function in steps, which yields each promise that it has to wait for. It runs at once as far as there is none. */
export type Steps<Result> = Generator<Promise<unknown>, Result>

/** Waits for a promise within steps, as `await` does. */
export function* wait<Value>(promise: Promise<Value>): Steps<Value> {
  // The runner resumes with what the promise resolves to.
  return (yield promise) as Value
}

async function finish<Result>(steps: Steps<Result>, first: Promise<unknown>): Promise<Result> {
  let promise = first
  for (;;) {
    const next = await promise.then(
      (value) => steps.next(value),
      (fault: unknown) => steps.throw(fault),
    )
    if (next.done === true) return next.value
    promise = next.value
  }
}

/**
 * Runs steps, and returns the result without a promise if there was nothing to wait for: a GET takes 13 % fewer
 * instructions than in an `async` function (docs/benchmarks.md).
 */
export function runSteps<Result>(steps: Steps<Result>): Result | Promise<Result> {
  const next = steps.next()
  return next.done === true ? next.value : finish(steps, next.value)
}
