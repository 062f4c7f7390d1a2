import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Arrival } from '../http/arrival.ts'
import type { Connection } from '../http/connection.ts'
import { toHeaderReader } from '../http/read-header.ts'
import type { ReadHeader } from '../http/read-header.ts'
import { createBreakOff } from './faults.ts'
import { toRelayParts } from './relay.ts'
import type { Exchange } from './exchanges.ts'
import type { Line } from './line.ts'

/** A target in origin form (RFC 9112, section 3.2.1) that an URL has as it is, but for dot segments. */
const PLAIN_TARGET = /^\/(?!\/)[\w\-.~!$&'()*+,;=:@%/?]*$/

/** A dot segment, or what begins like one, however it is written (RFC 3986, section 5.2.4). */
const DOT_SEGMENT = /\/(?:\.|%2e)/i

/** Those that a Request can have. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Whether a request of HTTP/1.1 came whole, and names its target so that nothing about it is left to find out. */
export const isPlain = ({ complete, httpVersionMajor, method = '', url = '' }: IncomingMessage): boolean =>
  complete && httpVersionMajor === 1 && METHODS.has(method) && PLAIN_TARGET.test(url) && !DOT_SEGMENT.test(url)

/** The Request of one that came whole; it is aborted when its client goes before the answer is out. */
function toRequest({ incoming, outgoing }: Exchange, url: string): Request {
  const { method = 'GET', rawHeaders, rawBody } = incoming
  const headers = new Headers()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  const aborter = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) aborter.abort()
  })
  // What a GET brings has no meaning (RFC 9110, section 9.3.1), and no Request of one holds it.
  const body = method === 'GET' || method === 'HEAD' ? null : (rawBody ?? null)
  return new Request(url, { method, headers, body, signal: aborter.signal })
}

/** What every request of a server has. */
interface Surroundings {
  readonly mountedAt: string | undefined
  /** Told of a socket that is to be held without an answer. */
  readonly stall: (socket: Socket) => void
}

/** A plain request, and what its connection knows. */
export class SocketArrival implements Arrival, Connection {
  readonly method: string
  readonly origin: string
  readonly target: string
  readonly header: ReadHeader
  readonly remoteAddress: string | undefined
  readonly mountedAt: string | undefined
  readonly body: Uint8Array<ArrayBuffer> | undefined
  readonly #exchange: Exchange
  readonly #line: Line
  readonly #stall: Surroundings['stall']
  #request: Request | undefined

  constructor(exchange: Exchange, origin: string, line: Line, { mountedAt, stall }: Surroundings) {
    const { method = 'GET', url = '/', headers, rawBody } = exchange.incoming
    this.method = method
    this.origin = origin
    this.target = url
    this.header = toHeaderReader(headers)
    this.remoteAddress = line.remoteAddress
    this.mountedAt = mountedAt
    this.body = rawBody
    this.#exchange = exchange
    this.#line = line
    this.#stall = stall
  }

  get connection(): Connection {
    return this
  }

  get request(): Request {
    return (this.#request ??= toRequest(this.#exchange, this.origin + this.target))
  }

  get measure(): NonNullable<Connection['measure']> {
    return Buffer.byteLength
  }

  get rawHeaders(): readonly string[] {
    return this.#line.share(this.#exchange.incoming.rawHeaders)
  }

  get openBody(): Connection['openBody'] {
    return toRelayParts(this.#exchange).openBody
  }

  get hint(): Connection['hint'] {
    return toRelayParts(this.#exchange).hint
  }

  get breakOff(): NonNullable<Connection['breakOff']> {
    return createBreakOff(this.#exchange, this.#stall)
  }
}
