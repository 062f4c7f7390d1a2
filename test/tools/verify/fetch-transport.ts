import { hold } from '../../../src/service/http/connection.ts'
import type { ReceivedResponse, Transport } from '../../../src/tools/verify/transport.ts'

/** Sends a request, like the platform's `fetch`. */
export type Fetch = (request: Request) => Promise<Response>

/** Creates a transport from `fetch`, or from the `fetch` of an in-process mock. */
export const createFetchTransport =
  (fetch: Fetch): Transport =>
  ({ url, timeout, body = null, ...init }) => {
    const request = new Request(url, { ...init, body, redirect: 'manual', signal: AbortSignal.timeout(timeout) })
    return exchange(fetch, request)
  }

async function exchange(fetch: Fetch, request: Request): Promise<ReceivedResponse> {
  const release = hold(request)
  try {
    const response = await fetch(request)
    const { status, headers } = response
    return { status, headers, text: await response.text() }
  } finally {
    release()
  }
}
