import { problem } from '../errors.ts'

/** The listeners of one request. */
interface OpenWait {
  readonly listeners: Set<() => void>
  readonly end: () => void
}

/**
 * Requests with abort listeners. Node's `Request` follows the signal it was given only through a weak reference (undici,
 * `lib/web/fetch/request.js`): once nothing else refers to the request, it is collected and its abort is lost. So each is
 * kept here until it is answered or aborted. A request that never is stays here, like the `fetch` that sent it.
 */
const waitings = new Map<Request, OpenWait>()

/** A polyfill's request may have no signal. */
const signalOf = (request: Request): AbortSignal | null | undefined => request.signal

/** Adds one listener to the signal for all listeners: Node warns of a leak if there are many. */
function begin(request: Request, signal: AbortSignal): OpenWait {
  const listeners = new Set<() => void>()
  const end = (): void => {
    signal.removeEventListener('abort', tell)
    waitings.delete(request)
  }
  const tell = (): void => {
    end()
    for (const listener of listeners) listener()
  }
  signal.addEventListener('abort', tell)
  const waiting = { listeners, end }
  waitings.set(request, waiting)
  return waiting
}

export const isAborted = (request: Request): boolean => signalOf(request)?.aborted === true

/**
 * Calls a listener once when a request is aborted, even if nothing else refers to the request by then. Does nothing if the
 * request {@link isAborted} already.
 *
 * @returns a function that removes the listener
 */
export function onAbort(request: Request, listener: () => void): () => void {
  const signal = signalOf(request)
  if (signal === null || signal === undefined || signal.aborted) return () => undefined
  const { listeners, end } = waitings.get(request) ?? begin(request, signal)
  // The same function may be passed twice.
  const own = (): void => listener()
  listeners.add(own)
  return () => {
    if (listeners.delete(own) && listeners.size === 0) end()
  }
}

/**
 * Keeps a request in memory, so that the listeners of its signal are called when it is aborted.
 *
 * @returns a function that releases it
 */
export const hold = (request: Request): (() => void) => onAbort(request, () => undefined)

/**
 * A span of milliseconds; `from` equals `to` for a fixed delay.
 *
 * @example const delay: Delay = { from: 100, to: 500 }
 */
export interface Delay {
  readonly from: number
  readonly to: number
}

/** The longest delay in milliseconds. */
export const MAX_DELAY = 60_000

/** `300` or `100-500` in milliseconds, at most {@link MAX_DELAY}; undefined for anything else. */
export function findDelay(text: string): Delay | undefined {
  const parts = /^\s*(\d{1,6})(?:\s*-\s*(\d{1,6}))?\s*$/.exec(text)
  if (parts === null) return undefined
  const from = Number(parts[1])
  const to = Number(parts[2] ?? parts[1])
  return from <= to && to <= MAX_DELAY ? { from, to } : undefined
}

/**
 * Reads the header `X-Mock-Delay`.
 *
 * @throws {Problem} 400 for what is no delay.
 */
export function parseDelayHeader(text: string): Delay {
  const delay = findDelay(text)
  if (delay !== undefined) return delay
  throw problem.invalidField({
    field: 'X-Mock-Delay',
    invalidValue: text,
    message: `The header X-Mock-Delay: ${JSON.stringify(text)} is not a delay. Send milliseconds, such as 300 or 100-500, at most ${MAX_DELAY}.`,
  })
}

/** Waits for milliseconds, or until the client is gone. */
export function wait(milliseconds: number, request: Request): Promise<void> {
  if (milliseconds <= 0 || isAborted(request)) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      stop()
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    const stop = onAbort(request, done)
  })
}

/** What can happen to a connection instead of an answer; the names are WireMock's, and two more. */
export const faultNames = [
  'EMPTY_RESPONSE',
  'MALFORMED_RESPONSE_CHUNK',
  'RANDOM_DATA_THEN_CLOSE',
  'CONNECTION_RESET_BY_PEER',
  'TRUNCATED_BODY',
  'TIMEOUT',
] as const
export type FaultName = (typeof faultNames)[number]

/** What a fault breaks: the answer that would have been sent. */
export interface Unsent {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer>
}

/** What `fetch` rejects with where a network fails. */
const toNetworkError = (fault: FaultName): TypeError =>
  new TypeError('fetch failed', { cause: new Error(`The scenario's fault ${fault} broke the connection.`) })

const toBytes = (body: Unsent['body']): Uint8Array<ArrayBuffer> =>
  typeof body === 'string' ? new TextEncoder().encode(body) : body

/** The first half of a body, and the length in bytes that it would have in whole. */
export function halve(body: Unsent['body']): { readonly half: Uint8Array<ArrayBuffer>; readonly length: number } {
  const bytes = toBytes(body)
  return { half: bytes.subarray(0, Math.floor(bytes.length / 2)), length: bytes.length }
}

/** The first half of a body, and then an error. */
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

const untilAborted = (request: Request): Promise<void> =>
  new Promise((resolve) => {
    if (isAborted(request)) resolve()
    else onAbort(request, resolve)
  })

