import { hold } from '../http/connection.ts'
import { findErrorCode } from '../errors.ts'
import type { Finding } from './report.ts'

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
 * Sends a request and reads the response; redirects are not followed. Rejects if no response comes, with a
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

/** What ends an examination early: a reason, and the finding if the provider is to blame. */
export class Stop extends Error {
  override readonly name = 'Stop'
  readonly finding: Finding | undefined

  constructor(reason: string, finding?: Finding) {
    super(reason)
    this.finding = finding
  }
}

/** Why a request failed, in the system's words if it has a code. */
export function toReason(error: unknown, timeout: number): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `no answer within ${timeout} ms`
  const { cause } = error
  const code = findErrorCode(cause) ?? findErrorCode(error)
  if (code !== undefined) return code
  return cause instanceof Error ? cause.message : error.message
}

/** A request without the time that its answer may take. */
export type Asking = Omit<TransportRequest, 'timeout'>

/** At most this many times a request is sent: a service may ask for no wait at all. */
const MOST_TRIES = 10

/** How long a service asks to wait, in milliseconds (RFC 9110, section 10.2.3); undefined if it does not. */
function findWait({ status, headers }: ReceivedResponse): number | undefined {
  const text = headers.get('Retry-After')?.trim() ?? ''
  if ((status !== 429 && status !== 503) || text === '') return undefined
  const wait = /^\d+$/.test(text)
    ? Number(text) * 1000
    : // The service's own clock says how far away its date is.
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

/**
 * Creates what sends requests to a service, and reads its answers to their end; redirects are not followed.
 * A request refused by 429 or 503 is sent again after the time of Retry-After, as long as these times are not more than the
 * timeout together. Once a request has waited in vain, no other waits until the service takes one again.
 *
 * The created function throws whatever the transport rejects with, and {@link Stop} when interrupted in between or when the
 * request cannot be built.
 */
export function createAsk({
  transport,
  timeout,
  interruption,
  onVain,
}: {
  readonly transport: Transport
  /** Milliseconds that an answer may take. */
  readonly timeout: number
  /** Once aborted, nothing is waited for any more. */
  readonly interruption?: AbortSignal | undefined
  /** Called when a request has waited in vain. */
  readonly onVain?: (() => void) | undefined
}): (asking: Asking) => Promise<ReceivedResponse> {
  let isInVain = false
  return async (asking) => {
    let waited = 0
    for (let tries = 1; ; tries += 1) {
      const asked = await start(asking)
      const wait = findWait(asked)
      if (wait === undefined) isInVain = false
      if (wait === undefined || isInVain) return asked
      if (tries === MOST_TRIES || waited + wait > timeout) {
        isInVain = tries > 1
        if (isInVain) onVain?.()
        return asked
      }
      waited += wait
      await waitFor(wait, interruption)
    }
  }

  /** @throws {Stop} for a request that cannot be built, which is not the service's fault. */
  function start(asking: Asking): Promise<ReceivedResponse> {
    try {
      return transport({ ...asking, timeout })
    } catch (error) {
      throw new Stop(`verify cannot build this request itself: ${toReason(error, timeout).replace(/\.$/, '')}`)
    }
  }
}

/** Runs a task as soon as fewer than the limit are running. */
export type LimitTasks = <T>(task: () => Promise<T>) => Promise<T>

/** Creates what runs at most this many tasks at once; the others wait in their order. */
export function createLimit(most: number): LimitTasks {
  let running = 0
  const waiting: (() => void)[] = []
  return async function limited(task) {
    if (running < most) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await task()
    } finally {
      // The place goes to the next one in line, or becomes free.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
