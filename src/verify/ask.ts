import { hold } from '../http/abort.ts'
import { findErrorCode } from '../util/error-code.ts'

/** Sends a request, as the platform's `fetch` does. */
export type Fetch = (request: Request) => Promise<Response>

/** What a failed fetch says for itself: the system's code where there is one. */
export function toReason(fault: unknown, timeout: number): string {
  if (!(fault instanceof Error)) return String(fault)
  if (fault.name === 'TimeoutError') return `no answer within ${timeout} ms`
  const { cause } = fault
  const code = findErrorCode(cause)
  if (code !== undefined) return code
  return cause instanceof Error ? cause.message : fault.message
}

/** Where a request goes, and how long its answer may take, in milliseconds. */
interface Asking extends Omit<RequestInit, 'signal' | 'redirect'> {
  readonly fetch: Fetch
  readonly url: string
  readonly timeout: number
}

/**
 * Sends a request, and reads the answer to its end; where it leads elsewhere is not followed.
 *
 * @throws whatever `fetch` rejects with, a `TimeoutError` where the time is up.
 */
export async function ask({ fetch, url, timeout, ...init }: Asking): Promise<{ response: Response; text: string }> {
  const request = new Request(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeout) })
  const release = hold(request)
  try {
    const response = await fetch(request)
    return { response, text: await response.text() }
  } finally {
    release()
  }
}
