import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { halve } from '../http/fault.ts'
import type { FaultName, Unsent } from '../http/fault.ts'
import type { OpenRequest } from './open-requests.ts'

/** Not a status line, not a chunk size: nothing in HTTP. */
const GARBAGE = '}{ \u0001 this is not HTTP \u0002 ][\r\n'

/** A TLS connection cannot be reset from here (its TCP socket is out of reach), so it ends without a close notification. */
function reset(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy()
  else socket.resetAndDestroy()
}

/** What each fault does to the socket. TIMEOUT does nothing, so the client waits. */
const breaks: Readonly<Record<FaultName, (request: OpenRequest, unsent: Unsent) => void>> = {
  EMPTY_RESPONSE({ incoming: { socket } }) {
    socket.destroySoon()
  },
  RANDOM_DATA_THEN_CLOSE({ incoming: { socket } }) {
    socket.write(GARBAGE)
    socket.destroySoon()
  },
  MALFORMED_RESPONSE_CHUNK({ incoming: { socket }, outgoing }, { status, headers }) {
    outgoing.writeHead(status, { ...headers, 'Transfer-Encoding': 'chunked' })
    outgoing.flushHeaders()
    socket.write(GARBAGE)
    socket.destroySoon()
  },
  TRUNCATED_BODY({ incoming: { socket }, outgoing }, { status, headers, body }) {
    const { half, length } = halve(body)
    outgoing.writeHead(status, { ...headers, 'Content-Length': length })
    outgoing.flushHeaders()
    outgoing.write(half)
    socket.destroySoon()
  },
  CONNECTION_RESET_BY_PEER({ incoming: { socket } }) {
    reset(socket)
  },
  TIMEOUT() {},
}

const untilClosed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.closed) resolve()
    else socket.once('close', () => resolve())
  })

/** Waits for the responses to earlier pipelined requests (RFC 9112, section 9.3.2). */
const untilTurn = ({ incoming, outgoing }: OpenRequest): Promise<void> =>
  new Promise((resolve) => {
    if (outgoing.socket !== null || incoming.socket.destroyed) {
      resolve()
      return
    }
    outgoing.once('socket', () => resolve())
    incoming.socket.once('close', () => resolve())
  })

/** Reads the rest of a request: the system resets a connection that is closed with unread data. */
const drain = (incoming: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    if (incoming.complete) {
      resolve()
      return
    }
    incoming.once('end', () => resolve())
    incoming.socket.once('close', () => resolve())
    incoming.resume()
  })

/**
 * Breaks the connection of a request; resolves once it is closed.
 *
 * @param stall called with a socket that stays open without a response
 */
export async function breakConnection(
  request: OpenRequest,
  fault: FaultName,
  unsent: Unsent,
  stall: (socket: Socket) => void,
): Promise<void> {
  const { incoming } = request
  const { socket } = incoming
  await untilTurn(request)
  if (fault === 'TIMEOUT') stall(socket)
  else if (fault !== 'CONNECTION_RESET_BY_PEER') await drain(incoming)
  if (!socket.destroyed) breaks[fault](request, unsent)
  await untilClosed(socket)
}
