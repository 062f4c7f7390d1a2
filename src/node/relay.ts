import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { Connection } from '../http/connection.ts'
import type { Exchange } from './exchanges.ts'
import type { Relayed } from '../walk/relayed.ts'
import { toPairs } from '../http/raw-headers.ts'

/** Whether a request says that a body follows its head (RFC 9112, section 6). */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** What a connection offers to whoever relays its request. */
export function toRelayParts({ incoming, outgoing }: Exchange): Pick<Connection, 'openBody' | 'hint'> {
  return {
    // What Node reads from a socket is bytes that nobody shares.
    ...(hasBody(incoming)
      ? { openBody: () => Readable.toWeb(incoming) as ReadableStream<Uint8Array<ArrayBuffer>> }
      : {}),
    hint(rawHeaders) {
      const link = toPairs(rawHeaders).flatMap(([name, value]) => (name.toLowerCase() === 'link' ? [value] : []))
      if (link.length > 0 && !outgoing.headersSent) outgoing.writeEarlyHints({ link })
    },
  }
}

/** Sends an answer of another server as it came. Where that breaks off, or the client goes, both connections end. */
export async function relay(
  outgoing: ServerResponse,
  { status, statusText, headers, body, trailers }: Relayed,
): Promise<void> {
  outgoing.writeHead(status, statusText, [...headers])
  if (!(body instanceof ReadableStream)) {
    outgoing.addTrailers(toPairs(trailers()))
    outgoing.end(body)
    return
  }
  const reader = body.getReader()
  const gone = new AbortController()
  outgoing.once('close', () => {
    gone.abort()
    // A stream that has ended minds no cancel, and one that has failed was told of below.
    reader.cancel().catch(() => undefined)
  })
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      if (!outgoing.write(read.value)) await once(outgoing, 'drain', { signal: gone.signal })
    }
    outgoing.addTrailers(toPairs(trailers()))
    outgoing.end()
  } catch {
    outgoing.destroy()
  }
}
