/** Runs a task as soon as fewer than the limit are running. */
export type LimitTasks = <T>(task: () => Promise<T>) => Promise<T>

/** Creates what runs at most this many tasks at once; the others wait in their order. */
export function createLimit(most: number): LimitTasks {
  let running = 0
  const waiting: (() => void)[] = []
  return async function limited(task) {
    if (running < most) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await task()
    } finally {
      // The place goes to the next one in line, or becomes free.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
