import { Fifo } from './collections.ts'

/** How long a task runs before it yields to others, in milliseconds. */
const SLICE = 3

/** Calls a function in a later turn of the event loop. */
type Defer = (task: () => void) => void

interface Loop {
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number
  /** Yields to others. */
  readonly pause: () => Promise<void>
}

/**
 * A task's time on the event loop. Work over many resources or journal entries checks it after each of them.
 *
 * @example
 * const slice = timeSlices.start()
 * for (const resource of resources) {
 *   visit(resource)
 *   if (slice.isOver()) await slice.next()
 * }
 */
export class TimeSlice {
  readonly #loop: Loop
  #end: number

  constructor(loop: Loop) {
    this.#loop = loop
    this.#end = loop.elapsed() + SLICE
  }

  /** Whether the task has run for long enough and should yield. */
  isOver(): boolean {
    return this.#loop.elapsed() >= this.#end
  }

  /** Yields to others, then starts a new slice. */
  async next(): Promise<void> {
    await this.#loop.pause()
    this.#end = this.#loop.elapsed() + SLICE
  }
}

/**
 * Creates the time slices of an event loop. All tasks that yield share one queue, and one of them goes on per turn of the
 * loop, so that sockets are served after each slice, however many tasks there are.
 */
export function createTimeSlices({ elapsed, defer }: Pick<Loop, 'elapsed'> & { readonly defer: Defer }) {
  const waiting = new Fifo<() => void>()

  function runNext(): void {
    waiting.shift()?.()
    if (waiting.size > 0) defer(runNext)
  }

  function pause(): Promise<void> {
    return new Promise((resolve) => {
      waiting.push(resolve)
      if (waiting.size === 1) defer(runNext)
    })
  }

  return {
    /** Yields to others, whatever time has passed. */
    pause,
    /** Starts a task's first slice. */
    start: (): TimeSlice => new TimeSlice({ elapsed, pause }),
  }
}

/** Takes the way of a platform to defer a task. With timers of 0 ms, several tasks that yield would starve the sockets. */
export function toDefer({ setImmediate, MessageChannel, setTimeout }: Partial<typeof globalThis>): Defer {
  if (setImmediate !== undefined) return (task) => void setImmediate(task)
  // jsdom has neither.
  if (MessageChannel === undefined) return (task) => void setTimeout?.(task, 0)
  const { port1, port2 } = new MessageChannel()
  return (task) => {
    port1.addEventListener('message', task, { once: true })
    port1.start()
    port2.postMessage(undefined)
  }
}

/** The time slices of this process, with the platform's functions as they were at loading: fake timers cannot stop them. */
export const timeSlices = createTimeSlices({ elapsed: performance.now.bind(performance), defer: toDefer(globalThis) })

/** Returns items one by one and yields to others when it is time. The time that the caller spends on each item counts, too. */
export async function* inSlices<Item>(items: Iterable<Item>): AsyncGenerator<Item, void> {
  const slice = timeSlices.start()
  for (const item of items) {
    yield item
    if (slice.isOver()) await slice.next()
  }
}
