import { Fifo } from './collections.ts'

/** The work on a longer text pauses between its steps, in characters. */
const LONG_TEXT = 100_000

/** Lets other requests have their turn. */
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

/** Counts a step of long work by its size; the promise, if there is one, lets other requests have their turn. */
export type Pace = (size: number) => Promise<void> | undefined

/** Creates what pauses each time that the steps of a work are that large together. */
export function createPace(slice: number): Pace {
  let sum = 0
  return function pace(size) {
    sum += size
    if (sum < slice) return undefined
    sum = 0
    return pause()
  }
}

/** How long work takes before others have their turn, in milliseconds. */
const SLICE = 3

/**
 * Returns items one after the other, and lets other requests have their turn every few milliseconds. What the caller does with
 * each item counts, and so does what it takes to make it.
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

/** Pauses after a step of the work on a text, if the text is long. */
export const pauseIfLong = (text: string): Promise<void> | undefined => (text.length > LONG_TEXT ? pause() : undefined)

/** Lets many pieces of work run one after the other, and everything else in between. */
export interface Turns {
  /**
   * Asks for a turn; undefined if the work may start at once.
   *
   * @param size of the work
   */
  take(size: number): Promise<void> | undefined
}

interface Waiting {
  readonly size: number
  readonly start: () => void
}

/**
 * Creates turns for work of any size. A pause follows each time that the work of one turn is as large as the slice, however
 * many take part: with a pace of their own, a thousand would all run after the same pause.
 */
export function createTurns(slice: number): Turns {
  const waiting = new Fifo<Waiting>()
  let spent = 0
  let isPausing = false

  async function letOthersRun(): Promise<void> {
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
    take(size) {
      if (isPausing) return new Promise((start) => waiting.push({ size, start }))
      spent += size
      if (spent >= slice) void letOthersRun()
      return undefined
    },
  }
}

/** Long work, step by step: each step yields its size. */
export type Steps<Result> = Generator<number, Result, void>

/** Does all steps at once: what nobody waits for. */
export function runAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** Lets other requests have their turn each time that the steps are that large together. */
export async function runInTurns<Result>(steps: Steps<Result>, slice: number): Promise<Result> {
  const pace = createPace(slice)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    await pace(value)
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
