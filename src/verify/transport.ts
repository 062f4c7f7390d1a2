import { hold } from '../http/delay.ts'

/** A request as it goes out. */
export interface TransportRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer> | undefined
  /** Milliseconds that the whole answer may take. */
  readonly timeout: number
}

/** A response, read to its end. */
export interface ReceivedResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/**
 * Sends a request and reads the response; where it leads elsewhere is not followed. Rejects if no response comes, with a
 * `TimeoutError` if it does not come in time.
 *
 * @throws what is wrong with a request that cannot be built, before anything is sent.
 */
export type Transport = (request: TransportRequest) => Promise<ReceivedResponse>

/** Sends a request, as the platform's `fetch` does. */
export type Fetch = (request: Request) => Promise<Response>

/** Creates a transport from `fetch`, or from what a mock in the same process has in its place. */
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
