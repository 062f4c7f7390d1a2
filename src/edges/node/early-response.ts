import { STATUS_CODES } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { METHODS } from '../../app/pipeline/other-requests.ts'
import { problem } from '../../errors.ts'
import type { Problem } from '../../errors.ts'
import type { Mock } from '../../mock.ts'
import type { Connection } from '../../service/http/connection.ts'
import { toCommonHeaders } from '../../service/http/request-head.ts'
import { toCorsHeaders } from '../../service/http/cors.ts'
import type { CorsPolicy } from '../../service/http/cors.ts'
import { JSON_TYPE, toEnvelope } from '../../service/http/envelope.ts'
import type { OpenRequest, OpenRequests } from './open-requests.ts'

// Sends responses that do not wait for the whole request: those of the mock to a body that has not arrived, and refusals.

/** A response with its full body. */
export interface WholeResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

/** The maximum number of bytes read from a request after its response. */
export const MOST_DISCARDED = 64 * 1024 * 1024

/**
 * Reads the rest of a request and discards it. Resolves at the end, or when the client disconnects or the limit is
 * exceeded.
 */
function discardRest(incoming: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0
    // The previous reader has stopped reading, and would pause the stream at every chunk.
    incoming.removeAllListeners('data')
    incoming.on('data', function discard({ length }: Buffer) {
      bytes += length
      if (bytes <= MOST_DISCARDED) return
      incoming.off('data', discard)
      incoming.socket.destroySoon()
    })
    incoming.once('end', resolve)
    incoming.once('close', resolve)
    incoming.resume()
  })
}

/**
 * Responds to a request before its body has fully arrived. The response is sent at once but ends after the request: closing
 * a connection with unread data resets it, and the client would lose the response (RFC 9112, section 9.6).
 */
export function sendEarly({ incoming, outgoing }: OpenRequest, { status, headers, body }: WholeResponse): void {
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  outgoing.writeHead(status, { ...headers, ...length })
  outgoing.flushHeaders()
  if (body !== undefined) outgoing.write(body)
  // A client that still waits for 100 Continue sends no body.
  if (incoming.headers.expect !== undefined && !incoming.readableDidRead) outgoing.end()
  else void discardRest(incoming).then(() => outgoing.end())
}

/** Reads the whole response of the mock. */
export async function readWhole(response: Response): Promise<WholeResponse> {
  const { 'content-length': _own, ...headers } = Object.fromEntries(response.headers)
  return { status: response.status, headers, body: new Uint8Array(await response.arrayBuffer()) }
}

/** Renders a problem that the mock does not render itself. */
export const toWhole = (
  fault: Problem,
  correlationId: string = crypto.randomUUID(),
): WholeResponse & { readonly body: string } => ({
  status: fault.status,
  headers: { ...fault.headers, 'Content-Type': JSON_TYPE, ...toCommonHeaders({ correlationId }) },
  body: JSON.stringify(toEnvelope(fault)),
})

