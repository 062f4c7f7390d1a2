import { http, HttpResponse } from 'msw'
import type { HttpHandler } from 'msw'
import { SetupError } from '../errors.ts'
import { createMock } from '../mock.ts'
import type { MockOptions } from '../options/options.ts'
import { parseOptions } from '../options/parse-options.ts'
import { toMockRequest, withBasePath } from './base-path.ts'
import { parseBase, toPattern } from './base-url.ts'

/** What answers requests: a mock, or one session of it. */
export interface Answering {
  fetch(request: Request): Promise<Response>
}

/** Whatever has no `fetch` is held to be options, and has to be some. */
const isAnswering = (given: unknown): given is Answering =>
  typeof given === 'object' && given !== null && 'fetch' in given && typeof given.fetch === 'function'

/**
 * Creates handlers for MSW: all that an app asks below a base URL is answered by a mock, unknown paths too. What a
 * scenario does to the connection is a network error. For msw 2.7 and later, 3 included, in Node and in the browser.
 *
 * @param baseUrl where the app believes its API to be, such as `https://api.example.com`; with a page, a path too
 * @param mock a mock, one session of it, or options for one that is made here. A scenario or fixture that is wrong is an
 * unhandled rejection, since nobody waits for the mock.
 * @throws {SetupError} for a base URL that is none, and for an option that is none.
 * @example
 * const server = setupServer(...handlers('https://api.example.com', { scenario: 'conflict-once' }))
 * @example
 * const mock = await createMock()
 * const server = setupServer(...handlers('https://api.example.com', mock))
 * server.use(...handlers('https://api.example.com', mock.session('checkout')))
 */
export function handlers(baseUrl: string | URL, mock: MockOptions | Answering = {}): HttpHandler[] {
  const base = parseBase(baseUrl)
  if (!isAnswering(mock)) parseOptions(mock)
  const opening = isAnswering(mock) ? mock : createMock(mock)
  return [
    http.all(toPattern(base), async ({ request }) => {
      const answering = await opening
      const asked = await toMockRequest(request, base)
      return answering.fetch(asked).then(
        (response) => withBasePath(response, base),
        (fault: unknown) => {
          // A session of a mock elsewhere, which has no way to this base URL.
          if (fault instanceof SetupError) throw fault
          // Else there is no answer: a scenario broke the connection, or the app went.
          return HttpResponse.error()
        },
      )
    }),
  ]
}
