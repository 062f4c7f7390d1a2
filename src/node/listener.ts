import { hasBody, createOpenRequests, createUnreadResponses } from './open-requests.ts'
import type { OpenRequest, OpenRequests, UnreadResponses } from './open-requests.ts'
import { STATUS_CODES } from 'node:http'
import type { IncomingMessage, Server, ServerResponse, RequestListener } from 'node:http'
import { toEnvelope, JSON_TYPE } from '../http/envelope.ts'
import { problem } from '../errors.ts'
import type { Problem } from '../errors.ts'
import { getRequestListener, RequestError } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { memoizeLast } from '../util/collections.ts'
import { NodeConnection } from './connection.ts'
import type { Duplex } from 'node:stream'
import type { Mock } from '../mock.ts'

/** A response that is all there. */
export interface WholeResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

/** The most that is read of a request after it was answered, in bytes. */
export const MOST_DISCARDED = 64 * 1024 * 1024

/** Reads a request to its end, and keeps nothing of it; resolves at the end, or when the connection is closed: by its client, or past the limit. */
function discardRest(incoming: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0
    // Who read the body until here has stopped reading, and would pause it again with each chunk.
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

/** Whether a request of HTTP/1.1 has a body that is still on its way. */
export const isUnread = ({ incoming }: OpenRequest): boolean =>
  incoming.httpVersionMajor === 1 && !incoming.complete && hasBody(incoming)

/**
 * Answers a request whose body is still on its way. The answer is sent at once and whole, and ends after the request: closing a
 * connection with data unread resets it, and the client would lose the answer (RFC 9112, section 9.6).
 */
export function sendEarly({ incoming, outgoing }: OpenRequest, { status, headers, body }: WholeResponse): void {
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  outgoing.writeHead(status, { ...headers, ...length })
  outgoing.flushHeaders()
  if (body !== undefined) outgoing.write(body)
  void discardRest(incoming).then(() => outgoing.end())
}

/** What is sent where a request never reaches the app: the same envelope, and the connection ends. */
function render(fault: Problem): { readonly headers: Record<string, string>; readonly body: string } {
  const body = JSON.stringify(toEnvelope(fault))
  const headers = {
    ...fault.headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Correlation-ID': crypto.randomUUID(),
    'X-Content-Type-Options': 'nosniff',
    Connection: 'close',
  }
  return { headers, body }
}

/** Sends a problem as the response, and then reads the rest of the request. */
export function refuse(request: OpenRequest, fault: Problem): void {
  const { headers, body } = render(fault)
  sendEarly(request, { status: fault.status, headers, body })
}

function endWith(outgoing: ServerResponse, fault: Problem): void {
  const { headers, body } = render(fault)
  outgoing.writeHead(fault.status, headers).end(body)
}

/** Answers a problem where there is no response object, because no request could be read. */
function refuseSocket(socket: Duplex, fault: Problem): void {
  if (!socket.writable) return
  const { headers, body } = render(fault)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${fault.status} ${STATUS_CODES[fault.status]}\r\n${lines.join('')}\r\n${body}`)
}

/** What Node's HTTP parser found wrong, by its error code. */
function toProblem(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') return problem.headersTooLarge()
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return problem.requestTimeout()
  return problem.invalidInput('The request is not well-formed HTTP/1.1. Send it with an HTTP client, such as curl.')
}

/**
 * Gives a server's own refusals (malformed HTTP, too large a head, a timeout, an unknown expectation, CONNECT) the
 * envelope that every error has; Node would leave their bodies empty.
 */
export function answerRefusals(server: Server, openRequests: OpenRequests): void {
  const refused = new WeakSet<Duplex>()

  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // The parser reports the same fault again for every piece of data that follows it.
    if (refused.has(socket)) return
    refused.add(socket)
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const fault = toProblem(error.code)
    const current = openRequests.findLatest(socket)
    if (current === undefined || current.outgoing.closed) refuseSocket(socket, fault)
    // Pipelined behind a sound request, whose answer comes first (RFC 9112, section 9.3.2).
    else if (current.incoming.complete) current.outgoing.once('close', () => refuseSocket(socket, fault))
    else if (current.outgoing.headersSent) socket.destroy()
    else {
      // Nothing more of it can be read, and Node does not report that to the reader of a request that has its response.
      current.outgoing.once('close', () => current.incoming.destroy(error))
      endWith(current.outgoing, fault)
    }
  })

  server.on('checkExpectation', (incoming, outgoing) => {
    const request = { incoming, outgoing }
    openRequests.add(request)
    refuse(request, problem.expectationFailed(incoming.headers.expect ?? ''))
  })

  server.on('connect', (incoming, socket) => {
    // Node hands this socket over without a listener of its own: a client that resets it would end the process.
    socket.on('error', () => socket.destroy())
    refuseSocket(
      socket,
      problem.methodNotAllowed('CONNECT', incoming.url ?? '', ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE']),
    )
  })
}

function toProblemResponse(fault: Problem, correlationId: string): Response {
  return new Response(JSON.stringify(toEnvelope(fault)), {
    status: fault.status,
    headers: {
      'Content-Type': JSON_TYPE,
      'X-Correlation-ID': correlationId,
      'X-Content-Type-Options': 'nosniff',
    },
  })
}

const unreadableTarget = () =>
  problem.invalidInput(
    'The request target and the Host header do not make a URL. Send a path such as /my-project/resource and a Host such as localhost.',
  )

/** Whether a Host makes a URL; `mock.1` and `localhost:99999` do not. */
const isHost = memoizeLast((host: string) => URL.canParse(`http://${host}`))

/** What is wrong with the Host header (RFC 9112, section 3.2); undefined if nothing is. */
function findHostFault({ headers: { host }, rawHeaders, httpVersion }: IncomingMessage): Problem | undefined {
  // Node would refuse a request without one too, but without a body.
  if (host === undefined) return httpVersion === '1.1' ? unreadableTarget() : undefined
  if (!isHost(host)) return unreadableTarget()
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1 ? problem.invalidInput(`The request has ${hosts} Host headers. Send one.`) : undefined
}

/** Sends the response to a request whose body is still on its way. */
async function sendBeforeEnd(request: OpenRequest, response: Response): Promise<void> {
  const { 'content-length': _own, ...headers } = Object.fromEntries(response.headers)
  const body = new Uint8Array(await response.arrayBuffer())
  sendEarly(request, { status: response.status, headers, body })
}

/** What Hono's adapter is to send. */
function toSent(response: Response, open: OpenRequest, connection: NodeConnection): Response | Promise<Response> {
  // A scenario broke the connection, a body turned out malformed and was refused, or the client has gone.
  if (connection.isOver) {
    response.body?.cancel().catch(() => undefined)
    return RESPONSE_ALREADY_SENT
  }
  // A GET's body has no meaning (RFC 9110, section 9.3.1), and its response may be an endless stream.
  if (open.incoming.method === 'GET' || !isUnread(open)) return response
  return sendBeforeEnd(open, response).then(() => RESPONSE_ALREADY_SENT)
}

/** Creates the listener of a Node server that serves a mock, by Hono's adapter. */
export function createListener({
  mock,
  openRequests,
  unread,
  host,
  onFault,
  ...parts
}: {
  readonly mock: Mock
  readonly openRequests: OpenRequests
  readonly unread: UnreadResponses
  /** The path that the mock is mounted under in another server. */
  readonly mountedAt?: string
  /** Whether the mock answers the expectation of a 100, because it forwards requests. */
  readonly forwardsExpect?: boolean
  /** Replaces the Host header, which an HTTP/1.0 client may leave out. */
  readonly host: string
  readonly lightweightGlobals: boolean
  readonly onFault: (fault: unknown, correlationId: string) => void
}): RequestListener {
  const connectionParts = {
    mountedAt: parts.mountedAt,
    stall: openRequests.stall,
    unread,
    forwardsExpect: parts.forwardsExpect === true,
  }

  function serve(request: Request, open: OpenRequest): Response | Promise<Response> {
    const connection = new NodeConnection(open, connectionParts)
    const response = mock.serve(request, connection)
    return response instanceof Promise
      ? response.then((answered) => toSent(answered, open, connection))
      : toSent(response, open, connection)
  }

  const listen = getRequestListener(
    // The servers here speak HTTP/1.1, or HTTP/2 through Node's compatibility API.
    (request, bindings) => serve(request, bindings as OpenRequest),
    {
      hostname: host,
      overrideGlobalObjects: parts.lightweightGlobals,
      errorHandler(fault) {
        const correlationId = crypto.randomUUID()
        if (fault instanceof RequestError) return toProblemResponse(unreadableTarget(), correlationId)
        onFault(fault, correlationId)
        return toProblemResponse(problem.internal(), correlationId)
      },
    },
  )

  return (incoming, outgoing) => {
    const request: OpenRequest = { incoming, outgoing }
    openRequests.add(request)
    unread.add(request)
    const fault = findHostFault(incoming)
    // The adapter rejects only if `onFault` itself throws, so there is nothing left to report to.
    if (fault === undefined) listen(incoming, outgoing).catch(() => outgoing.destroy())
    else refuse(request, fault)
  }
}

/** What connect, Express and Vite call a middleware. */
export type Middleware = (incoming: IncomingMessage, outgoing: ServerResponse, next: () => void) => void

/** The target below the prefix; undefined for one that is not. */
function findTargetBelow(prefix: string, target: string): string | undefined {
  if (!target.startsWith(prefix)) return undefined
  const below = target.slice(prefix.length)
  if (below === '' || below.startsWith('?')) return `/${below}`
  return below.startsWith('/') ? below : undefined
}

/** Serves a mock below a prefix of a server that serves other things too, from sockets to faults as `startServer` does. */
export function createMiddleware({
  mock,
  prefix,
  host,
  onFault,
  onNotice,
}: {
  readonly mock: Mock
  /** The path of the mock, such as `/api`. */
  readonly prefix: string
  /** Replaces the Host header, which an HTTP/1.0 client may leave out. */
  readonly host: string
  readonly onFault: (fault: unknown, correlationId: string) => void
  readonly onNotice: (sentence: string) => void
}): Middleware {
  const openRequests = createOpenRequests()
  const listener = createListener({
    mock,
    openRequests,
    unread: createUnreadResponses({ onNotice }),
    mountedAt: prefix,
    host,
    lightweightGlobals: false,
    onFault,
  })
  return function serveMock(incoming, outgoing, next) {
    const target = findTargetBelow(prefix, incoming.url ?? '')
    if (target === undefined) {
      next()
      return
    }
    incoming.url = target
    listener(incoming, outgoing)
  }
}
