/** Yields to other requests. */
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

/** Adds the size of a completed step; returns a promise if it is time to yield to other requests. */
export type Pace = (size: number) => Promise<void> | undefined

/** Creates a pace that yields each time the total size of the steps reaches the slice. */
export function createPace(slice: number): Pace {
  let sum = 0
  return function pace(size) {
    sum += size
    if (sum < slice) return undefined
    sum = 0
    return pause()
  }
}

/** Creates queues that run tasks with the same name in sequence, and tasks with different names concurrently. */
export function createQueues() {
  const last = new Map<string, Promise<unknown>>()
  return {
    /** Whether any task with this name is pending. */
    isBusy: (name: string): boolean => last.has(name),
    /** Resolves once all tasks that were pending at the time of the call have finished. */
    async idle(): Promise<void> {
      await Promise.all(last.values())
    },
    run<Result>(name: string, task: () => Promise<Result>): Promise<Result> {
      const mine = (last.get(name) ?? Promise.resolve()).then(task)
      const settled = mine
        .catch(() => undefined)
        .finally(() => {
          if (last.get(name) === settled) last.delete(name)
        })
      last.set(name, settled)
      return mine
    },
  }
}

/**
 * Batches calls of a task by name: callers that join before a round starts share it, and the next round starts when it has
 * finished.
 *
 * @returns a function that joins the next round of a name
 */
export function createRounds(task: (name: string) => Promise<void>): (name: string) => Promise<void> {
  const running = new Map<string, Promise<void>>()
  const waiting = new Map<string, Promise<void>>()

  async function run(name: string): Promise<void> {
    const before = running.get(name)
    // The error is reported to the callers of that round.
    if (before !== undefined) await before.catch(() => undefined)
    waiting.delete(name)
    const mine = task(name)
    running.set(name, mine)
    try {
      await mine
    } finally {
      if (running.get(name) === mine) running.delete(name)
    }
  }

  return function join(name) {
    const known = waiting.get(name)
    if (known !== undefined) return known
    const next = Promise.resolve().then(() => run(name))
    waiting.set(name, next)
    return next
  }
}
