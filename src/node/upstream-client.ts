import { once } from 'node:events'
import { Agent, request as requestPlainly } from 'node:http'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { Agent as SecureAgent, request as requestSecurely } from 'node:https'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import { toPairs } from '../http/raw-headers.ts'
import type { RawHeaders } from '../http/raw-headers.ts'
import { findErrorCode } from '../util/error-code.ts'
import type { UpstreamAnswer, UpstreamClient, UpstreamRequest } from '../proxy/upstream.ts'

/** Methods that a client may send again on its own (RFC 9110, section 9.2.1). */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Says how long a body is where the client's connection did so otherwise, in chunks. */
function frame({ headers, body, method }: UpstreamRequest): RawHeaders {
  if (toPairs(headers).some(([name]) => name.toLowerCase() === 'content-length')) return headers
  if (body instanceof ReadableStream) return [...headers, 'Transfer-Encoding', 'chunked']
  if (body !== undefined) return [...headers, 'Content-Length', String(body.byteLength)]
  return SAFE.has(method) || method === 'DELETE' ? headers : [...headers, 'Content-Length', '0']
}

async function sendBody(outgoing: ClientRequest, body: UpstreamRequest['body']): Promise<void> {
  if (!(body instanceof ReadableStream)) {
    outgoing.end(body)
    return
  }
  for await (const chunk of body) if (!outgoing.write(chunk)) await once(outgoing, 'drain')
  outgoing.end()
}

const toBody = (incoming: IncomingMessage): ReadableStream<Uint8Array<ArrayBuffer>> =>
  // What Node reads from a socket is bytes that nobody shares.
  Readable.toWeb(incoming) as ReadableStream<Uint8Array<ArrayBuffer>>

type Decode = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Uint8Array>

const inflate: Decode = (bytes, options) =>
  promisify(zlib.inflate)(bytes, options).catch(() => promisify(zlib.inflateRaw)(bytes, options))

/** Content codings (RFC 9110, section 8.4.1) by name. Node knows zstd from 22.15 on. */
const decoders: Readonly<Record<string, Decode>> = {
  gzip: promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.gunzip),
  'x-gzip': promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.gunzip),
  deflate: inflate,
  br: promisify<Uint8Array, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress),
  identity: async (bytes) => bytes,
}

/** Creates what sends requests over sockets, byte for byte. */
export function createUpstreamClient(): UpstreamClient {
  const agent = new Agent({ keepAlive: true })
  const secureAgent = new SecureAgent({ keepAlive: true })

  function open(sent: UpstreamRequest): ClientRequest {
    const { origin, target, method, signal } = sent
    const { protocol, hostname, port } = new URL(origin)
    const isSecure = protocol === 'https:'
    const options = {
      hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
      port,
      path: target,
      method,
      headers: [...frame(sent)],
      signal,
    }
    return isSecure ? requestSecurely({ ...options, agent: secureAgent }) : requestPlainly({ ...options, agent })
  }

  async function attempt(sent: UpstreamRequest): Promise<UpstreamAnswer> {
    const outgoing = open(sent)
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      // The body reports later failures.
      outgoing.on('error', reject)
      outgoing.on('response', resolve)
      outgoing.on('information', ({ statusCode, rawHeaders }) => sent.onInformation?.(statusCode, rawHeaders))
    })
    sendBody(outgoing, sent.body).catch((fault: unknown) => {
      outgoing.destroy(fault instanceof Error ? fault : new Error(String(fault)))
    })
    const incoming = await answered
    return {
      status: incoming.statusCode ?? 0,
      statusText: incoming.statusMessage ?? '',
      headers: incoming.rawHeaders,
      body: toBody(incoming),
      trailers: () => incoming.rawTrailers,
    }
  }

  return {
    async send(sent) {
      try {
        return await attempt(sent)
      } catch (fault) {
        // The service may end an idle connection in the moment that it is used again.
        const isReset = findErrorCode(fault) === 'ECONNRESET'
        if (!isReset || !SAFE.has(sent.method) || sent.body !== undefined || sent.signal.aborted) throw fault
        return attempt(sent)
      }
    },
    async decode(bytes, encoding, limit) {
      const names = encoding.split(',').map((name) => name.trim().toLowerCase())
      let decoded = bytes
      for (const name of names.toReversed()) {
        const decode = Object.hasOwn(decoders, name) ? decoders[name] : undefined
        if (decode === undefined) return undefined
        const next = await decode(decoded, { maxOutputLength: limit }).catch(() => undefined)
        if (next === undefined) return undefined
        decoded = new Uint8Array(next)
      }
      return decoded
    },
  }
}
