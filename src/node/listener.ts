import type { IncomingMessage, RequestListener } from 'node:http'
import { getRequestListener, RequestError } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { toEnvelope } from '../http/envelope.ts'
import { problem } from '../errors.ts'
import type { Problem } from '../errors.ts'
import { JSON_TYPE } from '../http/json-response.ts'
import type { Mock } from '../mock.ts'
import { memoizeLast } from '../util/memoize.ts'
import { NodeConnection } from './connection.ts'
import type { OpenRequest, OpenRequests } from './open-requests.ts'
import { refuse } from './refusals.ts'
import { isUnread, sendEarly } from './send-early.ts'
import type { UnreadResponses } from './unread-responses.ts'

interface ListenerParts {
  readonly mock: Mock
  readonly openRequests: OpenRequests
  readonly unread: UnreadResponses
  /** The path that the mock is mounted under in another server. */
  readonly mountedAt?: string
  /** Replaces the Host header, which an HTTP/1.0 client may leave out. */
  readonly host: string
  readonly lightweightGlobals: boolean
  readonly onFault: (fault: unknown, correlationId: string) => void
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
}: ListenerParts): RequestListener {
  const connectionParts = { mountedAt: parts.mountedAt, stall: openRequests.stall, unread }

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
    // The adapter rejects only if `onFault` itself throws: then nobody is left to tell.
    if (fault === undefined) listen(incoming, outgoing).catch(() => outgoing.destroy())
    else refuse(request, fault)
  }
}
