import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Http2ServerResponse } from 'node:http2'
import type { ServerHttp2Stream } from 'node:http2'

/** A client that neither sends nor reads for this long does not delay the end, in milliseconds. */
const PATIENCE = 5_000

/** A request and its response. */
export interface OpenRequest {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

/** The stream of a response in HTTP/2, where requests share a connection. */
export const findStream = (outgoing: object): ServerHttp2Stream | undefined =>
  outgoing instanceof Http2ServerResponse ? outgoing.stream : undefined

/** Whether a request of HTTP/1.1 has a body (RFC 9112, section 6.3). */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Knows the latest request of every open socket: who is being served when a socket fails or the server ends. */
export interface OpenRequests {
  /** Notes that a request came in. */
  add(request: OpenRequest): void
  findLatest(socket: object): OpenRequest | undefined
  /** Notes that a scenario keeps the client waiting for ever. */
  stall(socket: Socket): void
  /** Resolves once every response is out; responses yet to start tell their client that the connection ends. */
  settle(): Promise<void>
}

const isOpen = ({ outgoing }: OpenRequest): boolean => !outgoing.closed && !outgoing.destroyed

function finish({ incoming, outgoing }: OpenRequest): Promise<void> {
  if (!outgoing.headersSent) outgoing.shouldKeepAlive = false
  // While the mock itself works on a response the socket is rightly idle, so only the client's turn is timed.
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

/** The most that may wait for clients that have stopped reading, in bytes. Twice as much may wait for all clients. */
const MOST_BYTES = 128 * 1024 * 1024
/** A client that has read nothing for this long has stopped, in milliseconds. */
const PAUSE = 2000
/** A client that has read nothing for this long is disconnected in any case, in milliseconds. */
const LONGEST_PAUSE = 300_000
/** How often what waits is counted, in milliseconds. */
const INTERVAL = 250
/** A longer body is handed to the socket in pieces of this size, in bytes: what is left shows how far the client is. */
const PIECE = 256 * 1024

const MEGABYTE = 1024 * 1024

/** What has been handed to client connections, and not been read yet. */
export interface UnreadResponses {
  /** Counts the response to a request until it is sent. */
  add(request: OpenRequest): void
  /** Makes a long body a stream that is read as fast as the client reads; a short one stays as it is. */
  toPieces<Body extends string | Uint8Array<ArrayBuffer>>(
    request: OpenRequest,
    body: Body,
  ): Body | ReadableStream<Uint8Array<ArrayBuffer>>
  /** What waits for all clients, in bytes. */
  readonly bytes: number
  /** Disconnects the slowest clients if too much waits for them. */
  check(): void
}

/** A response that is not sent yet. */
interface Unread {
  readonly request: OpenRequest
  /** What is left of a body in pieces, in bytes. */
  left: number
  /** What waited when it was last counted, in bytes. */
  waiting: number
  /** When the client last read something, or had nothing to read. */
  readAt: number
  isDrainHeard: boolean
}

const count = ({ request: { outgoing }, left }: Unread): number =>
  left + (findStream(outgoing) ?? outgoing).writableLength

/** A response that waits for an earlier one of its connection is not told when that closes. */
const isGone = ({ request: { incoming, outgoing } }: Unread): boolean =>
  findStream(outgoing)?.destroyed ?? incoming.socket.destroyed

/** HTTP/2 has many responses on a connection; only its stream ends. */
function disconnect({ incoming, outgoing }: OpenRequest): void {
  const stream = findStream(outgoing)
  if (stream === undefined) incoming.socket.destroy()
  else stream.destroy()
}

/** Without the query, which may hold secrets. */
const describe = ({ incoming: { method, url = '', socket } }: OpenRequest): string =>
  `${method} ${url.slice(0, 200).replace(/[?].*$/s, '')} from ${socket.remoteAddress ?? 'an unknown address'}`

/**
 * Counts what clients have not read yet, and disconnects the slowest ones when it is too much.
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
  const responses = new Map<object, Unread>()
  let left = 0
  let timer: NodeJS.Timeout | undefined

  function setLeft(one: Unread, bytes: number): void {
    left += bytes - one.left
    one.left = bytes
    one.readAt = now()
  }

  function forget({ request: { outgoing }, left: unsent }: Unread): void {
    if (responses.delete(outgoing)) left -= unsent
  }

  /** Counts what waits for a client, and notes whether it has read. */
  function measure(one: Unread): number {
    const waiting = count(one)
    if (waiting === 0 || waiting < one.waiting) one.readAt = now()
    one.waiting = waiting
    if (waiting > 0 && !one.isDrainHeard) {
      one.isDrainHeard = true
      // A stream may have more to send by the time that it is counted again.
      one.request.outgoing.on('drain', () => (one.readAt = now()))
    }
    return waiting
  }

  /** The clients that are to be disconnected, the slowest first. */
  function findSlowest(waiting: readonly Unread[], sum: number): readonly Unread[] {
    const slowest = waiting.toSorted((a, b) => a.readAt - b.readAt || b.waiting - a.waiting)
    let rest = sum
    const last = slowest.findIndex((one, at) => {
      const pause = now() - one.readAt
      const hasStopped = pause > PAUSE
      // A response of any size can be read while no other one waits.
      const isTooMuch = hasStopped ? rest > mostBytes : rest > 2 * mostBytes && at < slowest.length - 1
      rest -= one.waiting
      return !isTooMuch && pause <= LONGEST_PAUSE
    })
    return last === -1 ? slowest : slowest.slice(0, last)
  }

  function check(): void {
    for (const one of responses.values()) if (isGone(one)) forget(one)
    const waiting = [...responses.values()].filter((one) => measure(one) > 0)
    const sum = waiting.reduce((total, one) => total + one.waiting, 0)
    const cut = findSlowest(waiting, sum)
    const [slowest] = cut
    if (slowest === undefined) return
    const [megabytes, seconds] = [Math.ceil(sum / MEGABYTE), Math.round((now() - slowest.readAt) / 1000)]
    // Before the end of a stream, which takes its address with it.
    const slowestRequest = describe(slowest.request)
    for (const one of cut) {
      forget(one)
      disconnect(one.request)
    }
    onNotice(
      `Disconnected ${cut.length === 1 ? 'a client that reads' : `${cut.length} clients that read`} too slowly: ${megabytes} MB of responses were waiting to be read. The slowest client had read nothing for ${seconds} s: ${slowestRequest}.`,
    )
  }

  function watch(): void {
    if (timer !== undefined) return
    timer = setInterval(() => {
      if (responses.size > 0) {
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
      const { outgoing } = request
      const one = { request, left: 0, waiting: 0, readAt: now(), isDrainHeard: false }
      responses.set(outgoing, one)
      outgoing.once('close', () => forget(one))
      watch()
    },

    toPieces({ outgoing }, body) {
      const one = responses.get(outgoing)
      if (one === undefined || typeof body === 'string' || body.byteLength <= PIECE) return body
      let at = 0
      setLeft(one, body.byteLength)
      if (left > mostBytes) check()
      return new ReadableStream<Uint8Array<ArrayBuffer>>(
        {
          pull(controller) {
            const piece = body.subarray(at, at + PIECE)
            at += piece.byteLength
            if (responses.has(outgoing)) setLeft(one, body.byteLength - at)
            controller.enqueue(piece)
            if (at === body.byteLength) controller.close()
          },
        },
        { highWaterMark: 0 },
      )
    },

    get bytes() {
      let total = 0
      for (const one of responses.values()) total += count(one)
      return total
    },
    check,
  }
}
