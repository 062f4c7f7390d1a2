/**
 * Requests that are under way. Node's `Request` hears of the signal that it was given by a weak reference only (undici,
 * `lib/web/fetch/request.js`): once everybody else has dropped the request, it is collected, and tells nobody.
 */
const held = new Set<object>()

/**
 * Keeps a request able to tell that it is aborted, whoever drops it meanwhile.
 *
 * @returns what lets go of it
 */
export function hold(request: Request): () => void {
  const holding = { request }
  held.add(holding)
  return () => {
    held.delete(holding)
  }
}

/**
 * Calls a listener once when a request is aborted, however long that takes and whoever has dropped the request by then.
 *
 * @returns what stops listening
 */
export function onAbort(request: Request, listener: () => void): () => void {
  const { signal } = request
  const release = hold(request)
  const stop = (): void => {
    signal.removeEventListener('abort', abort)
    release()
  }
  const abort = (): void => {
    stop()
    listener()
  }
  signal.addEventListener('abort', abort)
  return stop
}
