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
