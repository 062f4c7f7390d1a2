import { findErrorCode, toSystemMessage } from '../../errors.ts'

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

/** Whether a status is that of a success; undefined is not. */
export const isSuccessStatus = (status: unknown): boolean => typeof status === 'number' && status >= 200 && status < 300

/**
 * Sends a request and reads the response without following redirects. Rejects if there is no response, with a
 * `TimeoutError` if it does not arrive in time.
 *
 * @throws synchronously when the request cannot be built.
 */
export type Transport = (request: TransportRequest) => Promise<ReceivedResponse>

/** The run was interrupted. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/** The reason why a request failed: the system's error code, if there is one. */
export function toReason(error: unknown, timeout?: number): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `no response within ${timeout ?? 0} ms`
  return findErrorCode(error.cause) ?? findErrorCode(error) ?? toSystemMessage(error)
}

/** A request without its timeout. */
export type OutgoingRequest = Omit<TransportRequest, 'timeout'>

/** Maximum number of attempts per request: a service may send Retry-After: 0. */
const MOST_TRIES = 10

/** The wait that a service requests, in milliseconds (RFC 9110, section 10.2.3); undefined if it does not request one. */
export function findWait({ status, headers }: ReceivedResponse): number | undefined {
  const text = headers.get('Retry-After')?.trim() ?? ''
  if ((status !== 429 && status !== 503) || text === '') return undefined
  const wait = /^\d+$/.test(text)
    ? Number(text) * 1000
    : // A Retry-After date is relative to the service's own clock.
      Date.parse(text) - Date.parse(headers.get('Date') ?? '')
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

/**
 * Waits for some milliseconds.
 *
 * @throws {Interrupted} as soon as the run is interrupted.
 */
export const waitFor = (milliseconds: number, interruption: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(new Interrupted('interrupted'))
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
 * The created function throws whatever the transport throws or rejects with, and {@link Interrupted} during a wait.
 */
export function createAsk(parts: {
  readonly transport: Transport
  /** Response timeout in milliseconds. */
  readonly timeout: number
  /** Aborting it ends any wait. */
  readonly interruption?: AbortSignal | undefined
}): (outgoing: OutgoingRequest) => Promise<ReceivedResponse> {
  const { transport, timeout, interruption } = parts
  let hasGivenUp = false
  return async (outgoing) => {
    let waited = 0
    for (let tries = 1; ; tries += 1) {
      const response = await transport({ ...outgoing, timeout })
      const wait = findWait(response)
      if (wait === undefined) hasGivenUp = false
      if (wait === undefined || hasGivenUp) return response
      if (tries === MOST_TRIES || waited + wait > timeout) {
        hasGivenUp = tries > 1
        return response
      }
      waited += wait
      await waitFor(wait, interruption)
    }
  }
}
