import type { IncomingMessage } from 'node:http'
import { hasBody } from './open-requests.ts'
import type { OpenRequest } from './open-requests.ts'

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
