import { findErrorCode, toSystemMessage } from '../../errors.ts'
import type { Blocker, Finding } from './report.ts'

/** An outgoing request. */
export interface TransportRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer> | undefined
  /** Timeout for the complete response, in milliseconds. */
  readonly timeout: number
}

/** A response with its complete body. */
export interface ReceivedResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/**
 * Sends a request and reads the response without following redirects. Rejects if there is no response, with a
 * `TimeoutError` if it does not arrive in time.
 *
 * @throws synchronously when the request cannot be built.
 */
export type Transport = (request: TransportRequest) => Promise<ReceivedResponse>

/** Stops the current check, with a reason, a finding if the provider caused it, and the response that must be fixed first. */
export class Stop extends Error {
  override readonly name = 'Stop'
  readonly finding: Finding | undefined
  readonly blocker: Blocker | undefined

  constructor(reason: string, { finding, blocker }: { readonly finding?: Finding; readonly blocker?: Blocker } = {}) {
    super(reason)
    this.finding = finding
    this.blocker = blocker
  }
}

/** The reason why a request failed: the system's error code, if there is one. */
export function toReason(error: unknown, timeout: number): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `no response within ${timeout} ms`
  return findErrorCode(error.cause) ?? findErrorCode(error) ?? toSystemMessage(error)
}

/** A request without its timeout. */
export type Asking = Omit<TransportRequest, 'timeout'>

/** Maximum number of attempts per request: a service may send Retry-After: 0. */
const MOST_TRIES = 10

/** The wait that a service requests, in milliseconds (RFC 9110, section 10.2.3); undefined if it does not request one. */
function findWait({ status, headers }: ReceivedResponse): number | undefined {
  const text = headers.get('Retry-After')?.trim() ?? ''
  if ((status !== 429 && status !== 503) || text === '') return undefined
  const wait = /^\d+$/.test(text)
    ? Number(text) * 1000
    : // A Retry-After date is relative to the service's own clock.
      Date.parse(text) - Date.parse(headers.get('Date') ?? '')
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

const waitFor = (milliseconds: number, interruption: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(new Stop('interrupted before the retry'))
    }
    const timer = setTimeout(() => {
      interruption?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    interruption?.addEventListener('abort', stop, { once: true })
    if (interruption?.aborted === true) stop()
  })

/**
 * Creates a function that sends requests and reads the complete responses, without following redirects. It retries a
 * request refused with 429 or 503 after its Retry-After, as long as the total wait does not exceed the timeout. After a
 * request gives up, others are not retried until the service accepts one again.
 *
 * The created function throws whatever the transport rejects with, and {@link Stop} when interrupted during a wait or when
 * the request cannot be built.
 */
export function createAsk({
  transport,
  timeout,
  interruption,
  onGiveUp,
}: {
  readonly transport: Transport
  /** Response timeout in milliseconds. */
  readonly timeout: number
  /** Aborting it ends any wait. */
  readonly interruption?: AbortSignal | undefined
  /** Called when a request gives up after retries. */
  readonly onGiveUp?: (() => void) | undefined
}): (asking: Asking) => Promise<ReceivedResponse> {
  let hasGivenUp = false
  return async (asking) => {
    let waited = 0
    for (let tries = 1; ; tries += 1) {
      const asked = await start(asking)
      const wait = findWait(asked)
      if (wait === undefined) hasGivenUp = false
      if (wait === undefined || hasGivenUp) return asked
      if (tries === MOST_TRIES || waited + wait > timeout) {
        hasGivenUp = tries > 1
        if (hasGivenUp) onGiveUp?.()
        return asked
      }
      waited += wait
      await waitFor(wait, interruption)
    }
  }

  /** @throws {Stop} for a request that cannot be built, which the service did not cause. */
  function start(asking: Asking): Promise<ReceivedResponse> {
    try {
      return transport({ ...asking, timeout })
    } catch (error) {
      throw new Stop(`verify cannot build this request: ${toReason(error, timeout).replace(/\.$/, '')}`)
    }
  }
}

/** Runs a task as soon as fewer tasks than the limit are running. */
export type LimitTasks = <T>(task: () => Promise<T>) => Promise<T>

/** Creates a function that limits how many tasks run at once; the others wait in order. */
export function createLimit(most: number): LimitTasks {
  let running = 0
  const waiting: (() => void)[] = []
  return async function limited(task) {
    if (running < most) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await task()
    } finally {
      // Pass the slot to the next waiting task, or free it.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
