import { isAborted, onAbort } from '../http/abort.ts'
import type { Send } from './admin-client.ts'

interface MockFetchParts {
  /** The session that requests name in a header; absent: they name what they name. */
  readonly name?: string
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
const isRequest = (input: Request | URL | string): input is Request => typeof input === 'object' && 'url' in input

/** What does not listen to the request's signal itself is left alone once it tells: `fetch` rejects then. */
function untilAborted(request: Request, answering: Promise<Response>): Promise<Response> {
  return new Promise((resolve, reject) => {
    const leave = onAbort(request, () => reject(request.signal.reason))
    answering.then(resolve, reject).then(leave, leave)
  })
}

/** Creates what sends requests as `fetch` does. A session in a request's path wins over the one it is sent by. */
export function createMockFetch({ name, baseUrl, send }: MockFetchParts): MockFetch {
  /** The request that `fetch` would make of what it was given; one that nothing is added to is not copied. */
  function toRequest(input: Request | URL | string, init: RequestInit | undefined): Request {
    if (isRequest(input) && init === undefined && name === undefined) return input
    const request = new Request(isRequest(input) ? input : toUrl(input, baseUrl()), init)
    if (name !== undefined) request.headers.set('X-Mock-Session', name)
    return request
  }

  return async function fetch(input, init) {
    const request = toRequest(input, init)
    if (isAborted(request)) throw request.signal.reason
    return untilAborted(request, send(request))
  }
}
