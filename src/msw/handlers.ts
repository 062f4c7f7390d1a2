import { http, HttpResponse } from 'msw'
import type { HttpHandler } from 'msw'
import { createMock } from '../mock.ts'
import type { MockOptions } from '../options.ts'
import { toMockRequest, withBasePath } from './base-path.ts'
import { parseBase, toPattern } from './base-url.ts'

/** What answers requests: a mock, or one session of it. */
export interface Answering {
  fetch(request: Request): Promise<Response>
}

const isAnswering = (given: MockOptions | Answering): given is Answering => 'fetch' in given

/**
 * Creates handlers for MSW: all that an app asks below a base URL is answered by a mock, unknown paths too. What a
 * scenario does to the connection is a network error. For msw 2.7 and later, 3 included, in Node and in the browser.
 *
 * @param baseUrl where the app believes its API to be, such as `https://api.example.com`; with a page, a path too
 * @param mock a mock, one session of it, or options for one that is made here. An option that is wrong is an unhandled
 * rejection, since nobody waits for the mock.
 * @throws {SetupError} for a base URL that is none.
 * @example
 * const server = setupServer(...handlers('https://api.example.com', { scenario: 'conflict-once' }))
 * @example
 * const mock = await createMock()
 * const server = setupServer(...handlers('https://api.example.com', mock))
 * server.use(...handlers('https://api.example.com', mock.session('checkout')))
 */
export function handlers(baseUrl: string, mock: MockOptions | Answering = {}): HttpHandler[] {
  const base = parseBase(baseUrl)
  const opening = isAnswering(mock) ? mock : createMock(mock)
  return [
    http.all(toPattern(base), async ({ request }) => {
      const answering = await opening
      const asked = await toMockRequest(request, base)
      // The mock rejects only where there is no answer: a scenario broke the connection.
      return answering.fetch(asked).then(
        (response) => withBasePath(response, base),
        () => HttpResponse.error(),
      )
    }),
  ]
}
