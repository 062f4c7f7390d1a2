/**
 * The requests whose abort is waited for. Node's `Request` hears of the signal that it was given by a weak reference only
 * (undici, `lib/web/fetch/request.js`): once everybody else has dropped the request, it is collected, and tells nobody.
 */
const awaited = new Set<Request>()

/**
 * Calls a listener once when a request is aborted, however long that takes and whoever has dropped the request by then.
 *
 * @returns what stops listening
 */
export function onAbort(request: Request, listener: () => void): () => void {
  const { signal } = request
  const stop = (): void => {
    signal.removeEventListener('abort', abort)
    awaited.delete(request)
  }
  const abort = (): void => {
    stop()
    listener()
  }
  awaited.add(request)
  signal.addEventListener('abort', abort)
  return stop
}
