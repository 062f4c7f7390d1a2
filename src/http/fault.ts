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

/** Thrown where there is no socket to break: `fetch` rejects with it, as it does when a network fails. */
export class ConnectionBroken extends TypeError {
  override readonly name = 'TypeError'
  readonly fault: FaultName

  constructor(fault: FaultName) {
    super('fetch failed', { cause: new Error(`The scenario's fault ${fault} broke the connection.`) })
    this.fault = fault
  }
}

const toBytes = (body: string | Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
  typeof body === 'string' ? new TextEncoder().encode(body) : body

/** The first half of a body, and then an error. */
function toTruncated({ status, headers, body }: Unsent): Response {
  const bytes = toBytes(body)
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes.subarray(0, Math.ceil(bytes.length / 2)))
    },
    pull(controller) {
      controller.error(new ConnectionBroken('TRUNCATED_BODY'))
    },
  })
  return new Response(stream, { status, headers: { ...headers, 'Content-Length': String(bytes.length) } })
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

/**
 * Breaks an exchange that has no socket: what `fetch` shows of the fault. A timeout lasts until the request is aborted.
 *
 * @throws {ConnectionBroken} where a network fault would make `fetch` reject.
 */
export async function breakWithoutSocket(fault: FaultName, unsent: Unsent, signal: AbortSignal): Promise<Response> {
  if (fault === 'TRUNCATED_BODY') return toTruncated(unsent)
  if (fault === 'TIMEOUT') await untilAborted(signal)
  throw new ConnectionBroken(fault)
}

/** A body that comes in pieces over a duration in milliseconds; it stops when nobody reads it any more. */
export function toDribble(
  body: string | Uint8Array<ArrayBuffer>,
  { numberOfChunks, totalDuration }: { readonly numberOfChunks: number; readonly totalDuration: number },
): ReadableStream<Uint8Array> {
  const bytes = toBytes(body)
  const size = Math.max(1, Math.ceil(bytes.length / numberOfChunks))
  let at = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await new Promise<void>((resolve) => {
          timer = setTimeout(resolve, totalDuration / numberOfChunks)
        })
        controller.enqueue(bytes.subarray(at, at + size))
        at += size
        if (at >= bytes.length) controller.close()
      },
      cancel() {
        clearTimeout(timer)
      },
    },
    { highWaterMark: 0 },
  )
}
