import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A client that neither sends nor reads for this long does not delay the end, in milliseconds. */
const PATIENCE = 5_000

/** A request and its response. */
export interface OpenRequest {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

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
