import type { IncomingMessage, RequestListener } from 'node:http'
import { getRequestListener, RequestError } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { toEnvelope } from '../envelope.ts'
import { after } from '../after.ts'
import { problem } from '../errors.ts'
import type { Problem } from '../errors.ts'
import type { Mock } from '../mock.ts'
import type { Exchange, Exchanges } from './exchanges.ts'
import { refuse } from './refusals.ts'

interface ListenerParts {
  readonly mock: Mock
  readonly exchanges: Exchanges
  /** Stands in for the Host header that HTTP/1.0 lets a client leave out. */
  readonly host: string
  readonly lightweightGlobals: boolean
  readonly onFault: (fault: unknown, correlationId: string) => void
}

function toResponse(fault: Problem, correlationId: string): Response {
  return new Response(JSON.stringify(toEnvelope(fault)), {
    status: fault.status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'X-Correlation-ID': correlationId },
  })
}

const unreadableTarget = () =>
  problem.invalidInput(
    'The request target and the Host header do not make a URL. Send a path such as /my-project/resource and a Host such as localhost.',
  )

/**
 * Takes the body that has come whole with its head, as small ones do, so that nothing has to wait for it. `rawBody` is
 * where the adapter looks for a body that was read before.
 */
function takeBody(incoming: IncomingMessage): void {
  if (!incoming.complete || incoming.readableLength === 0) return
  const rawBody: unknown = incoming.read()
  if (rawBody instanceof Buffer) Object.assign(incoming, { rawBody })
}

/** Hands the requests of a Node server to a mock, and its answers back. */
export function createListener({ mock, exchanges, host, lightweightGlobals, onFault }: ListenerParts): RequestListener {
  const listener = getRequestListener(
    (request, env) => {
      // The adapter knows HTTP/2 too; the servers here speak HTTP/1.1 alone.
      const exchange = env as Exchange
      return after(mock.serve(request, exchanges.toConnection(exchange)), (response) => {
        if (!exchange.outgoing.headersSent && !exchange.outgoing.closed) return response
        // A body that turned out malformed was refused meanwhile, or a scenario broke the connection.
        return after(response.body?.cancel(), () => RESPONSE_ALREADY_SENT)
      })
    },
    {
      hostname: host,
      overrideGlobalObjects: lightweightGlobals,
      errorHandler: (error) => {
        const correlationId = crypto.randomUUID()
        if (error instanceof RequestError) return toResponse(unreadableTarget(), correlationId)
        onFault(error, correlationId)
        return toResponse(problem.internal(), correlationId)
      },
    },
  )

  /** What arrived in this turn of the event loop. */
  let arrived: Exchange[] = []

  function answerArrived(): void {
    const batch = arrived
    arrived = []
    for (const { incoming, outgoing } of batch) {
      takeBody(incoming)
      void listener(incoming, outgoing)
    }
  }

  return (incoming, outgoing) => {
    exchanges.begin({ incoming, outgoing })
    // RFC 9112, section 3.2: HTTP/1.1 without Host is 400. Node would refuse it too, but without a body.
    if (incoming.headers.host === undefined && incoming.httpVersion === '1.1') refuse(outgoing, unreadableTarget())
    else if (arrived.push({ incoming, outgoing }) === 1) setImmediate(answerArrived)
  }
}
