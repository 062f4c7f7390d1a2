import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { RelayedResponse } from '../http/connection.ts'
import { toPairs } from '../http/raw-headers.ts'

async function send(
  outgoing: ServerResponse,
  { status, statusText, headers, body, trailers }: RelayedResponse,
): Promise<void> {
  if (!(body instanceof ReadableStream)) {
    outgoing.writeHead(status, statusText, [...headers])
    outgoing.addTrailers(toPairs(trailers()))
    outgoing.end(body)
    return
  }
  const reader = body.getReader()
  const gone = new AbortController()
  outgoing.once('close', () => {
    gone.abort()
    // A stream that has ended ignores a cancel, and the failure of one that has failed was handled below.
    reader.cancel().catch(() => undefined)
  })
  outgoing.writeHead(status, statusText, [...headers])
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    if (!outgoing.write(read.value)) await once(outgoing, 'drain', { signal: gone.signal })
  }
  outgoing.addTrailers(toPairs(trailers()))
  outgoing.end()
}

/**
 * Sends a response of another server as it came. Where that breaks off, or Node refuses to send such a one, or the client
 * goes, both connections end.
 */
export const relay = (outgoing: ServerResponse, response: RelayedResponse): Promise<void> =>
  send(outgoing, response).catch(() => void outgoing.destroy())