/**
 * Breaks an exchange that has no socket: what `fetch` shows of the fault. A timeout lasts until the request is aborted,
 * and rejects with the signal's reason, as `fetch` does.
 *
 * @throws {TypeError} where a network fault would make `fetch` reject.
 */
export async function breakWithoutSocket(fault: FaultName, unsent: Unsent, request: Request): Promise<Response> {
  if (fault === 'TRUNCATED_BODY') return toTruncated(unsent)
  if (fault === 'TIMEOUT') {
    await untilAborted(request)
    throw request.signal.reason
  }
  throw toNetworkError(fault)
}

/**
 * A body that comes in so many pieces over a duration in milliseconds, or in as many as it has bytes; it stops when
 * nobody reads it any more.
 */
export function toDribble(
  body: Unsent['body'],
  { numberOfChunks, totalDuration }: { readonly numberOfChunks: number; readonly totalDuration: number },
): ReadableStream<Uint8Array> {
  const bytes = toBytes(body)
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
        controller.enqueue(bytes.subarray(startOf(piece), startOf(piece + 1)))
        piece += 1
        if (piece === pieces) controller.close()
      },
      cancel() {
        clearTimeout(timer)
      },
    },
    { highWaterMark: 0 },
  )
}

/** A response of another server, sent on byte for byte. */
export interface RelayedResponse {
  readonly status: number
  readonly statusText: string
  readonly headers: RawHeaders
  readonly body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>> | undefined
  /** Known once the body has been read. */
  readonly trailers: () => RawHeaders
}

/** An answer of 1xx, which comes ahead of the response (RFC 9110, section 15.2). */
export interface Information {
  readonly status: number
  readonly statusText: string
  readonly headers: RawHeaders
}

/** The client connection of a request that came over a socket; in-process there is none. */
export interface Connection {
  /** The client's IP address. */
  readonly remoteAddress?: string | undefined
  /** The path that the mock is mounted under in another server, such as `/api`; the request's URL is without it. */
  readonly mountedAt?: string | undefined
  /** The request's headers by lower-case name, where the server has parsed them already. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>> | undefined
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders?: RawHeaders | undefined
  /** The request target as it was sent, before URL parsing normalizes it. */
  readonly target?: string | undefined
  /** How many bytes a body takes; a response then has its length from the start. */
  readonly byteLength?: ((body: string | Uint8Array) => number) | undefined
  /** Makes a long body a stream that is read as fast as the client takes it; a short one stays as it is. */
  readonly toPieces?:
    | ((
        body: string | Uint8Array<ArrayBuffer>,
      ) => string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>)
    | undefined
  /** Opens the body of a request whose `Request` has none, such as a GET. */
  readonly openBody?: (() => ReadableStream<Uint8Array<ArrayBuffer>>) | undefined
  /** The version of HTTP that the request came by, such as `1.0`. */
  readonly httpVersion?: string | undefined
  /** The request's trailers, known once its body is read. */
  readonly trailers?: RawHeaders | undefined
  /** Whether the client sends its body only after a 100 (RFC 9110, section 10.1.1) that the server has not sent. */
  readonly awaitsContinue?: boolean | undefined
  /** Sends an answer of 1xx ahead of the response. */
  readonly inform?: ((information: Information) => void) | undefined
  /** Sends a response of another server; what it returns tells the server that nothing is left to send. */
  readonly relay?: ((response: RelayedResponse) => Response) | undefined
  /** Breaks the connection as the fault's name says; what it resolves to tells the server that nothing is left to send. */
  readonly breakOff?: ((fault: FaultName, unsent: Unsent) => Promise<Response>) | undefined
}

/** Headers as they were sent: names and values in turn, in their order, in their case, repeated where they were. */
export type RawHeaders = readonly string[]

type Pair = [name: string, value: string]

export const toPairs = (raw: RawHeaders): readonly Pair[] =>
  Array.from({ length: Math.floor(raw.length / 2) }, (_, at): Pair => [raw[2 * at] ?? '', raw[2 * at + 1] ?? ''])

export const fromPairs = (pairs: Iterable<Pair>): RawHeaders => [...pairs].flat()

/** The headers as programs read them. */
export function toHeaders(raw: RawHeaders): Headers {
  const headers = new Headers()
  for (const [name, value] of toPairs(raw)) headers.append(name, value)
  return headers
}

/** The headers without those whose lower-case name this holds for. */
export const withoutHeaders = (raw: RawHeaders, isDropped: (name: string) => boolean): RawHeaders =>
  fromPairs(toPairs(raw).filter(([name]) => !isDropped(name.toLowerCase())))

/** The headers with the value of each one of a name changed; undefined leaves it out. */
export const mapHeader = (raw: RawHeaders, name: string, change: (value: string) => string | undefined): RawHeaders =>
  fromPairs(
    toPairs(raw).flatMap((pair): readonly Pair[] => {
      if (pair[0].toLowerCase() !== name) return [pair]
      const value = change(pair[1])
      return value === undefined ? [] : [[pair[0], value]]
    }),
  )
