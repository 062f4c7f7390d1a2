import { STATUS_CODES } from 'node:http'
import type { Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { toEnvelope } from '../http/envelope.ts'
import { problem } from '../errors.ts'
import type { Problem } from '../errors.ts'
import type { OpenRequest, OpenRequests } from './open-requests.ts'
import { sendEarly } from './send-early.ts'

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

/** Answers a problem over a response that has not begun, and then reads what is left of the request. */
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
    // Nothing more of it can be read.
    else endWith(current.outgoing, fault)
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
