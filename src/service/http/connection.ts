import { findErrorCode, isError } from '../../errors.ts'
import type { Problem } from '../../errors.ts'

/** The abort listeners of a request. */
interface AbortListeners {
  readonly listeners: Set<() => void>
  readonly end: () => void
}

/**
 * Requests with abort listeners. Node's `Request` follows the signal passed to it only through a weak reference (undici,
 * `lib/web/fetch/request.js`): once nothing else references the request, it is garbage-collected and never aborts. This map
 * therefore keeps each request until it is answered or aborted. A request for which neither happens stays here, just like
 * the `fetch` call that sent it.
 */
const abortListeners = new Map<Request, AbortListeners>()

/** A polyfilled request may have no signal. */
const signalOf = (request: Request): AbortSignal | null | undefined => request.signal

/** Adds a single abort event listener that calls all others, because Node warns of a leak if there are many. */
function listenForAbort(request: Request, signal: AbortSignal): AbortListeners {
  const listeners = new Set<() => void>()
  const end = (): void => {
    signal.removeEventListener('abort', notify)
    abortListeners.delete(request)
  }
  const notify = (): void => {
    end()
    for (const listener of listeners) listener()
  }
  signal.addEventListener('abort', notify)
  const entry = { listeners, end }
  abortListeners.set(request, entry)
  return entry
}

export const isAborted = (request: Request): boolean => signalOf(request)?.aborted === true

/**
 * Calls a listener once when a request is aborted, even if nothing else references the request by then. Does nothing if the
 * request {@link isAborted} already.
 *
 * @returns a function that removes the listener
 */
export function onAbort(request: Request, listener: () => void): () => void {
  const signal = signalOf(request)
  if (signal === null || signal === undefined || signal.aborted) return () => undefined
  const { listeners, end } = abortListeners.get(request) ?? listenForAbort(request, signal)
  // Wrapped so that the same function can be added twice.
  const own = (): void => listener()
  listeners.add(own)
  return () => {
    if (listeners.delete(own) && listeners.size === 0) end()
  }
}

/**
 * Keeps a request in memory, so that listeners on its signal are called when it is aborted.
 *
 * @returns a function that releases the request
 */
export const hold = (request: Request): (() => void) => onAbort(request, () => undefined)

/**
 * A range in milliseconds; `from` equals `to` for a fixed delay.
 *
 * @example const delay: Delay = { from: 100, to: 500 }
 */
export interface Delay {
  readonly from: number
  readonly to: number
}

/** Maximum delay in milliseconds. */
export const MAX_DELAY = 60_000

/** Parses `300` or `100-500` as milliseconds, up to {@link MAX_DELAY}; returns undefined for anything else. */
export function findDelay(text: string): Delay | undefined {
  const parts = /^\s*(\d{1,6})(?:\s*-\s*(\d{1,6}))?\s*$/.exec(text)
  if (parts === null) return undefined
  const from = Number(parts[1])
  const to = Number(parts[2] ?? parts[1])
  return from <= to && to <= MAX_DELAY ? { from, to } : undefined
}

/**
 * Waits for the given milliseconds, or until the client disconnects.
 *
 * @param onWake registers a function that ends the wait early; returns a function that removes it
 */
export function wait(milliseconds: number, request: Request, onWake?: (wake: () => void) => () => void): Promise<void> {
  if (milliseconds <= 0 || isAborted(request)) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      stop()
      release?.()
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    const stop = onAbort(request, done)
    const release = onWake?.(done)
  })
}

/** Faults that can replace a response: those of WireMock, with the same names, and four more. */
export const faultNames = [
  'EMPTY_RESPONSE',
  'MALFORMED_RESPONSE_CHUNK',
  'RANDOM_DATA_THEN_CLOSE',
  'CONNECTION_RESET_BY_PEER',
  'CONNECTION_RESET_BEFORE_OPERATION',
  'CONNECTION_RESET_AFTER_OPERATION',
  'TRUNCATED_BODY',
  'TIMEOUT',
] as const
export type FaultName = (typeof faultNames)[number]

/** The faults that need the operation's response, so the operation runs first. */
export const faultsAfterOperation: ReadonlySet<FaultName> = new Set([
  'CONNECTION_RESET_AFTER_OPERATION',
  'TRUNCATED_BODY',
])

/** The response that a fault replaces or truncates. */
export interface Unsent {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer>
}

/** The error that `fetch` rejects with when the network fails. Its cause has a code, as those of Node do. */
const toNetworkError = (fault: FaultName): TypeError =>
  new TypeError('fetch failed', {
    cause: Object.assign(new Error(`The scenario's fault ${fault} broke the connection.`), { code: fault }),
  })

/** Whether a request failed because a scenario broke its connection, in this copy of the package or another one. */
export function isNetworkFault(error: unknown): boolean {
  const code = isError(error) ? findErrorCode(error.cause) : undefined
  return faultNames.some((name) => name === code)
}

const toBodyBytes = (body: Unsent['body']): Uint8Array<ArrayBuffer> =>
  typeof body === 'string' ? new TextEncoder().encode(body) : body

/** Returns the first half of a body, and the full length in bytes. */
export function halve(body: Unsent['body']): { readonly half: Uint8Array<ArrayBuffer>; readonly length: number } {
  const bytes = toBodyBytes(body)
  return { half: bytes.subarray(0, Math.floor(bytes.length / 2)), length: bytes.length }
}

/** Creates a response whose body fails after its first half. */
function toTruncated({ status, headers, body }: Unsent): Response {
  const { half, length } = halve(body)
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(half)
    },
    pull(controller) {
      controller.error(toNetworkError('TRUNCATED_BODY'))
    },
  })
  return new Response(stream, { status, headers: { ...headers, 'Content-Length': String(length) } })
}

