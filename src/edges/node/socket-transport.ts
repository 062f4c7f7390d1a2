import { validateHeaderValue } from 'node:http'
import { toHeaders } from '../../service/http/connection.ts'
import { toRawHeaders } from '../../tools/proxy/upstream.ts'
import type { ReceivedResponse, Transport, TransportRequest } from '../../tools/verify/transport.ts'
import { createHttpClient } from './http-client.ts'

const textDecoder = new TextDecoder()

/** Creates the transport of `verify` and `replay`. */
export function createSocketTransport(): Transport {
  const { send, decode } = createHttpClient()

  async function receive({ url, method, headers, body, timeout }: TransportRequest): Promise<ReceivedResponse> {
    const { origin } = new URL(url)
    const answer = await send({
      origin,
      path: new URL(url).href.slice(origin.length),
      method,
      headers: { 'Accept-Encoding': 'identity', ...headers },
      body: body ?? null,
      signal: AbortSignal.timeout(timeout),
      responseHeaders: 'raw',
    })
    const received = toHeaders(toRawHeaders(answer.headers))
    const bytes = await answer.body.bytes()
    // A service may encode the body even if `identity` was requested (RFC 9110, section 12.5.3).
    const decoded = bytes.length === 0 ? bytes : await decode(bytes, received.get('Content-Encoding') ?? 'identity')
    return { status: answer.statusCode, headers: received, text: textDecoder.decode(decoded ?? bytes) }
  }

  return function sendRequest(request) {
    for (const [name, value] of Object.entries(request.headers)) validateHeaderValue(name, value)
    return receive(request)
  }
}