/** Sends a response without a response object, because the request could not be parsed. */
function sendRaw(socket: Duplex, { status, headers, body = '' }: WholeResponse): void {
  if (!socket.writable) return
  const all = { ...headers, 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close' }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`, 'latin1')
  socket.end(body)
}

/** What the server knows of a request that it refuses. */
type RefusedRequest = Pick<Connection, 'headers' | 'rawHeaders' | 'httpVersion' | 'mountedAt' | 'remoteAddress'> & {
  readonly method: string
  readonly target: string
}

/** Lets the mock answer and record a request that the server refuses. */
export type Refuse = (request: RefusedRequest, refusal: Problem) => Promise<WholeResponse>

/** Creates the function that refuses requests. */
export const createRefuse =
  (mock: Mock, onFault: (fault: unknown, correlationId: string) => void): Refuse =>
  async (request, refusal) => {
    const url = `http://localhost${request.target.startsWith('/') ? '' : '/'}${request.target}`
    try {
      // The URL is the target as far as it can be parsed, percent-encoded.
      const { target: _sent, ...connection } = { ...request, refusal }
      return await readWhole(await mock.serve(new Request(URL.canParse(url) ? url : 'http://localhost/'), connection))
    } catch (fault) {
      onFault(fault, '')
      return toWhole(problem.internal())
    }
  }

/** The parts of a parsed request that the server refuses; HTTP/2 has pseudo-headers (RFC 9113, section 8.3.1). */
function toRefused(incoming: IncomingMessage, mountedAt?: string): RefusedRequest {
  const { method = '', url = '', headers, rawHeaders, httpVersion, socket } = incoming
  const plain = rawHeaders.filter((_, at) => !rawHeaders[at - (at % 2)]?.startsWith(':'))
  return {
    method,
    target: url,
    headers,
    rawHeaders: plain,
    httpVersion,
    mountedAt,
    remoteAddress: socket.remoteAddress,
  }
}

/** Refuses a parsed request, then reads the rest of it. */
export async function refuseParsed(
  open: OpenRequest,
  refusal: Problem,
  refuse: Refuse,
  mountedAt?: string,
): Promise<void> {
  const { incoming } = open
  const { headers, ...response } = await refuse(toRefused(incoming, mountedAt), refusal)
  sendEarly(open, {
    ...response,
    headers: incoming.httpVersionMajor > 1 ? headers : { ...headers, Connection: 'close' },
  })
}

/** The error of Node's parser, with its reason, such as `Invalid character in chunk size`. */
type ParserError = NodeJS.ErrnoException & {
  readonly reason?: string
  readonly rawPacket?: Buffer
  readonly bytesParsed?: number
}

/** Explains an error of Node's parser. */
function toParserProblem({ code, reason, message, rawPacket, bytesParsed }: ParserError): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return problem.requestTimeout()
  if (code === 'HPE_HEADER_OVERFLOW') return problem.headersTooLarge('The request line or the headers exceed 64 KiB.')
  // Anything that is not HTTP, such as a TLS handshake, is an invalid method to the parser too.
  if (code === 'HPE_INVALID_METHOD' && rawPacket?.includes(' HTTP/', bytesParsed) === true)
    return problem.unknownMethod(METHODS)
  return problem.invalidInput(`The request is not valid HTTP/1.1: ${reason ?? message}.`)
}

/** In place of a request that could not be parsed; `-` as in the log of Apache. */
const UNPARSED = { method: '-', target: '/', httpVersion: '1.1', rawHeaders: [], headers: {} }

/** Responds to requests that Node's parser rejects; Node would leave their bodies empty, and they would not be logged. */
export function answerRefusals(server: Server, openRequests: OpenRequests, refuse: Refuse, cors: CorsPolicy): void {
  const refused = new WeakSet<Duplex>()

  async function refuseUnparsed(socket: Socket, refusal: Problem): Promise<void> {
    // A browser opens connections in advance, and closes them without a request.
    const response =
      socket.bytesRead === 0
        ? toWhole(refusal)
        : await refuse({ ...UNPARSED, remoteAddress: socket.remoteAddress }, refusal)
    const headers = Object.entries(response.headers)
    // The request's origin is unknown, so only a response that every origin may read is readable.
    sendRaw(socket, { ...response, headers: { ...response.headers, ...toCorsHeaders(cors, '*', headers) } })
  }

  server.on('clientError', (error: ParserError, socket: Socket) => {
    // The parser repeats the error for every chunk of data that follows.
    if (refused.has(socket)) return
    refused.add(socket)
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const refusal = toParserProblem(error)
    const current = openRequests.findLatest(socket)
    if (current === undefined || current.outgoing.closed) void refuseUnparsed(socket, refusal)
    // Pipelined behind a valid request, whose response comes first (RFC 9112, section 9.3.2).
    else if (current.incoming.complete) current.outgoing.once('close', () => void refuseUnparsed(socket, refusal))
    else if (current.outgoing.headersSent) socket.destroy()
    else {
      const { incoming, outgoing } = current
      // The rest cannot be read, and once a request has its response, Node does not report that to the request's reader.
      outgoing.once('close', () => incoming.destroy(error))
      const { status, headers, body } = toWhole(refusal)
      const more = {
        ...toCorsHeaders(cors, incoming.headers.origin, Object.entries(headers)),
        'Content-Length': Buffer.byteLength(body),
        Connection: 'close',
      }
      outgoing.writeHead(status, { ...headers, ...more }).end(body)
    }
  })
}
