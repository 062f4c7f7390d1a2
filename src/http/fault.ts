import { isAborted, onAbort } from './delay.ts'

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
