import { validateHeaderValue } from 'node:http'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { toHeaders } from '../../service/http/connection.ts'
import type { ReceivedResponse, Transport, TransportRequest } from '../../tools/verify/transport.ts'
import { createSend, toRaw } from './upstream-client.ts'

/** Content codings that a service may use even if `identity` was requested (RFC 9110, section 12.5.3). */
const BODY_DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}

function decodeBody(bytes: Buffer, encoding: string | null): Buffer {
  const decoder = BODY_DECODERS[encoding?.trim().toLowerCase() ?? '']
  return decoder === undefined || bytes.length === 0 ? bytes : decoder(bytes)
}

const textDecoder = new TextDecoder()

/** Creates the transport of `verify` and `replay`. */
export function createSocketTransport(): Transport {
  const send = createSend()

  async function receive({ url, method, headers, body, timeout }: TransportRequest): Promise<ReceivedResponse> {
    const { origin } = new URL(url)
    const answer = await send({
      origin,
      path: new URL(url).href.slice(origin.length),
      method,
      headers: { 'Accept-Encoding': 'identity', ...headers },
      body: body === undefined ? null : Buffer.from(body),
      signal: AbortSignal.timeout(timeout),
      responseHeaders: 'raw',
    })
    const received = toHeaders(toRaw(answer.headers))
    const bytes = Buffer.from(await answer.body.arrayBuffer())
    const text = textDecoder.decode(decodeBody(bytes, received.get('Content-Encoding')))
    return { status: answer.statusCode, headers: received, text }
  }

  return function sendRequest(request) {
    for (const [name, value] of Object.entries(request.headers)) validateHeaderValue(name, value)
    return receive(request)
  }
}
