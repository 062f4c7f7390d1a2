import { problem } from '../errors.ts'

/** The listeners of one request. */
interface Waiting {
  readonly listeners: Set<() => void>
  readonly end: () => void
}

/**
 * Requests with abort listeners. Node's `Request` follows the signal it was given only through a weak reference (undici,
 * `lib/web/fetch/request.js`): once nothing else refers to the request, it is collected and its abort is lost. So each is
 * kept here until it is answered or aborted. A request that never is stays here, like the `fetch` that sent it.
 */
const waitings = new Map<Request, Waiting>()

/** A polyfill's request may have no signal. */
const signalOf = (request: Request): AbortSignal | null | undefined => request.signal

/** Adds one listener to the signal for all listeners: Node warns of a leak if there are many. */
function begin(request: Request, signal: AbortSignal): Waiting {
  const listeners = new Set<() => void>()
  const end = (): void => {
    signal.removeEventListener('abort', tell)
    waitings.delete(request)
  }
  const tell = (): void => {
    end()
    for (const listener of listeners) listener()
  }
  signal.addEventListener('abort', tell)
  const waiting = { listeners, end }
  waitings.set(request, waiting)
  return waiting
}

export const isAborted = (request: Request): boolean => signalOf(request)?.aborted === true

/**
 * Calls a listener once when a request is aborted, even if nothing else refers to the request by then. Does nothing if the
 * request {@link isAborted} already.
 *
 * @returns a function that removes the listener
 */
export function onAbort(request: Request, listener: () => void): () => void {
  const signal = signalOf(request)
  if (signal === null || signal === undefined || signal.aborted) return () => undefined
  const { listeners, end } = waitings.get(request) ?? begin(request, signal)
  // The same function may be passed twice.
  const own = (): void => listener()
  listeners.add(own)
  return () => {
    if (listeners.delete(own) && listeners.size === 0) end()
  }
}

/**
 * Keeps a request in memory, so that the listeners of its signal are called when it is aborted.
 *
 * @returns a function that releases it
 */
export const hold = (request: Request): (() => void) => onAbort(request, () => undefined)

/**
 * A span of milliseconds; `from` equals `to` for a fixed delay.
 *
 * @example const delay: Delay = { from: 100, to: 500 }
 */
export interface Delay {
  readonly from: number
  readonly to: number
}

/** The longest delay in milliseconds. */
export const MAX_DELAY = 60_000

/** `300` or `100-500` in milliseconds, at most {@link MAX_DELAY}; undefined for anything else. */
export function findDelay(text: string): Delay | undefined {
  const parts = /^\s*(\d{1,6})(?:\s*-\s*(\d{1,6}))?\s*$/.exec(text)
  if (parts === null) return undefined
  const from = Number(parts[1])
  const to = Number(parts[2] ?? parts[1])
  return from <= to && to <= MAX_DELAY ? { from, to } : undefined
}

/**
 * Reads the header `X-Mock-Delay`.
 *
 * @throws {Problem} 400 for what is no delay.
 */
export function parseDelayHeader(text: string): Delay {
  const delay = findDelay(text)
  if (delay !== undefined) return delay
  throw problem.invalidField({
    field: 'X-Mock-Delay',
    invalidValue: text,
    message: `The header X-Mock-Delay: ${JSON.stringify(text)} is not a delay. Send milliseconds, such as 300 or 100-500, at most ${MAX_DELAY}.`,
  })
}

/** Waits for milliseconds, or until the client is gone. */
export function wait(milliseconds: number, request: Request): Promise<void> {
  if (milliseconds <= 0 || isAborted(request)) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      stop()
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    const stop = onAbort(request, done)
  })
}
