/** Removed places at the front are given back once there are this many, and more of them than values. */
const MOST_REMOVED = 32

/**
 * A queue in one array. Adding a value and taking the oldest take constant time.
 *
 * @example
 * const queue = new Fifo<string>()
 * queue.push('a')
 * queue.shift() // 'a'
 */
export class Fifo<T> {
  #values: (T | undefined)[] = []
  /** How many places at the front are removed. */
  #removed = 0

  get size(): number {
    return this.#values.length - this.#removed
  }

  /** The oldest value. */
  get first(): T | undefined {
    return this.#values[this.#removed]
  }

  push(value: T): void {
    this.#values.push(value)
  }

  /** Removes the oldest value and returns it; undefined if there is none. */
  shift(): T | undefined {
    if (this.size === 0) return undefined
    const oldest = this.first
    this.#values[this.#removed] = undefined
    this.#removed += 1
    if (this.#removed > MOST_REMOVED && this.#removed > this.size) {
      this.#values = this.#values.slice(this.#removed)
      this.#removed = 0
    }
    return oldest
  }

  /** Removes the values that the predicate holds for, and returns them, oldest first. */
  remove(predicate: (value: T) => boolean): T[] {
    const removed: T[] = []
    const kept: T[] = []
    for (const value of this.toArray()) (predicate(value) ? removed : kept).push(value)
    this.#values = kept
    this.#removed = 0
    return removed
  }

  /** All values, oldest first. */
  toArray(): T[] {
    // Only the places at the front are removed.
    return this.#values.slice(this.#removed) as T[]
  }
}

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

/**
 * Runs a task by name in rounds: callers that join before a round starts share it, and the next one starts when it has ended.
 *
 * @returns joins the next round of a name
 */
export function createRounds(task: (name: string) => Promise<void>): (name: string) => Promise<void> {
  const running = new Map<string, Promise<void>>()
  const waiting = new Map<string, Promise<void>>()

  async function run(name: string): Promise<void> {
    const before = running.get(name)
    // Callers of that round get its error.
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
