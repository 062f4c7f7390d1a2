import { hold } from '../http/abort.ts'
import { findErrorCode } from '../util/error-code.ts'
import { Stop } from './stop.ts'

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

/** How requests to a service are sent. */
interface AskParts {
  readonly fetch: Fetch
  /** Milliseconds that an answer may take. */
  readonly timeout: number
  /** Once aborted, nothing is waited for any more. */
  readonly interruption?: AbortSignal | undefined
  /** Called when a request has waited in vain. */
  readonly onVain?: (() => void) | undefined
}

/** Where a request goes, and what it says. */
interface Asking extends Omit<RequestInit, 'signal' | 'redirect'> {
  readonly url: string
}

interface Asked {
  readonly response: Response
  readonly text: string
}

/** At most this many times a request is sent: a service may ask for no wait at all. */
const MOST_TRIES = 10

/** How long a service asks to wait, in milliseconds (RFC 9110, section 10.2.3); undefined if it does not. */
function findWait({ status, headers }: Response): number | undefined {
  const text = headers.get('Retry-After')?.trim() ?? ''
  if ((status !== 429 && status !== 503) || text === '') return undefined
  const wait = /^\d+$/.test(text)
    ? Number(text) * 1000
    : // The service's own clock tells how far away its date is.
      Date.parse(text) - Date.parse(headers.get('Date') ?? '')
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

const waitFor = (milliseconds: number, interruption: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(new Stop('interrupted before it was tried again'))
    }
    const timer = setTimeout(() => {
      interruption?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    interruption?.addEventListener('abort', stop, { once: true })
    if (interruption?.aborted === true) stop()
  })

async function askOnce({ fetch, timeout }: AskParts, { url, ...init }: Asking): Promise<Asked> {
  const request = new Request(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeout) })
  const release = hold(request)
  try {
    const response = await fetch(request)
    return { response, text: await response.text() }
  } finally {
    release()
  }
}

/**
 * Creates what sends requests to a service, and reads its answers to their end; where they lead elsewhere is not followed.
 * A request refused by 429 or 503 is sent again after the time of Retry-After, as long as these times are not more than the
 * timeout together. Once a request has waited in vain, no other waits until the service takes one again.
 *
 * The created function throws whatever `fetch` rejects with, a `TimeoutError` where the time is up, and {@link Stop} when
 * interrupted in between.
 */
export function createAsk(parts: AskParts): (asking: Asking) => Promise<Asked> {
  let isInVain = false
  return async (asking) => {
    let waited = 0
    for (let tries = 1; ; tries += 1) {
      const asked = await askOnce(parts, asking)
      const wait = findWait(asked.response)
      if (wait === undefined) isInVain = false
      if (wait === undefined || isInVain) return asked
      if (tries === MOST_TRIES || waited + wait > parts.timeout) {
        isInVain = tries > 1
        if (isInVain) parts.onVain?.()
        return asked
      }
      waited += wait
      await waitFor(wait, parts.interruption)
    }
  }
}
