import { hasBody, createOpenRequests, createUnreadResponses } from './open-requests.ts'
import type { OpenRequest, OpenRequests, UnreadResponses } from './open-requests.ts'
import { STATUS_CODES } from 'node:http'
import type { IncomingMessage, Server, ServerResponse, RequestListener } from 'node:http'
import { toEnvelope, JSON_TYPE } from '../../service/http/envelope.ts'
import { problem } from '../../errors.ts'
import type { Problem } from '../../errors.ts'
import { getRequestListener, RequestError } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { memoizeLast } from '../../util/collections.ts'
import { NodeConnection } from './connection.ts'
import type { Duplex } from 'node:stream'
import type { Mock } from '../../mock.ts'

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

/** Whether an HTTP/1.1 request has a body that has not fully arrived. */
export const isUnread = ({ incoming }: OpenRequest): boolean =>
  incoming.httpVersionMajor === 1 && !incoming.complete && hasBody(incoming)

/**
 * Responds to a request before its body has fully arrived. The response is sent at once but ends after the request: closing
 * a connection with unread data resets it, and the client would lose the response (RFC 9112, section 9.6).
 */
export function sendEarly({ incoming, outgoing }: OpenRequest, { status, headers, body }: WholeResponse): void {
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  outgoing.writeHead(status, { ...headers, ...length })
  outgoing.flushHeaders()
  if (body !== undefined) outgoing.write(body)
  void discardRest(incoming).then(() => outgoing.end())
}

/** Renders a problem for a request that never reaches the app: the usual envelope, after which the connection closes. */
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

/** Sends a problem as the response, then reads the rest of the request. */
export function refuse(request: OpenRequest, fault: Problem): void {
  const { headers, body } = render(fault)
  sendEarly(request, { status: fault.status, headers, body })
}

function endWith(outgoing: ServerResponse, fault: Problem): void {
  const { headers, body } = render(fault)
  outgoing.writeHead(fault.status, headers).end(body)
}

/** Sends a problem without a response object, because the request could not be parsed. */
function refuseSocket(socket: Duplex, fault: Problem): void {
  if (!socket.writable) return
  const { headers, body } = render(fault)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${fault.status} ${STATUS_CODES[fault.status]}\r\n${lines.join('')}\r\n${body}`)
}

/** Converts an error code of Node's HTTP parser. */
function toProblem(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') return problem.headersTooLarge()
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return problem.requestTimeout()
  return problem.invalidInput('The request is not well-formed HTTP/1.1. Send it with an HTTP client, such as curl.')
}

/**
 * Gives responses to requests that Node itself rejects (malformed HTTP, oversized headers, a timeout, an unknown
 * expectation, CONNECT) the error envelope; Node would leave their bodies empty.
 */
export function answerRefusals(server: Server, openRequests: OpenRequests): void {
  const refused = new WeakSet<Duplex>()

  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // The parser repeats the error for every chunk of data that follows.
    if (refused.has(socket)) return
    refused.add(socket)
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const fault = toProblem(error.code)
    const current = openRequests.findLatest(socket)
    if (current === undefined || current.outgoing.closed) refuseSocket(socket, fault)
    // Pipelined behind a valid request, whose response comes first (RFC 9112, section 9.3.2).
    else if (current.incoming.complete) current.outgoing.once('close', () => refuseSocket(socket, fault))
    else if (current.outgoing.headersSent) socket.destroy()
    else {
      // The rest cannot be read, and once a request has its response, Node does not report that to the request's reader.
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
    // Node passes this socket without an error listener: a client that resets it would end the process.
    socket.on('error', () => socket.destroy())
    refuseSocket(
      socket,
      problem.methodNotAllowed(
        'CONNECT',
        incoming.url ?? '',
        ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'],
        'Use the mock as a base URL, not as a proxy.',
      ),
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
    'The request target and the Host header do not form a valid URL. Use a path such as /my-project/resource and a Host such as localhost.',
  )

/** Whether a Host header forms a valid URL; `mock.1` and `localhost:99999` do not. */
const isHost = memoizeLast((host: string) => URL.canParse(`http://${host}`))

/** Checks the Host header (RFC 9112, section 3.2); undefined if it is valid. */
function findHostFault({ headers: { host }, rawHeaders, httpVersion }: IncomingMessage): Problem | undefined {
  // Node would reject the request too, but with an empty body.
  if (host === undefined) return httpVersion === '1.1' ? unreadableTarget() : undefined
  if (!isHost(host)) return unreadableTarget()
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1 ? problem.invalidInput(`The request has ${hosts} Host headers. Send only one.`) : undefined
}

/** Sends the response before the request's body has fully arrived. */
async function sendBeforeEnd(request: OpenRequest, response: Response): Promise<void> {
  const { 'content-length': _own, ...headers } = Object.fromEntries(response.headers)
  const body = new Uint8Array(await response.arrayBuffer())
  sendEarly(request, { status: response.status, headers, body })
}

/** Creates the request listener of a Node server for a mock, using Hono's adapter. */
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
  /** The path the mock is mounted at in another server. */
  readonly mountedAt?: string
  /** Whether the mock sends 100 Continue itself, because it forwards requests. */
  readonly forwardsExpect?: boolean
  /** Used if an HTTP/1.0 client sends no Host header. */
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

  async function serve(request: Request, open: OpenRequest): Promise<Response> {
    const connection = new NodeConnection(open, connectionParts)
    const response = await mock.serve(request, connection)
    // A scenario broke the connection, a malformed body was rejected, or the client has disconnected.
    if (connection.isOver) {
      response.body?.cancel().catch(() => undefined)
      return RESPONSE_ALREADY_SENT
    }
    // The body of a GET has no meaning (RFC 9110, section 9.3.1), and the response may be an endless stream.
    if (open.incoming.method === 'GET' || !isUnread(open)) return response
    await sendBeforeEnd(open, response)
    return RESPONSE_ALREADY_SENT
  }

  const listen = getRequestListener(
    // The servers here support HTTP/1.1, and HTTP/2 through Node's compatibility API.
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
    // The adapter rejects only if `onFault` itself throws, so the error cannot be reported.
    if (fault === undefined) listen(incoming, outgoing).catch(() => outgoing.destroy())
    else refuse(request, fault)
  }
}

/** A middleware for connect, Express and Vite. */
export type Middleware = (incoming: IncomingMessage, outgoing: ServerResponse, next: () => void) => void

/** The request target without the prefix; undefined if it is not below the prefix. */
function findTargetBelow(prefix: string, target: string): string | undefined {
  if (!target.startsWith(prefix)) return undefined
  const below = target.slice(prefix.length)
  if (below === '' || below.startsWith('?')) return `/${below}`
  return below.startsWith('/') ? below : undefined
}

/** Serves a mock below a prefix of another server, with the same handling of sockets and errors as `startServer`. */
export function createMiddleware({
  mock,
  prefix,
  host,
  onFault,
  onNotice,
}: {
  readonly mock: Mock
  /** The path the mock is mounted at, such as `/api`. */
  readonly prefix: string
  /** Used if an HTTP/1.0 client sends no Host header. */
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