/**
 * Simulates a fault for a request without a socket, with the same effect on `fetch`. A timeout lasts until the request is
 * aborted, and then throws the signal's reason.
 *
 * @throws {TypeError} if the network fault would make `fetch` reject.
 */
export async function breakWithoutSocket(fault: FaultName, unsent: Unsent, request: Request): Promise<Response> {
  if (fault === 'TRUNCATED_BODY') return toTruncated(unsent)
  if (fault === 'TIMEOUT') {
    if (!isAborted(request)) await new Promise<void>((resolve) => onAbort(request, resolve))
    throw request.signal.reason
  }
  throw toNetworkError(fault)
}

/**
 * Creates a body that is sent in chunks over a duration in milliseconds. It never has more chunks than bytes. The stream
 * stops if it is canceled, and calls `onCancel`.
 */
export function toDribble(
  body: Unsent['body'],
  { numberOfChunks, totalDuration }: { readonly numberOfChunks: number; readonly totalDuration: number },
  onCancel?: () => void,
): ReadableStream<Uint8Array> {
  const bytes = toBodyBytes(body)
  const pieces = Math.max(1, Math.min(numberOfChunks, bytes.length))
  const startOf = (piece: number) => Math.floor((bytes.length * piece) / pieces)
  let piece = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await new Promise<void>((resolve) => {
          timer = setTimeout(resolve, totalDuration / pieces)
        })
        controller.enqueue(bytes.slice(startOf(piece), startOf(piece + 1)))
        piece += 1
        if (piece === pieces) controller.close()
      },
      cancel() {
        clearTimeout(timer)
        onCancel?.()
      },
    },
    { highWaterMark: 0 },
  )
}

/** A response of another server, relayed byte for byte. */
export interface RelayedResponse {
  readonly status: number
  readonly statusText: string | undefined
  readonly headers: RawHeaders
  readonly body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>> | undefined
  /** Available once the body has been read. */
  readonly trailers: () => RawHeaders
}

/** A 1xx response, which is sent before the final response (RFC 9110, section 15.2). */
export interface Information {
  readonly status: number
  readonly headers: RawHeaders
}

/** The client connection of a request. Only requests from a socket have one; in-process requests do not. */
export interface Connection {
  /** The client's IP address. */
  readonly remoteAddress?: string | undefined
  /** The path at which another server mounts the mock, such as `/api`. It is not part of the request's URL. */
  readonly mountedAt?: string | undefined
  /** The request's headers by lower-case name, if the server has already parsed them. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>> | undefined
  /** Alternating names and values, as sent. */
  readonly rawHeaders?: RawHeaders | undefined
  /** Why the server refuses the request. The mock only answers and records it. */
  readonly refusal?: Problem | undefined
  /** The request method as sent; a `Request` cannot have some of them, such as CONNECT. */
  readonly method?: string | undefined
  /** The request target as sent, before URL parsing normalizes it. */
  readonly target?: string | undefined
  /** Returns the size of a body in bytes, so that the response has a length from the start. */
  readonly byteLength?: ((body: string | Uint8Array) => number) | undefined
  /**
   * Converts a long body to a stream that is read only as fast as the client receives it; a short body is returned
   * unchanged.
   *
   * @param onCancel called if the client leaves before it has everything
   */
  readonly toPieces?:
    | ((
        body: string | Uint8Array<ArrayBuffer>,
        onCancel: () => void,
      ) => string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>)
    | undefined
  /** Opens the body of a request whose `Request` object cannot have one, such as a GET. */
  readonly openBody?: (() => ReadableStream<Uint8Array<ArrayBuffer>>) | undefined
  /** The HTTP version of the request, such as `1.0`. */
  readonly httpVersion?: string | undefined
  /** Sends a 1xx response before the final response. */
  readonly inform?: ((information: Information) => void) | undefined
  /** Relays a response of another server. The result signals that the response has already been sent. */
  readonly relay?: ((response: RelayedResponse) => Response) | undefined
  /** Whether the client has disconnected before it had the whole response. */
  readonly hasLeft?: boolean
  /** Breaks the connection with the given fault. The result signals that nothing else is to be sent. */
  readonly breakOff?: ((fault: FaultName, unsent: Unsent) => Promise<Response>) | undefined
}

/** Headers as sent: alternating names and values, with original order, case and duplicates. */
export type RawHeaders = readonly string[]

type Pair = [name: string, value: string]

export const toPairs = (raw: RawHeaders): readonly Pair[] =>
  Array.from({ length: Math.floor(raw.length / 2) }, (_, at): Pair => [raw[2 * at] ?? '', raw[2 * at + 1] ?? ''])

export const fromPairs = (pairs: Iterable<Pair>): RawHeaders => [...pairs].flat()

/** Converts raw headers to a `Headers` object. */
export function toHeaders(raw: RawHeaders): Headers {
  const headers = new Headers()
  for (const [name, value] of toPairs(raw)) headers.append(name, value)
  return headers
}

/** Removes the headers whose lower-case name matches the predicate. */
export const withoutHeaders = (raw: RawHeaders, isDropped: (name: string) => boolean): RawHeaders =>
  fromPairs(toPairs(raw).filter(([name]) => !isDropped(name.toLowerCase())))

/** Changes each value of a header; headers whose new value is undefined are removed. */
export const mapHeader = (raw: RawHeaders, name: string, change: (value: string) => string | undefined): RawHeaders =>
  fromPairs(
    toPairs(raw).flatMap((pair): readonly Pair[] => {
      if (pair[0].toLowerCase() !== name) return [pair]
      const value = change(pair[1])
      return value === undefined ? [] : [[pair[0], value]]
    }),
  )
