import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Arrival } from '../http/arrival.ts'
import type { Connection } from '../http/connection.ts'
import { createShare, Line } from './line.ts'
import { isPlain, SocketArrival } from './socket-arrival.ts'
import { createBreakOff } from './faults.ts'
import { toRelayParts } from './relay.ts'
import { createStreamBreakOff, findStream } from './stream-faults.ts'

/** A client that neither sends nor reads for this long does not hold up the end. */
const PATIENCE_MILLISECONDS = 5_000

/** A request and its answer. */
export interface Exchange {
  readonly incoming: IncomingMessage & { readonly rawBody?: Buffer<ArrayBuffer> }
  readonly outgoing: ServerResponse
}

/** Knows the latest exchange of every open socket: who is being served when a socket fails or the server ends. */
export interface Exchanges {
  /** Notes that a request came in. */
  begin(exchange: Exchange): void
  /** The arrival of a plain request, which needs no adapter; undefined for any other. */
  findArrival(exchange: Exchange): Arrival | undefined
  /** Describes the client at the other end of an exchange that has begun, and how to break the connection to it. */
  toConnection(exchange: Exchange): Connection
  findLatest(socket: object): Exchange | undefined
  /** Resolves once every answer is out; answers yet to start tell their client that the connection ends. */
  settle(): Promise<void>
}

const isOpen = ({ outgoing }: Exchange): boolean => !outgoing.closed && !outgoing.destroyed

function finish({ incoming, outgoing }: Exchange): Promise<void> {
  if (!outgoing.headersSent) outgoing.shouldKeepAlive = false
  // While the mock itself works on an answer the socket is rightly idle, so only the client's turn is timed.
  if (!incoming.complete || outgoing.headersSent) {
    incoming.socket.setTimeout(PATIENCE_MILLISECONDS, () => incoming.socket.destroy())
  }
  return new Promise((resolve) => outgoing.once('close', () => resolve()))
}

/** Knows nobody yet; `mountedAt` is the path that the mock stands at in a server it is a part of. */
export function createExchanges(mountedAt?: string): Exchanges {
  const lines = new Map<object, Line>()
  const share = createShare()
  let ending = false

  function stall(socket: Socket): void {
    const line = lines.get(socket)
    if (ending) socket.destroy()
    else if (line !== undefined) line.isStalled = true
  }

  const surroundings = { mountedAt, stall }

  return {
    begin(exchange) {
      const socket: Socket = exchange.incoming.socket
      if (ending) exchange.outgoing.shouldKeepAlive = false
      const known = lines.get(socket)
      if (known !== undefined) {
        known.latest = exchange
        return
      }
      lines.set(socket, new Line(exchange, share))
      socket.once('close', () => lines.delete(socket))
    },

    findArrival(exchange) {
      const { incoming } = exchange
      if (!isPlain(incoming)) return undefined
      const line = lines.get(incoming.socket) ?? new Line(exchange, share)
      const origin = line.findOrigin(incoming.headers.host)
      return origin === undefined ? undefined : new SocketArrival(exchange, origin, line, surroundings)
    },

    toConnection(exchange) {
      const { headers, rawHeaders, rawBody: body, socket, url: target } = exchange.incoming
      const remoteAddress = lines.get(socket)?.remoteAddress
      const stream = findStream(exchange.outgoing)
      return stream === undefined
        ? {
            ...toRelayParts(exchange),
            remoteAddress,
            mountedAt,
            headers,
            rawHeaders,
            target,
            body,
            breakOff: createBreakOff(exchange, stall),
          }
        : // As they came, they hold what are no headers of the request (RFC 9113, section 8.3.1).
          { remoteAddress, mountedAt, body, breakOff: createStreamBreakOff(stream) }
    },

    findLatest: (socket) => lines.get(socket)?.latest,

    async settle() {
      ending = true
      for (const { isStalled, latest } of lines.values()) if (isStalled) latest.incoming.socket.destroy()
      for (;;) {
        const open = [...lines.values()].map((line) => line.latest).filter(isOpen)
        if (open.length === 0) return
        await Promise.all(open.map(finish))
      }
    },
  }
}
