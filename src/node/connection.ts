import { TLSSocket } from 'node:tls'
import { halve, toPairs, withoutHeaders } from '../http/connection.ts'
import type { FaultName, Unsent, Connection, Information, RelayedResponse, RawHeaders } from '../http/connection.ts'
import { Readable } from 'node:stream'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { findStream, hasBody } from './open-requests.ts'
import type { OpenRequest, UnreadResponses } from './open-requests.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { once } from 'node:events'
import { constants } from 'node:http2'
import type { ServerHttp2Stream } from 'node:http2'

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

const sendHalf = (stream: ServerHttp2Stream, { status, headers, body }: Unsent): Promise<void> => {
  const { half, length } = halve(body)
  stream.respond({ ...headers, ':status': status, 'content-length': length })
  return new Promise((resolve) => stream.write(half, () => resolve()))
}

/**
 * Breaks a request of HTTP/2: whichever way a connection would be broken, its stream alone ends in an error (RFC 9113,
 * section 5.4.2). Resolves once the stream is closed.
 */
async function breakStream(stream: ServerHttp2Stream, fault: FaultName, unsent: Unsent): Promise<void> {
  if (fault === 'TRUNCATED_BODY' && !stream.destroyed) await sendHalf(stream, unsent)
  if (fault !== 'TIMEOUT') stream.close(constants.NGHTTP2_INTERNAL_ERROR)
  if (!stream.closed || !stream.destroyed) await new Promise((resolve) => stream.once('close', resolve))
}

/** Whether a client waits for a 100 before it sends its body; Node takes the expectation of HTTP/1.1 alone. */
const isAwaitingContinue = ({ httpVersion, headers }: IncomingMessage): boolean =>
  httpVersion === '1.1' && headers.expect?.trim().toLowerCase() === '100-continue'

/**
 * Sends an answer of 1xx as it came, whichever it is: Node's own methods know three of them, and check what they say. A client
 * of HTTP/1.0 knows none (RFC 9110, section 15.2).
 */
function sendInformation({ incoming, outgoing }: OpenRequest, { status, statusText, headers }: Information): void {
  const stream = findStream(outgoing)
  if (stream !== undefined) {
    stream.additionalHeaders({ ':status': status, ...Object.fromEntries(toPairs(headers)) })
    return
  }
  if (incoming.httpVersion === '1.0') return
  if (status === 100 && isAwaitingContinue(incoming) && headers.length === 0) {
    // Node closes the connection of a request that awaits a 100 if it does not know of it.
    outgoing.writeContinue()
    return
  }
  const lines = toPairs(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `HTTP/1.1 ${status} ${statusText}\r\n${lines.join('')}\r\n`
  const send = (socket: Socket): void => void socket.write(head, 'latin1')
  // Pipelined requests are answered in their order: the socket is given to each response in its turn.
  if (outgoing.socket === null) outgoing.once('socket', send)
  else send(outgoing.socket)
}

/** Whether trailers can follow the body (RFC 9112, section 7.1.2). */
const isChunked = ({ req, statusCode }: ServerResponse, headers: RawHeaders): boolean =>
  req.httpVersion === '1.1' &&
  req.method !== 'HEAD' &&
  statusCode !== 204 &&
  statusCode !== 304 &&
  !toPairs(headers).some(([name]) => name.toLowerCase() === 'content-length')

/** Starts a response; Node refuses a `Trailer` header without a chunked body. */
function writeHead(outgoing: ServerResponse, { status, statusText, headers }: RelayedResponse): void {
  outgoing.statusCode = status
  const kept = isChunked(outgoing, headers) ? headers : withoutHeaders(headers, (name) => name === 'trailer')
  // HTTP/2 has no reason phrase (RFC 9113, section 8.3.2).
  if (findStream(outgoing) === undefined) outgoing.writeHead(status, statusText, [...kept])
  else outgoing.writeHead(status, [...kept])
}

async function send(outgoing: ServerResponse, response: RelayedResponse): Promise<void> {
  const { body, trailers } = response
  writeHead(outgoing, response)
  if (!(body instanceof ReadableStream)) {
    outgoing.addTrailers(toPairs(trailers()))
    outgoing.end(body)
    return
  }
  const reader = body.getReader()
  const gone = new AbortController()
  outgoing.once('close', () => {
    gone.abort()
    // A stream that has ended ignores a cancel, and the failure of one that has failed was handled below.
    reader.cancel().catch(() => undefined)
  })
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    if (!outgoing.write(read.value)) await once(outgoing, 'drain', { signal: gone.signal })
  }
  outgoing.addTrailers(toPairs(trailers()))
  outgoing.end()
}

/**
 * Sends a response of another server as it came. Where that breaks off, or Node refuses to send such a one, or the client
 * goes, both connections end.
 */
const sendRelayed = (outgoing: ServerResponse, response: RelayedResponse): Promise<void> =>
  send(outgoing, response).catch(() => void outgoing.destroy())

interface ConnectionParts {
  /** The path that the mock is mounted under, such as `/api`. */
  readonly mountedAt: string | undefined
  /** Called with a socket that stays open without a response. */
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
    return this.#forwardsExpect && isAwaitingContinue(this.#request.incoming)
  }

  inform(information: Information): void {
    if (!this.isOver) sendInformation(this.#request, information)
  }

  relay(response: RelayedResponse): Response {
    if (this.isOver) {
      if (response.body instanceof ReadableStream) response.body.cancel().catch(() => undefined)
    } else void sendRelayed(this.#request.outgoing, { ...response, body: this.#toStream(response.body) })
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

  /** Whether nothing more can be sent: the response has started, or the client has disconnected. */
  get isOver(): boolean {
    const { incoming, outgoing } = this.#request
    // A socket that was reset is gone before its response knows.
    return outgoing.headersSent || outgoing.closed || incoming.socket.destroyed
  }
}
