import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { getRequestListener, RequestError } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { toEnvelope } from '../envelope.ts'
import { after, onward } from '../after.ts'
import { toArrival } from '../http/arrival.ts'
import { Reply, toResponse } from '../walk/exchange.ts'
import type { Outcome } from '../walk/exchange.ts'
import { Relayed } from '../walk/relayed.ts'
import { problem } from '../errors.ts'
import type { Problem } from '../errors.ts'
import type { Mock } from '../mock.ts'
import { rememberLast } from '../remember.ts'
import type { Exchange, Exchanges } from './exchanges.ts'
import { refuse } from './refusals.ts'
import { relay } from './relay.ts'
import { isUnread, sendEarly } from './send-early.ts'

interface ListenerParts {
  readonly mock: Mock
  readonly exchanges: Exchanges
  /** Stands in for the Host header that HTTP/1.0 lets a client leave out. */
  readonly host: string
  readonly lightweightGlobals: boolean
  readonly onFault: (fault: unknown, correlationId: string) => void
}

function toProblemResponse(fault: Problem, correlationId: string): Response {
  return new Response(JSON.stringify(toEnvelope(fault)), {
    status: fault.status,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'X-Correlation-ID': correlationId,
      'X-Content-Type-Options': 'nosniff',
    },
  })
}

const unreadableTarget = () =>
  problem.invalidInput(
    'The request target and the Host header do not make a URL. Send a path such as /my-project/resource and a Host such as localhost.',
  )

/** Whether a Host makes an URL: `mock.1` and `localhost:99999` make none. */
const isHost = rememberLast((host: string) => URL.canParse(`http://${host}`))

/** Why the Host header is not the one that HTTP/1.1 wants (RFC 9112, section 3.2); undefined where it is. */
function findHostFault({ headers: { host }, rawHeaders, httpVersion }: IncomingMessage): Problem | undefined {
  // Node would refuse a request without one too, but without a body.
  if (host === undefined) return httpVersion === '1.1' ? unreadableTarget() : undefined
  if (!isHost(host)) return unreadableTarget()
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') hosts += 1
  return hosts > 1 ? problem.invalidInput(`The request has ${hosts} Host headers. Send one.`) : undefined
}

/**
 * Takes the body that has come whole with its head, as small ones do, so that nothing has to wait for it. `rawBody` is
 * where the adapter looks for a body that was read before.
 */
function takeBody(incoming: IncomingMessage): void {
  if (!incoming.complete || incoming.readableLength === 0) return
  const rawBody: unknown = incoming.read()
  if (rawBody instanceof Buffer) Object.assign(incoming, { rawBody })
}

/**
 * The outcome, unless there is nothing left to send: a body that turned out malformed was refused meanwhile, or a scenario
 * broke the connection.
 */
function unlessOver({ incoming, outgoing }: Exchange, outcome: Outcome): Outcome | undefined {
  // A socket that was reset is gone before its response knows.
  if (!outgoing.headersSent && !outgoing.closed && !incoming.socket.destroyed) return outcome
  if (outcome.body instanceof ReadableStream) outcome.body.cancel().catch(() => undefined)
  return undefined
}

/** An outcome that is all there. */
async function toReply(outcome: Exclude<Outcome, Relayed>): Promise<Reply> {
  if (outcome instanceof Reply) return outcome
  const { 'content-length': _own, ...headers } = Object.fromEntries(outcome.headers)
  return new Reply(outcome.status, headers, new Uint8Array(await outcome.arrayBuffer()))
}

/**
 * Hands the requests of a Node server to a mock, and its answers back. A plain request needs no adapter, which would cost
 * as much as the answer: it is handed over as it came, and a reply that is all there is written at once. Everything else,
 * bodies that take their time, streams, HTTP/2, is the adapter's.
 */
export function createListener({ mock, exchanges, host, lightweightGlobals, onFault }: ListenerParts): RequestListener {
  /** Responses that are made, and only to be sent by the adapter. */
  const ready = new WeakMap<ServerResponse, Response>()

  /** What is answered where the mock itself fails. */
  function toFailure(fault: unknown): Response {
    const correlationId = crypto.randomUUID()
    onFault(fault, correlationId)
    return toProblemResponse(problem.internal(), correlationId)
  }

  const adapter = getRequestListener(
    (request, env) => {
      // The adapter knows HTTP/2 too; the servers here speak HTTP/1.1 alone.
      const exchange = env as Exchange
      const prepared = ready.get(exchange.outgoing)
      if (prepared !== undefined) return prepared
      return after(mock.serve(toArrival(request, exchanges.toConnection(exchange))), (outcome) => {
        const open = unlessOver(exchange, outcome)
        if (open === undefined) return RESPONSE_ALREADY_SENT
        if (open instanceof Relayed) {
          void relay(exchange.outgoing, open)
          return RESPONSE_ALREADY_SENT
        }
        // A GET's body has no meaning (RFC 9110, section 9.3.1), and its answer may be a stream without an end.
        if (!isUnread(exchange) || request.method === 'GET') return toResponse(open)
        return after(toReply(open), (reply) => {
          if (unlessOver(exchange, reply) !== undefined) sendEarly(exchange, reply)
          return RESPONSE_ALREADY_SENT
        })
      })
    },
    {
      hostname: host,
      overrideGlobalObjects: lightweightGlobals,
      errorHandler: (error) => {
        if (error instanceof RequestError) return toProblemResponse(unreadableTarget(), crypto.randomUUID())
        return toFailure(error)
      },
    },
  )

  function send(outcome: Outcome, exchange: Exchange): void {
    const { incoming, outgoing } = exchange
    const open = unlessOver(exchange, outcome)
    if (open === undefined) return
    if (open instanceof Relayed) {
      void relay(outgoing, open)
      return
    }
    if (!(open instanceof Reply)) {
      ready.set(outgoing, open)
      void adapter(incoming, outgoing)
      return
    }
    const { status, headers, body } = open
    if (body === undefined) {
      outgoing.writeHead(status, headers).end()
      return
    }
    // Text of ASCII alone is the same in both, and quicker to write in the second.
    const isAscii = headers['Content-Length'] === String(body.length)
    outgoing.writeHead(status, headers).end(body, isAscii ? 'latin1' : 'utf8')
  }

  function fail(exchange: Exchange, fault: unknown): void {
    send(toFailure(fault), exchange)
  }

  function answer(exchange: Exchange): void {
    const { incoming, outgoing } = exchange
    takeBody(incoming)
    const arrival = exchanges.findArrival(exchange)
    if (arrival === undefined) {
      void adapter(incoming, outgoing)
      return
    }
    try {
      const answering = onward(mock.serve(arrival), exchange, send)
      if (answering instanceof Promise) answering.catch((fault: unknown) => fail(exchange, fault))
    } catch (fault) {
      fail(exchange, fault)
    }
  }

  /** What arrived in this turn of the event loop. */
  let arrived: Exchange[] = []

  function answerArrived(): void {
    const batch = arrived
    arrived = []
    for (const exchange of batch) answer(exchange)
  }

  return (incoming, outgoing) => {
    const exchange: Exchange = { incoming, outgoing }
    exchanges.begin(exchange)
    const fault = findHostFault(incoming)
    if (fault !== undefined) refuse(exchange, fault)
    else if (arrived.push(exchange) === 1) setImmediate(answerArrived)
  }
}
