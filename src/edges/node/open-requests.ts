import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Http2ServerResponse } from 'node:http2'
import type { ServerHttp2Stream } from 'node:http2'

/** A client that neither sends nor reads for this long does not delay shutdown, in milliseconds. */
const IDLE_PATIENCE = 5_000

/** A connection that holds more unread bytes than this is closed once it has taken nothing for {@link LONGEST_STALL}. */
export const MOST_UNREAD = 16 * 1024 * 1024
/** In milliseconds. */
const LONGEST_STALL = 30_000
/** How often connections are checked, in milliseconds. */
const CHECK_INTERVAL = 10_000
/** Longer bodies are sent in chunks of this many bytes, so that the rest shows how far the client has read. */
const PIECE = 256 * 1024

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

const isStillOpen = ({ outgoing }: OpenRequest): boolean => !outgoing.closed && !outgoing.destroyed

function finish({ incoming, outgoing }: OpenRequest): Promise<void> {
  if (!outgoing.headersSent) outgoing.shouldKeepAlive = false
  // The socket is idle while the mock prepares a response, so time counts only when the client has to send or read.
  if (!incoming.complete || outgoing.headersSent)
    incoming.socket.setTimeout(IDLE_PATIENCE, () => incoming.socket.destroy())
  return new Promise((resolve) => outgoing.once('close', () => resolve()))
}

export type OpenRequests = ReturnType<typeof createOpenRequests>

/**
 * Tracks the latest request of every open socket, for socket errors, shutdown, and clients that stop reading.
 *
 * @param parts.elapsed milliseconds of a monotonic clock
 */
export function createOpenRequests(parts: {
  readonly onNotice: (sentence: string) => void
  readonly elapsed?: () => number
}) {
  const { onNotice, elapsed = () => performance.now() } = parts
  const latest = new Map<object, OpenRequest>()
  const stalled = new Set<Socket>()
  /** How many bytes of a body have not been handed to the connection. */
  const rests = new WeakMap<object, number>()
  /** Those with too many unread bytes, and since when their clients have taken nothing. */
  const unread = new WeakMap<OpenRequest, { readonly bytes: number; readonly since: number }>()
  let ending = false
  let timer: NodeJS.Timeout | undefined

  function remove(socket: object): void {
    latest.delete(socket)
    if (latest.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  function countUnread(request: OpenRequest): number {
    if (!isStillOpen(request)) return 0
    const { incoming, outgoing } = request
    // A response queued behind another one has no socket yet.
    const queued = outgoing.socket === null ? incoming.socket.writableLength : 0
    return (rests.get(outgoing) ?? 0) + queued + (findStream(outgoing) ?? outgoing).writableLength
  }

  /** Whether too much is unread, and the client has taken nothing for too long. */
  function isStuck(request: OpenRequest): boolean {
    const bytes = countUnread(request)
    const last = unread.get(request)
    if (bytes <= MOST_UNREAD) unread.delete(request)
    else if (last === undefined || bytes < last.bytes) unread.set(request, { bytes, since: elapsed() })
    else return elapsed() - last.since >= LONGEST_STALL
    return false
  }

  /** Closes the connections of clients that have stopped reading. */
  function check(): void {
    for (const request of [...latest.values()].filter(isStuck)) {
      const { method, url = '', socket } = request.incoming
      // Without the query, which may contain secrets.
      const path = url.slice(0, 200).replace(/[?].*$/s, '')
      onNotice(
        `Disconnected ${socket.remoteAddress}: it read nothing of ${method} ${path} for 30 s, and more than 16 MB were waiting for it.`,
      )
      // An HTTP/2 connection carries many responses, so only the stream is closed.
      ;(findStream(request.outgoing) ?? socket).destroy()
    }
  }

  return {
    /** Adds a request that was received. */
    add(request: OpenRequest): void {
      const { socket } = request.incoming
      if (ending) request.outgoing.shouldKeepAlive = false
      if (!latest.has(socket)) socket.once('close', () => remove(socket))
      latest.set(socket, request)
      timer ??= setInterval(check, CHECK_INTERVAL).unref()
    },

    check,

    /**
     * Converts a long body to a stream that is read as fast as the client reads; returns a short one unchanged. All strings
     * are short.
     */
    toPieces<Body extends string | Uint8Array<ArrayBuffer>>(
      { outgoing }: OpenRequest,
      body: Body,
      onCancel?: () => void,
    ): Body | ReadableStream<Uint8Array<ArrayBuffer>> {
      if (typeof body === 'string' || body.byteLength <= PIECE) return body
      let at = 0
      rests.set(outgoing, body.byteLength)
      return new ReadableStream<Uint8Array<ArrayBuffer>>(
        {
          pull(controller) {
            const piece = body.subarray(at, at + PIECE)
            at += piece.byteLength
            rests.set(outgoing, body.byteLength - at)
            controller.enqueue(piece)
            if (at === body.byteLength) controller.close()
          },
          cancel: onCancel,
        },
        { highWaterMark: 0 },
      )
    },

    /** Bytes of all responses that their clients have not read yet. */
    get unreadBytes(): number {
      return Array.from(latest.values(), countUnread).reduce((sum, bytes) => sum + bytes, 0)
    },

    get isEnding(): boolean {
      return ending
    },

    findLatest: (socket: object): OpenRequest | undefined => latest.get(socket),

    /** Adds a socket that a scenario leaves waiting forever. */
    stall(socket: Socket): void {
      if (ending) {
        socket.destroy()
        return
      }
      stalled.add(socket)
      socket.once('close', () => stalled.delete(socket))
    },

    /** Resolves once all responses are sent. Responses that have not started yet announce that the connection closes. */
    async settle(): Promise<void> {
      ending = true
      for (const socket of stalled) socket.destroy()
      for (;;) {
        const open = [...latest.values()].filter(isStillOpen)
        if (open.length === 0) return
        await Promise.all(open.map(finish))
      }
    },
  }
}
