/** Runs tasks of one name one after the other, and those of other names at the same time. */
export interface Queues {
  /** Whether tasks of that name have not ended. */
  isBusy(name: string): boolean
  /** Resolves once the tasks of all names have ended that were there at the call. */
  idle(): Promise<void>
  run<Result>(name: string, task: () => Promise<Result>): Promise<Result>
}

export function createQueues(): Queues {
  const last = new Map<string, Promise<unknown>>()
  return {
    isBusy: (name) => last.has(name),
    async idle() {
      await Promise.all(last.values())
    },
    run(name, task) {
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
