import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Connection, Information, RelayedResponse } from '../http/connection.ts'
import type { FaultName, Unsent } from '../http/fault.ts'
import type { RawHeaders } from '../http/raw-headers.ts'
import { breakConnection } from './faults.ts'
import { hasBody } from './open-requests.ts'
import type { OpenRequest } from './open-requests.ts'
import { inform, relay } from './relay.ts'
import { breakStream, findStream } from './stream-faults.ts'
import type { UnreadResponses } from './unread-responses.ts'

interface ConnectionParts {
  /** The path that the mock is mounted under, such as `/api`. */
  readonly mountedAt: string | undefined
  /** Told of a socket that is kept waiting for ever. */
  readonly stall: (socket: Socket) => void
  readonly unread: UnreadResponses
}

/** The connection of a request that Node received. */
export class NodeConnection implements Connection {
  readonly mountedAt: string | undefined
  readonly #request: OpenRequest
  readonly #stall: ConnectionParts['stall']
  readonly #unread: UnreadResponses

  constructor(request: OpenRequest, { mountedAt, stall, unread }: ConnectionParts) {
    this.mountedAt = mountedAt
    this.#request = request
    this.#stall = stall
    this.#unread = unread
  }

  /** Whether it is a stream of HTTP/2, whose raw headers are not all headers of the request (RFC 9113, section 8.3.1). */
  get #isStream(): boolean {
    return this.#request.incoming.httpVersionMajor > 1
  }

  get remoteAddress(): string | undefined {
    return this.#request.incoming.socket.remoteAddress
  }

  get headers(): Connection['headers'] {
    return this.#isStream ? undefined : this.#request.incoming.headers
  }

  get rawHeaders(): RawHeaders | undefined {
    return this.#isStream ? undefined : this.#request.incoming.rawHeaders
  }

  get target(): string | undefined {
    return this.#isStream ? undefined : this.#request.incoming.url
  }

  get byteLength(): (body: string | Uint8Array) => number {
    return Buffer.byteLength
  }

  toPieces<Body extends string | Uint8Array<ArrayBuffer>>(body: Body): Body | ReadableStream<Uint8Array<ArrayBuffer>> {
    return this.#unread.toPieces(this.#request, body)
  }

  get openBody(): Connection['openBody'] {
    const { incoming } = this.#request
    if (!hasBody(incoming) || this.#isStream) return undefined
    // What Node reads from a socket is bytes that are not shared.
    return () => Readable.toWeb(incoming) as ReadableStream<Uint8Array<ArrayBuffer>>
  }

  get httpVersion(): string {
    return this.#request.incoming.httpVersion
  }

  get trailers(): RawHeaders {
    return this.#request.incoming.rawTrailers
  }

  inform(information: Information): void {
    if (!this.isOver) inform(this.#request, information)
  }

  relay(response: RelayedResponse): Response {
    if (this.isOver) {
      if (response.body instanceof ReadableStream) response.body.cancel().catch(() => undefined)
    } else void relay(this.#request.outgoing, { ...response, body: this.#toStream(response.body) })
    return RESPONSE_ALREADY_SENT
  }

  #toStream(body: RelayedResponse['body']): RelayedResponse['body'] {
    return body instanceof Uint8Array ? this.toPieces(body) : body
  }

  async breakOff(fault: FaultName, unsent: Unsent): Promise<Response> {
    const stream = findStream(this.#request.outgoing)
    await (stream === undefined
      ? breakConnection(this.#request, fault, unsent, this.#stall)
      : breakStream(stream, fault, unsent))
    return RESPONSE_ALREADY_SENT
  }

  /** Whether nothing can be sent any more: the response has begun, or the client has gone. */
  get isOver(): boolean {
    const { incoming, outgoing } = this.#request
    // A socket that was reset is gone before its response knows.
    return outgoing.headersSent || outgoing.closed || incoming.socket.destroyed
  }
}
