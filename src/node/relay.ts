import { constants } from 'node:http2'
import type { ServerHttp2Stream } from 'node:http2'
import { halve, toPairs, withoutHeaders } from '../http/connection.ts'
import type { FaultName, Unsent, Information, RelayedResponse, RawHeaders } from '../http/connection.ts'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { findStream } from './open-requests.ts'
import type { OpenRequest } from './open-requests.ts'

const sendHalf = (stream: ServerHttp2Stream, { status, headers, body }: Unsent): Promise<void> => {
  const { half, length } = halve(body)
  stream.respond({ ...headers, ':status': status, 'content-length': length })
  return new Promise((resolve) => stream.write(half, () => resolve()))
}

/**
 * Breaks a request of HTTP/2: whichever way a connection would be broken, its stream alone ends in an error (RFC 9113,
 * section 5.4.2). Resolves once the stream is closed.
 */
export async function breakStream(stream: ServerHttp2Stream, fault: FaultName, unsent: Unsent): Promise<void> {
  if (fault === 'TRUNCATED_BODY' && !stream.destroyed) await sendHalf(stream, unsent)
  if (fault !== 'TIMEOUT') stream.close(constants.NGHTTP2_INTERNAL_ERROR)
  if (!stream.closed || !stream.destroyed) await new Promise((resolve) => stream.once('close', resolve))
}

/** Whether a client waits for a 100 before it sends its body; Node takes the expectation of HTTP/1.1 alone. */
export const awaitsContinue = ({ httpVersion, headers }: IncomingMessage): boolean =>
  httpVersion === '1.1' && headers.expect?.trim().toLowerCase() === '100-continue'

/**
 * Sends an answer of 1xx as it came, whichever it is: Node's own methods know three of them, and check what they say. A client
 * of HTTP/1.0 knows none (RFC 9110, section 15.2).
 */
export function inform({ incoming, outgoing }: OpenRequest, { status, statusText, headers }: Information): void {
  const stream = findStream(outgoing)
  if (stream !== undefined) {
    stream.additionalHeaders({ ':status': status, ...Object.fromEntries(toPairs(headers)) })
    return
  }
  if (incoming.httpVersion === '1.0') return
  if (status === 100 && awaitsContinue(incoming) && headers.length === 0) {
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

/** Begins a response; Node refuses a `Trailer` that nothing can follow. */
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
export const relay = (outgoing: ServerResponse, response: RelayedResponse): Promise<void> =>
  send(outgoing, response).catch(() => void outgoing.destroy())
