import { once } from 'node:events'
import { Agent, ClientRequest } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import { toPairs, withoutHeaders } from '../../service/http/connection.ts'
import type { RawHeaders } from '../../service/http/connection.ts'
import { findErrorCode } from '../../errors.ts'
import type { UpstreamAnswer, UpstreamClient, UpstreamRequest } from '../../tools/proxy/upstream.ts'

/** Methods that a client may retry automatically (RFC 9110, section 9.2.1). */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

const withoutHeader = (raw: RawHeaders, dropped: string): RawHeaders => withoutHeaders(raw, (name) => name === dropped)

/** A request without the default framing that Node adds for methods with a body, such as POST. */
class UnframedRequest extends ClientRequest {}

// Node sets this property from the method and writes the request head in the constructor.
Object.defineProperty(UnframedRequest.prototype, 'useChunkedEncodingByDefault', { get: () => false, set() {} })

/** Sets Content-Length or chunked encoding; only chunked bodies can have trailers (RFC 9112, section 7.1.2). */
function frame({ headers, body, trailers }: UpstreamRequest): RawHeaders {
  const chunked = ['Transfer-Encoding', 'chunked']
  if (ArrayBuffer.isView(body) && (trailers?.().length ?? 0) > 0)
    return [...withoutHeader(headers, 'content-length'), ...chunked]
  const isSized = toPairs(headers).some(([name]) => name.toLowerCase() === 'content-length')
  const isStream = body instanceof ReadableStream || typeof body === 'function'
  if (isStream && !isSized) return [...headers, ...chunked]
  // There are no trailers, or they cannot be sent.
  const untrailed = withoutHeader(headers, 'trailer')
  if (isSized || !ArrayBuffer.isView(body) || body.byteLength === 0) return untrailed
  return [...untrailed, 'Content-Length', String(body.byteLength)]
}

async function sendBody(outgoing: ClientRequest, sent: UpstreamRequest): Promise<void> {
  const isLater = typeof sent.body === 'function'
  if (isLater) outgoing.flushHeaders()
  const body = isLater ? await sent.body() : sent.body
  if (body instanceof ReadableStream) {
    for await (const chunk of body) if (!outgoing.write(chunk)) await once(outgoing, 'drain')
  } else if (body !== undefined) outgoing.write(body)
  // Node drops trailers unless the body is chunked.
  outgoing.addTrailers(toPairs(sent.trailers?.() ?? []))
  outgoing.end()
}

/** Whether a response has no body, whatever its headers say (RFC 9112, section 6.3), or an empty one. */
const isBodiless = ({ statusCode, headers }: IncomingMessage, method: string): boolean =>
  method === 'HEAD' || statusCode === 204 || statusCode === 304 || headers['content-length'] === '0'

function toAnswerBody(incoming: IncomingMessage, method: string): UpstreamAnswer['body'] {
  if (isBodiless(incoming, method)) {
    incoming.resume()
    return undefined
  }
  // Node does not share the bytes it reads from a socket.
  return Readable.toWeb(incoming) as ReadableStream<Uint8Array<ArrayBuffer>>
}

type Decode = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Uint8Array>

const inflate: Decode = (bytes, options) =>
  promisify(zlib.inflate)(bytes, options).catch(() => promisify(zlib.inflateRaw)(bytes, options))

/** Node supports zstd from 22.15. */
const { zstdDecompress } = zlib as { readonly zstdDecompress?: typeof zlib.gunzip }

/** Decoders by content coding (RFC 9110, section 8.4.1). */
const STREAM_DECODERS: Readonly<Record<string, Decode>> = {
  gzip: promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.gunzip),
  'x-gzip': promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.gunzip),
  deflate: inflate,
  br: promisify<Uint8Array, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress),
  identity: async (bytes) => bytes,
  ...(zstdDecompress === undefined ? {} : { zstd: promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zstdDecompress) }),
}

/** Creates a client that sends requests over sockets, byte for byte. */
export function createUpstreamClient(): UpstreamClient {
  const agent = new Agent({ keepAlive: true })
  const secureAgent = new SecureAgent({ keepAlive: true })

  function open(sent: UpstreamRequest): ClientRequest {
    const { origin, target, method, signal } = sent
    const { protocol, hostname, port } = new URL(origin)
    return new UnframedRequest({
      protocol,
      hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
      port,
      path: target,
      method,
      headers: [...frame(sent)],
      signal,
      agent: protocol === 'https:' ? secureAgent : agent,
    })
  }

  async function attempt(sent: UpstreamRequest): Promise<UpstreamAnswer> {
    const outgoing = open(sent)
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      // Later errors are reported by the body.
      outgoing.on('error', reject)
      outgoing.on('response', resolve)
      outgoing.on('information', ({ statusCode, statusMessage, rawHeaders }) =>
        sent.onInformation?.({ status: statusCode, statusText: statusMessage, headers: rawHeaders }),
      )
      // Without a listener, Node never finishes the request.
      outgoing.on('upgrade', (_incoming, socket) => {
        socket.destroy()
        reject(new Error('it switched protocols without a request to upgrade'))
      })
    })
    sendBody(outgoing, sent).catch((fault: unknown) => {
      outgoing.destroy(fault instanceof Error ? fault : new Error(String(fault)))
    })
    const incoming = await answered
    const { statusCode: status = 0 } = incoming
    if (status < 200) {
      outgoing.destroy()
      throw new Error(`its status is ${status}`)
    }
    return {
      status,
      statusText: incoming.statusMessage ?? '',
      headers: incoming.rawHeaders,
      body: toAnswerBody(incoming, sent.method),
      trailers: () => incoming.rawTrailers,
    }
  }

  return {
    async send(sent) {
      try {
        return await attempt(sent)
      } catch (fault) {
        // The service may close an idle connection just as it is reused.
        const isReset = findErrorCode(fault) === 'ECONNRESET'
        if (!isReset || !SAFE.has(sent.method) || sent.body !== undefined || sent.signal.aborted) throw fault
        return attempt(sent)
      }
    },
    async decode(bytes, encoding, limit) {
      const names = encoding.split(',').map((name) => name.trim().toLowerCase())
      let decoded = bytes
      for (const name of names.toReversed()) {
        const decode = Object.hasOwn(STREAM_DECODERS, name) ? STREAM_DECODERS[name] : undefined
        if (decode === undefined) return undefined
        const next = await decode(decoded, { maxOutputLength: limit }).catch(() => undefined)
        if (next === undefined) return undefined
        decoded = new Uint8Array(next)
      }
      return decoded
    },
  }
}
