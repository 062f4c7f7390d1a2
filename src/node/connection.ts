import { TLSSocket } from 'node:tls'
import { halve } from '../http/connection.ts'
import type { FaultName, Unsent, Connection, Information, RelayedResponse, RawHeaders } from '../http/connection.ts'
import { Readable } from 'node:stream'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { findStream, hasBody } from './open-requests.ts'
import type { OpenRequest, UnreadResponses } from './open-requests.ts'
import { awaitsContinue, inform, relay, breakStream } from './relay.ts'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

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

interface ConnectionParts {
  /** The path that the mock is mounted under, such as `/api`. */
  readonly mountedAt: string | undefined
  /** Told of a socket that is kept waiting for ever. */
  readonly stall: (socket: Socket) => void
  readonly unread: UnreadResponses
  /** Whether the mock answers the expectation of a 100, not the server. */
  readonly forwardsExpect: boolean
}

/** The connection of a request that Node received. */
export class NodeConnection implements Connection {
  readonly mountedAt: string | undefined
  readonly #request: OpenRequest
  readonly #stall: ConnectionParts['stall']
  readonly #unread: UnreadResponses
  readonly #forwardsExpect: boolean

  constructor(request: OpenRequest, { mountedAt, stall, unread, forwardsExpect }: ConnectionParts) {
    this.mountedAt = mountedAt
    this.#request = request
    this.#stall = stall
    this.#unread = unread
    this.#forwardsExpect = forwardsExpect
  }

  /** Whether it is a stream of HTTP/2, whose raw headers are not all headers of the request (RFC 9113, section 8.3.1). */
  get #isStream(): boolean {
    return this.#request.incoming.httpVersionMajor > 1
  }

  get remoteAddress(): string | undefined {
    return this.#request.incoming.socket.remoteAddress
  }

  get headers(): Connection['headers'] {
    return this.#isStream ? undefined : this.#request.incoming.headers
  }

  get rawHeaders(): RawHeaders | undefined {
    return this.#isStream ? undefined : this.#request.incoming.rawHeaders
  }

  get target(): string | undefined {
    return this.#isStream ? undefined : this.#request.incoming.url
  }

  get byteLength(): (body: string | Uint8Array) => number {
    return Buffer.byteLength
  }

  toPieces<Body extends string | Uint8Array<ArrayBuffer>>(body: Body): Body | ReadableStream<Uint8Array<ArrayBuffer>> {
    return this.#unread.toPieces(this.#request, body)
  }

  get openBody(): Connection['openBody'] {
    const { incoming } = this.#request
    if (!hasBody(incoming) || this.#isStream) return undefined
    // What Node reads from a socket is bytes that are not shared.
    return () => Readable.toWeb(incoming) as ReadableStream<Uint8Array<ArrayBuffer>>
  }

  get httpVersion(): string {
    return this.#request.incoming.httpVersion
  }

  get trailers(): RawHeaders {
    return this.#request.incoming.rawTrailers
  }

  get awaitsContinue(): boolean {
    return this.#forwardsExpect && awaitsContinue(this.#request.incoming)
  }

  inform(information: Information): void {
    if (!this.isOver) inform(this.#request, information)
  }

  relay(response: RelayedResponse): Response {
    if (this.isOver) {
      if (response.body instanceof ReadableStream) response.body.cancel().catch(() => undefined)
    } else void relay(this.#request.outgoing, { ...response, body: this.#toStream(response.body) })
    return RESPONSE_ALREADY_SENT
  }

  #toStream(body: RelayedResponse['body']): RelayedResponse['body'] {
    return body instanceof Uint8Array ? this.toPieces(body) : body
  }

  async breakOff(fault: FaultName, unsent: Unsent): Promise<Response> {
    const stream = findStream(this.#request.outgoing)
    await (stream === undefined
      ? breakConnection(this.#request, fault, unsent, this.#stall)
      : breakStream(stream, fault, unsent))
    return RESPONSE_ALREADY_SENT
  }

  /** Whether nothing can be sent any more: the response has begun, or the client has gone. */
  get isOver(): boolean {
    const { incoming, outgoing } = this.#request
    // A socket that was reset is gone before its response knows.
    return outgoing.headersSent || outgoing.closed || incoming.socket.destroyed
  }
}
