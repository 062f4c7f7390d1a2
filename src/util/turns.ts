import { Fifo } from './collections.ts'

/** Length in characters from which the processing of a text pauses between steps. */
const LONG_TEXT = 100_000

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

/** How long a task runs before it yields to other requests, in milliseconds. */
const SLICE = 3

/**
 * Returns items one by one and yields to other requests every few milliseconds. The time that the caller spends on each
 * item counts, as does the time to produce it.
 *
 * @param elapsed milliseconds of a monotonic clock
 */
export async function* inSlices<Item>(items: Iterable<Item>, elapsed: () => number): AsyncGenerator<Item, void> {
  let end = elapsed() + SLICE
  for (const item of items) {
    yield item
    if (elapsed() < end) continue
    await pause()
    end = elapsed() + SLICE
  }
}

/** Yields after a step of processing a text if the text is long. */
export const pauseIfLong = (text: string): Promise<void> | undefined => (text.length > LONG_TEXT ? pause() : undefined)

/** A queue for long tasks that lets other requests run between them. */
export type Turns = ReturnType<typeof createTurns>

/**
 * Creates a queue of turns. It pauses each time the started tasks add up to the slice, across all callers: if each caller
 * had its own pace, a thousand of them would all resume after the same pause.
 */
export function createTurns(slice: number) {
  const waiting = new Fifo<{ readonly size: number; readonly start: () => void }>()
  let spent = 0
  let isPausing = false

  async function runWaiting(): Promise<void> {
    isPausing = true
    do {
      await pause()
      spent = 0
      while (spent < slice) {
        const next = waiting.shift()
        if (next === undefined) break
        spent += next.size
        next.start()
      }
    } while (spent >= slice || waiting.size > 0)
    isPausing = false
  }

  return {
    /** Requests a turn for a task of this size; returns undefined if the task may start immediately. */
    take(size: number): Promise<void> | undefined {
      if (isPausing) return new Promise((start) => waiting.push({ size, start }))
      spent += size
      if (spent >= slice) void runWaiting()
      return undefined
    },
  }
}

/** A long task in steps, each of which yields its size. */
export type Steps<Result> = Generator<number, Result, void>

/** Runs all steps synchronously, for tasks that no request waits for. */
export function runAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** Runs the steps and yields to other requests each time their total size reaches the slice. */
export async function runInTurns<Result>(steps: Steps<Result>, slice: number): Promise<Result> {
  const pace = createPace(slice)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    await pace(value)
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
