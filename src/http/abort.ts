/** Who is to be told that a request is aborted. */
interface Waiting {
  readonly listeners: Set<() => void>
  readonly end: () => void
}

/**
 * Requests whose abort is waited for. Node's `Request` hears of the signal that it was given by a weak reference only
 * (undici, `lib/web/fetch/request.js`): once everybody else has dropped the request, it is collected, and tells nobody. So
 * each is held here until it is answered or aborted; one that is never either stays, as does the `fetch` that sent it.
 */
const waitings = new Map<Request, Waiting>()

/** A polyfill's request has no signal where it was given none. */
const signalOf = (request: Request): AbortSignal | null | undefined => request.signal

/** One listener for all who wait, lest Node takes many of them for a leak. */
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
 * Calls a listener once when a request is aborted, however long that takes and whoever has dropped the request by then;
 * not for one that {@link isAborted} already.
 *
 * @returns what stops listening
 */
export function onAbort(request: Request, listener: () => void): () => void {
  const signal = signalOf(request)
  if (signal === null || signal === undefined || signal.aborted) return () => undefined
  const { listeners, end } = waitings.get(request) ?? begin(request, signal)
  // The same function may be given twice.
  const own = (): void => listener()
  listeners.add(own)
  return () => {
    if (listeners.delete(own) && listeners.size === 0) end()
  }
}

/**
 * Keeps a request able to tell whoever listens to its signal that it is aborted.
 *
 * @returns what lets go of it
 */
export const hold = (request: Request): (() => void) => onAbort(request, () => undefined)
