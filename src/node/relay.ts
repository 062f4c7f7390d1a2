import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { RelayedResponse } from '../http/connection.ts'
import { toPairs } from '../http/raw-headers.ts'

/** Sends a response of another server as it came. Where that breaks off, or the client goes, both connections end. */
export async function relay(
  outgoing: ServerResponse,
  { status, statusText, headers, body, trailers }: RelayedResponse,
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
    // A stream that has ended ignores a cancel, and the failure of one that has failed was handled below.
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
