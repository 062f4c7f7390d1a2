import { TLSSocket } from 'node:tls'
import { findErrorCode } from '../../errors.ts'
import { halve, toPairs, withoutHeaders } from '../../service/http/connection.ts'
import type {
  FaultName,
  Unsent,
  Connection,
  Information,
  RelayedResponse,
  RawHeaders,
} from '../../service/http/connection.ts'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { findStream, hasBody } from './open-requests.ts'
import type { OpenRequest, OpenRequests } from './open-requests.ts'
import { STATUS_CODES } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { constants } from 'node:http2'
import type { ServerHttp2Stream } from 'node:http2'

/** Neither a valid status line nor a valid chunk size. */
const GARBAGE = '}{ \u0001 this is not HTTP \u0002 ][\r\n'

/**
 * Node cannot reset a TLS connection because its TCP socket is not accessible, so it closes without a close_notify alert.
 */
function reset(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy()
  else socket.resetAndDestroy()
}

/**
 * Resets a connection after an interim response. If a connection that was used before is reset before any response,
 * browsers send the request again themselves, even a POST; after an interim response, they leave that to the page.
 */
function resetForPage(request: OpenRequest): void {
  const { socket } = request.incoming
  sendInformation(request, { status: 102, headers: [] })
  // A reset discards what has not been sent.
  socket.write('', () => reset(socket))
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
  CONNECTION_RESET_BEFORE_OPERATION: resetForPage,
  CONNECTION_RESET_AFTER_OPERATION: resetForPage,
  TIMEOUT() {},
}

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

/** Reads the rest of a request: the operating system resets a connection that is closed with unread data. */
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
 * Breaks a request's connection and resolves once it is closed.
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
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
}

/**
 * Breaks an HTTP/2 request. Every fault ends only its stream with an error (RFC 9113, section 5.4.2). Resolves once the
 * stream is closed.
 */
async function breakStream(stream: ServerHttp2Stream, fault: FaultName, unsent: Unsent): Promise<void> {
  if (fault === 'TRUNCATED_BODY' && !stream.destroyed) {
    const { half, length } = halve(unsent.body)
    stream.respond({ ...unsent.headers, ':status': unsent.status, 'content-length': length })
    await new Promise<void>((resolve) => stream.write(half, () => resolve()))
  }
  if (fault !== 'TIMEOUT') stream.close(constants.NGHTTP2_INTERNAL_ERROR)
  if (!stream.closed || !stream.destroyed) await new Promise((resolve) => stream.once('close', resolve))
}

/**
 * Sends a 1xx response unchanged. Node's own methods support only three of them and validate their headers. HTTP/1.0
 * clients do not understand 1xx (RFC 9110, section 15.2).
 */
function sendInformation({ incoming, outgoing }: OpenRequest, { status, headers }: Information): void {
  if (incoming.httpVersion === '1.0') return
  const lines = toPairs(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`
  const send = (socket: Socket): void => void socket.write(head, 'latin1')
  // Pipelined requests are answered in order: each response gets the socket when its turn comes.
  if (outgoing.socket === null) outgoing.once('socket', send)
  else send(outgoing.socket)
}

/** Whether trailers can follow the body (RFC 9112, section 7.1.2). */
const isChunked = ({ incoming }: OpenRequest, { status, headers }: RelayedResponse): boolean =>
  incoming.httpVersion === '1.1' &&
  incoming.method !== 'HEAD' &&
  status !== 204 &&
  status !== 304 &&
  !toPairs(headers).some(([name]) => name.toLowerCase() === 'content-length')

interface ConnectionParts {
  /** The path the mock is mounted at, such as `/api`. */
  readonly mountedAt: string | undefined
  readonly openRequests: OpenRequests
}

/** The errors of a request whose connection ended within its body: Node's, and that of its parser. */
const BROKEN_OFF = new Set(['ECONNRESET', 'HPE_INVALID_EOF_STATE'])

/** The connection of a request received by Node. */
export class NodeConnection implements Connection {
  readonly mountedAt: string | undefined
  readonly #request: OpenRequest
  readonly #openRequests: OpenRequests
  /** Whether this is an HTTP/2 stream, whose raw headers include pseudo-headers (RFC 9113, section 8.3.1). */
  readonly #isStream: boolean

  constructor(request: OpenRequest, { mountedAt, openRequests }: ConnectionParts) {
    this.mountedAt = mountedAt
    this.#request = request
    this.#openRequests = openRequests
    this.#isStream = request.incoming.httpVersionMajor > 1
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

  toPieces<Body extends string | Uint8Array<ArrayBuffer>>(
    body: Body,
    onCancel?: () => void,
  ): Body | ReadableStream<Uint8Array<ArrayBuffer>> {
    return this.#openRequests.toPieces(this.#request, body, onCancel)
  }

  get openBody(): Connection['openBody'] {
    const { incoming } = this.#request
    if (!hasBody(incoming)) return undefined
    // Node does not share the bytes it reads from a socket.
    return () => Readable.toWeb(incoming) as ReadableStream<Uint8Array<ArrayBuffer>>
  }

  get httpVersion(): string {
    return this.#request.incoming.httpVersion
  }

  inform(information: Information): void {
    if (!this.isOver) sendInformation(this.#request, information)
  }

  relay(response: RelayedResponse): Response {
    const { outgoing } = this.#request
    const { status, statusText, headers, body, trailers } = response
    const send = async (): Promise<void> => {
      // Node rejects a `Trailer` header without a chunked body. A list keeps the order and case of the headers.
      const isKept = isChunked(this.#request, response)
      outgoing.writeHead(status, statusText, [...withoutHeaders(headers, (name) => name === 'trailer' && !isKept)])
      const sent = ArrayBuffer.isView(body) ? this.toPieces(body) : body
      if (sent instanceof ReadableStream) await pipeline(Readable.fromWeb(sent as NodeStream), outgoing, { end: false })
      else if (sent !== undefined) outgoing.write(sent)
      outgoing.addTrailers(toPairs(trailers()))
      outgoing.end()
    }
    if (!this.isOver) {
      // If the response breaks off, Node rejects it, or the client disconnects, both connections are closed.
      send().catch(() => void outgoing.destroy())
    } else if (body instanceof ReadableStream) body.cancel().catch(() => undefined)
    return RESPONSE_ALREADY_SENT
  }

  async breakOff(fault: FaultName, unsent: Unsent): Promise<Response> {
    const stream = findStream(this.#request.outgoing)
    await (stream === undefined
      ? breakConnection(this.#request, fault, unsent, this.#openRequests.stall)
      : breakStream(stream, fault, unsent))
    return RESPONSE_ALREADY_SENT
  }

  get hasLeft(): boolean {
    const { incoming, outgoing } = this.#request
    const stream = findStream(outgoing)
    if (stream !== undefined) return stream.closed && !stream.writableFinished
    // A server that ends closes the connections that scenarios hold.
    if (this.#openRequests.isEnding) return false
    const isBrokenOff = incoming.errored !== null && BROKEN_OFF.has(findErrorCode(incoming.errored) ?? '')
    return isBrokenOff || ((outgoing.closed || incoming.socket.destroyed) && !outgoing.writableFinished)
  }

  /** Whether nothing more can be sent: the response has started, or the client has disconnected. */
  get isOver(): boolean {
    const { incoming, outgoing } = this.#request
    // A reset socket is destroyed before its response notices.
    return outgoing.headersSent || outgoing.closed || incoming.socket.destroyed
  }
}
