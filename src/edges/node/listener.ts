import { createOpenRequests, hasBody } from './open-requests.ts'
import type { OpenRequest, OpenRequests } from './open-requests.ts'
import type { IncomingMessage, ServerResponse, RequestListener } from 'node:http'
import { problem } from '../../errors.ts'
import { getRequestListener, RequestError } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { NodeConnection } from './node-connection.ts'
import { createRefuse, readWhole, refuseParsed, sendEarly, toWhole } from './early-response.ts'
import { withoutUser } from '../../sessions/journal/redact.ts'
import { findLengthProblem, HEADER_EXTRA } from '../../service/http/request-head.ts'
import { memoizeLast } from '../../util/collections.ts'
import type { Problem } from '../../errors.ts'
import type { Mock } from '../../mock.ts'

/** For what only the adapter refuses, such as an absolute URL in HTTP/2. */
const UNREADABLE = problem.invalidInput(
  'The request target and the Host header do not form a valid URL. Use a path such as /my-project/resource and a Host such as localhost.',
)

/** Whether a Host header forms a valid URL; `mock.1` and `localhost:99999` do not. */
const isHostHeader = memoizeLast((host: string): boolean => {
  try {
    return new URL(`http://${host}`).hostname === host.replace(/:\d*$/, '').toLowerCase()
  } catch {
    return false
  }
})

/** Converts a target in absolute form to a path; its authority replaces the Host header (RFC 9112, section 3.2.2). */
function toOriginForm(incoming: IncomingMessage): void {
  const { url = '' } = incoming
  const [origin] = /^https?:\/\/[^/?#]*/i.exec(url) ?? []
  if (origin === undefined || !URL.canParse(url)) return
  const rest = url.slice(origin.length)
  incoming.headers.host = new URL(url).host
  incoming.url = rest.startsWith('/') ? rest : `/${rest}`
}

/** Finds what is wrong with the head of a request that Node has parsed; undefined if it is valid. */
function findHeadProblem(incoming: IncomingMessage): Problem | undefined {
  const { method = '', url = '', headers, rawHeaders } = incoming
  const { host } = headers
  let length = 0
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    length += name.length + (rawHeaders[at + 1]?.length ?? 0) + HEADER_EXTRA
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  const tooLong = findLengthProblem(`${method} ${url} HTTP/1.1`, length)
  if (tooLong !== undefined) return tooLong
  // Node would reject a request without a Host header too, but with an empty body (RFC 9112, section 3.2).
  if (host === undefined && incoming.httpVersion === '1.1')
    return problem.requiredField('Host', 'The header Host is required. Send one such as Host: localhost.')
  if (host !== undefined && !isHostHeader(host)) {
    const shown = withoutUser(`//${host.slice(0, 200)}`).slice(2)
    return problem.invalidInput(
      `The header Host: ${shown} is not valid. Send a host name and an optional port, such as localhost:4010.`,
      { field: 'Host', invalidValue: shown },
    )
  }
  if (hosts > 1) return problem.invalidInput(`The request has ${hosts} Host headers. Send only one.`)
  if (url.startsWith('/') && !url.replace(/\?.*$/, '').includes('\\')) return undefined
  const shown = withoutUser(url.split(/[?#]/, 1)[0] ?? '').slice(0, 200)
  return problem.invalidInput(
    `The request target ${JSON.stringify(shown)} is not a path. Use one such as /my-project/resource.`,
    { invalidValue: shown },
  )
}

/** Waits for a response, and returns what the adapter has to send of it. */
async function awaitResponse(
  open: OpenRequest,
  connection: NodeConnection,
  answering: Promise<Response>,
): Promise<Response> {
  const response = await answering
  // A scenario broke the connection, a malformed body was rejected, or the client has disconnected.
  if (connection.isOver) {
    response.body?.cancel().catch(() => undefined)
    return RESPONSE_ALREADY_SENT
  }
  // The body of a GET has no meaning (RFC 9110, section 9.3.1), and the response may be an endless stream.
  const { incoming } = open
  const isUnread = incoming.httpVersionMajor === 1 && !incoming.complete && hasBody(incoming)
  if (incoming.method === 'GET' || !isUnread) return response
  sendEarly(open, await readWhole(response))
  return RESPONSE_ALREADY_SENT
}

/** Creates the request listener of a Node server for a mock, using Hono's adapter. */
export function createListener(options: {
  readonly mock: Mock
  readonly openRequests: OpenRequests
  /** The path the mock is mounted at in another server. */
  readonly mountedAt?: string
  /** Used if an HTTP/1.0 client sends no Host header. */
  readonly host: string
  readonly lightweightGlobals: boolean
  readonly onFault: (fault: unknown, correlationId: string) => void
}): RequestListener {
  const { mock, openRequests, host, onFault, ...parts } = options
  const connectionParts = { mountedAt: parts.mountedAt, openRequests }

  function serve(request: Request, open: OpenRequest): Response | Promise<Response> {
    const connection = new NodeConnection(open, connectionParts)
    const answering = mock.serve(request, connection)
    // The adapter sends the response to a GET fastest if it has it at once.
    return answering instanceof Promise ? awaitResponse(open, connection, answering) : answering
  }

  const refuse = createRefuse(mock, onFault)
  const listen = getRequestListener(
    // The servers here support HTTP/1.1, and HTTP/2 through Node's compatibility API.
    (request, bindings) => serve(request, bindings as OpenRequest),
    {
      hostname: host,
      overrideGlobalObjects: parts.lightweightGlobals,
      errorHandler(fault) {
        const correlationId = crypto.randomUUID()
        const isRefused = fault instanceof RequestError
        if (!isRefused) onFault(fault, correlationId)
        const { status, headers, body } = toWhole(isRefused ? UNREADABLE : problem.internal(), correlationId)
        return new Response(body, { status, headers })
      },
    },
  )

  return (incoming, outgoing) => {
    const request: OpenRequest = { incoming, outgoing }
    openRequests.add(request)
    toOriginForm(incoming)
    const refusal = findHeadProblem(incoming)
    // The adapter rejects only if `onFault` itself throws, so the error cannot be reported.
    if (refusal === undefined) listen(incoming, outgoing).catch(() => outgoing.destroy())
    else void refuseParsed(request, refusal, refuse, parts.mountedAt)
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
export function createMiddleware(parts: {
  readonly mock: Mock
  /** The path the mock is mounted at, such as `/api`. */
  readonly prefix: string
  /** Used if an HTTP/1.0 client sends no Host header. */
  readonly host: string
  readonly onFault: (fault: unknown, correlationId: string) => void
  readonly onNotice: (sentence: string) => void
}): Middleware {
  const { mock, prefix, host, onFault, onNotice } = parts
  const openRequests = createOpenRequests({ onNotice })
  const listener = createListener({
    mock,
    openRequests,
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
