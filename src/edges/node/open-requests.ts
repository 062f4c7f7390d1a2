import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Http2ServerResponse } from 'node:http2'
import type { ServerHttp2Stream } from 'node:http2'

/** A client that neither sends nor reads for this long does not delay shutdown, in milliseconds. */
const PATIENCE = 5_000

/** A request and its response. */
export interface OpenRequest {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

/** The HTTP/2 stream of a response; HTTP/2 requests share a connection. */
export const findStream = (outgoing: object): ServerHttp2Stream | undefined =>
  outgoing instanceof Http2ServerResponse ? outgoing.stream : undefined

/** Whether an HTTP/1.1 request has a body (RFC 9112, section 6.3). */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Tracks the latest request of every open socket, for socket errors and shutdown. */
export interface OpenRequests {
  /** Adds a request that was received. */
  add(request: OpenRequest): void
  findLatest(socket: object): OpenRequest | undefined
  /** Adds a socket that a scenario leaves waiting forever. */
  stall(socket: Socket): void
  /** Resolves once all responses are sent. Responses that have not started yet announce that the connection closes. */
  settle(): Promise<void>
}

const isOpen = ({ outgoing }: OpenRequest): boolean => !outgoing.closed && !outgoing.destroyed

function finish({ incoming, outgoing }: OpenRequest): Promise<void> {
  if (!outgoing.headersSent) outgoing.shouldKeepAlive = false
  // The socket is idle while the mock prepares a response, so time counts only when the client has to send or read.
  if (!incoming.complete || outgoing.headersSent) {
    incoming.socket.setTimeout(PATIENCE, () => incoming.socket.destroy())
  }
  return new Promise((resolve) => outgoing.once('close', () => resolve()))
}

export function createOpenRequests(): OpenRequests {
  const latest = new Map<object, OpenRequest>()
  const stalled = new Set<Socket>()
  let ending = false

  return {
    add(request) {
      const { socket } = request.incoming
      if (ending) request.outgoing.shouldKeepAlive = false
      if (!latest.has(socket)) socket.once('close', () => latest.delete(socket))
      latest.set(socket, request)
    },

    findLatest: (socket) => latest.get(socket),

    stall(socket) {
      if (ending) {
        socket.destroy()
        return
      }
      stalled.add(socket)
      socket.once('close', () => stalled.delete(socket))
    },

    async settle() {
      ending = true
      for (const socket of stalled) socket.destroy()
      for (;;) {
        const open = [...latest.values()].filter(isOpen)
        if (open.length === 0) return
        await Promise.all(open.map(finish))
      }
    },
  }
}

/** The maximum number of unread bytes for clients that have stopped reading. The limit for all clients is twice as high. */
const MOST_BYTES = 128 * 1024 * 1024
/** A client that has read nothing for this many milliseconds has stopped reading. */
const PAUSE = 2000
/** A client that has read nothing for this many milliseconds is disconnected in any case. */
const LONGEST_PAUSE = 300_000
/** How often unread bytes are counted, in milliseconds. */
const INTERVAL = 250
/** Longer bodies are written in chunks of this many bytes, so that the rest shows how far the client has read. */
const PIECE = 256 * 1024

const MEGABYTE = 1024 * 1024

/** Bytes handed to client connections but not read yet. */
export interface UnreadResponses {
  /** Counts a response until it is sent. */
  add(request: OpenRequest): void
  /** Converts a long body to a stream that is read as fast as the client reads; leaves a short one unchanged. */
  toPieces<Body extends string | Uint8Array<ArrayBuffer>>(
    request: OpenRequest,
    body: Body,
  ): Body | ReadableStream<Uint8Array<ArrayBuffer>>
  /** Unread bytes of all clients. */
  readonly bytes: number
  /** Disconnects the slowest clients if there are too many unread bytes. */
  check(): void
}

/** A response that has not been fully sent. */
interface Unread {
  readonly request: OpenRequest
  /** Its place in the list; -1 once it has been removed. */
  place: number
  /** Bytes that have not been handed to the connection. */
  left: number
  /** Unread bytes at the last count. */
  waiting: number
  /** When the client last read, or had nothing to read. */
  readAt: number
  hasDrainListener: boolean
}

const count = ({ request: { outgoing }, left }: Unread): number =>
  left + (findStream(outgoing) ?? outgoing).writableLength

/** A response queued behind another one on its connection gets no event when the connection closes. */
const isGone = ({ request: { incoming, outgoing } }: Unread): boolean =>
  findStream(outgoing)?.destroyed ?? incoming.socket.destroyed

/** An HTTP/2 connection carries many responses, so only the stream is closed. */
function disconnect({ incoming, outgoing }: OpenRequest): void {
  const stream = findStream(outgoing)
  if (stream === undefined) incoming.socket.destroy()
  else stream.destroy()
}

/** Without the query, which may contain secrets. */
const describe = ({ incoming: { method, url = '', socket } }: OpenRequest): string =>
  `${method} ${url.slice(0, 200).replace(/[?].*$/s, '')} from ${socket.remoteAddress ?? 'an unknown address'}`

/**
 * Counts unread bytes and disconnects the slowest clients if there are too many.
 *
 * @param elapsed milliseconds of a monotonic clock
 */
export function createUnreadResponses({
  onNotice,
  elapsed: now = () => performance.now(),
  mostBytes = MOST_BYTES,
}: {
  readonly onNotice: (sentence: string) => void
  readonly elapsed?: () => number
  readonly mostBytes?: number
}): UnreadResponses {
  // In no order. A map of objects that come and go with each request would be reallocated all the time.
  const responses: Unread[] = []
  let left = 0
  let timer: NodeJS.Timeout | undefined

  function setLeft(one: Unread, bytes: number): void {
    left += bytes - one.left
    one.left = bytes
    one.readAt = now()
  }

  function forget(one: Unread): void {
    const { place } = one
    if (place === -1) return
    left -= one.left
    one.place = -1
    const last = responses.pop()
    if (last === undefined || last === one) return
    responses[place] = last
    last.place = place
  }

  /** Counts a client's unread bytes and notes whether it has read. */
  function measure(one: Unread): number {
    const waiting = count(one)
    if (waiting === 0 || waiting < one.waiting) one.readAt = now()
    one.waiting = waiting
    if (waiting > 0 && !one.hasDrainListener) {
      one.hasDrainListener = true
      // A stream may have more to send by the next count.
      one.request.outgoing.on('drain', () => (one.readAt = now()))
    }
    return waiting
  }

  /** The clients to disconnect, slowest first. */
  function findSlowest(waiting: readonly Unread[], sum: number): readonly Unread[] {
    const slowest = waiting.toSorted((a, b) => a.readAt - b.readAt || b.waiting - a.waiting)
    let rest = sum
    const last = slowest.findIndex((one, at) => {
      const pause = now() - one.readAt
      const hasStopped = pause > PAUSE
      // A client that keeps reading may receive a response of any size while no other one waits.
      const isTooMuch = hasStopped ? rest > mostBytes : rest > 2 * mostBytes && at < slowest.length - 1
      rest -= one.waiting
      return !isTooMuch && pause <= LONGEST_PAUSE
    })
    return last === -1 ? slowest : slowest.slice(0, last)
  }

  function check(): void {
    for (const one of responses.filter(isGone)) forget(one)
    const waiting = responses.filter((one) => measure(one) > 0)
    const sum = waiting.reduce((total, one) => total + one.waiting, 0)
    const cut = findSlowest(waiting, sum)
    const [slowest] = cut
    if (slowest === undefined) return
    const [megabytes, seconds] = [Math.ceil(sum / MEGABYTE), Math.round((now() - slowest.readAt) / 1000)]
    // Read the address before the stream is closed, after which it is unavailable.
    const slowestRequest = describe(slowest.request)
    for (const one of cut) {
      forget(one)
      disconnect(one.request)
    }
    onNotice(
      `Disconnected ${cut.length === 1 ? 'a slow client' : `${cut.length} slow clients`}: ${megabytes} MB of responses were unread. The slowest client had read nothing for ${seconds} s: ${slowestRequest}.`,
    )
  }

  function watch(): void {
    if (timer !== undefined) return
    timer = setInterval(() => {
      if (responses.length > 0) {
        check()
        return
      }
      clearInterval(timer)
      timer = undefined
    }, INTERVAL)
    timer.unref()
  }

  return {
    add(request) {
      const one = { request, place: responses.length, left: 0, waiting: 0, readAt: now(), hasDrainListener: false }
      responses.push(one)
      request.outgoing.on('close', () => forget(one))
      watch()
    },

    toPieces({ outgoing }, body) {
      if (typeof body === 'string' || body.byteLength <= PIECE) return body
      const one = responses.find(({ request }) => request.outgoing === outgoing)
      if (one === undefined) return body
      let at = 0
      setLeft(one, body.byteLength)
      if (left > mostBytes) check()
      return new ReadableStream<Uint8Array<ArrayBuffer>>(
        {
          pull(controller) {
            const piece = body.subarray(at, at + PIECE)
            at += piece.byteLength
            if (one.place !== -1) setLeft(one, body.byteLength - at)
            controller.enqueue(piece)
            if (at === body.byteLength) controller.close()
          },
        },
        { highWaterMark: 0 },
      )
    },

    get bytes() {
      let total = 0
      for (const one of responses) total += count(one)
      return total
    },
    check,
  }
}
