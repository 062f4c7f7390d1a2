import type { Send } from './admin-client.ts'

interface SessionFetchParts {
  readonly name: string
  /** Where the mock is, without a slash at its end. */
  readonly baseUrl: () => string
  readonly send: Send
}

/** `fetch`, but as one session. */
export type SessionFetch = (input: Request | URL | string, init?: RequestInit) => Promise<Response>

/** A path is one of the mock's; anything else says itself where it leads. */
function toUrl(input: URL | string, baseUrl: string): string {
  const text = String(input)
  if (text.startsWith('/')) return baseUrl + text
  return URL.canParse(text) ? text : `${baseUrl}/${text}`
}

/** What does not listen to a signal itself is left alone once it tells: `fetch` rejects then. */
function untilAborted(signal: AbortSignal, answering: Promise<Response>): Promise<Response> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    const leave = (): void => signal.removeEventListener('abort', abort)
    signal.addEventListener('abort', abort, { once: true })
    answering.then(resolve, reject).then(leave, leave)
  })
}

/** Creates what sends requests that name their session in a header; one in the path still wins. */
export function createSessionFetch({ name, baseUrl, send }: SessionFetchParts): SessionFetch {
  return async function fetch(input, init) {
    // Where a test's environment brings classes of its own, a request is no instance of the global one.
    const isRequest = typeof input === 'object' && 'url' in input
    const request = new Request(isRequest ? input : toUrl(input, baseUrl()), init)
    const { signal } = request
    signal.throwIfAborted()
    request.headers.set('X-Mock-Session', name)
    return untilAborted(signal, send(request))
  }
}
