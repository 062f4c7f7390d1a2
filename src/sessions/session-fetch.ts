import type { Send } from './admin-client.ts'

interface SessionFetchParts {
  readonly name: string
  /** Where the mock is, without a slash at its end. */
  readonly baseUrl: () => string
  readonly send: Send
}

/** `fetch`, where a path will do. */
export type MockFetch = (input: Request | URL | string, init?: RequestInit) => Promise<Response>

/** A path is one of the mock's; anything else says itself where it leads. */
function toUrl(input: URL | string, baseUrl: string): string {
  const text = String(input)
  if (text.startsWith('/')) return baseUrl + text
  return URL.canParse(text) ? text : `${baseUrl}/${text}`
}

/** Where a test's environment brings classes of its own, a request is no instance of the global one. */
export const isRequest = (input: Request | URL | string): input is Request =>
  typeof input === 'object' && 'url' in input

/** The request that `fetch` would make of what it was given; a path is below `baseUrl`. */
export const toRequest = (input: Request | URL | string, init: RequestInit | undefined, baseUrl: string): Request =>
  new Request(isRequest(input) ? input : toUrl(input, baseUrl), init)

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
export function createSessionFetch({ name, baseUrl, send }: SessionFetchParts): MockFetch {
  return async function fetch(input, init) {
    const request = toRequest(input, init, baseUrl())
    const { signal } = request
    signal.throwIfAborted()
    request.headers.set('X-Mock-Session', name)
    return untilAborted(signal, send(request))
  }
}
