import { STATUS_CODES } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import type { Dispatcher } from 'undici'
import { fromPairs, toHeaders, withoutHeaders } from '../../service/http/connection.ts'
import type { RawHeaders } from '../../service/http/connection.ts'
import { findErrorCode } from '../../errors.ts'
import type { UpstreamClient, UpstreamRequest } from '../../tools/proxy/upstream.ts'

type Decode = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Uint8Array>

const inflate: Decode = (bytes, options) =>
  promisify(zlib.inflate)(bytes, options).catch(() => promisify(zlib.inflateRaw)(bytes, options))

/** Node supports zstd from 22.15. */
const { zstdDecompress } = zlib as { readonly zstdDecompress?: typeof zlib.gunzip }

/** Decoders by content coding (RFC 9110, section 8.4.1). */
const DECODERS: Readonly<Record<string, Decode>> = {
  gzip: promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.gunzip),
  'x-gzip': promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.gunzip),
  deflate: inflate,
  br: promisify<Uint8Array, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress),
  identity: async (bytes) => bytes,
  ...(zstdDecompress === undefined ? {} : { zstd: promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zstdDecompress) }),
}

/** Sends a request with undici, over the proxy that HTTP_PROXY, HTTPS_PROXY and NO_PROXY name. */
type Send = (options: Dispatcher.RequestOptions) => Promise<Dispatcher.ResponseData>

/** Errors of a connection that the other side closed. */
const CLOSED = new Set(['ECONNRESET', 'UND_ERR_SOCKET'])

/** Loads undici for the first request only. */
async function openDispatcher(): Promise<Dispatcher> {
  const { default: undici } = await import('undici')
  // The caller has a time limit of its own. A proxy gets requests to http: services without a tunnel, as most expect.
  return new undici.EnvHttpProxyAgent({ headersTimeout: 0, bodyTimeout: 0, proxyTunnel: false })
}

/** Creates the function that sends requests. */
export function createSend(): Send {
  let opening: Promise<Dispatcher> | undefined

  return async function send(options) {
    const agent = await (opening ??= openDispatcher())
    try {
      return await agent.request(options)
    } catch (fault) {
      // The service may close an idle connection just as it is reused, and these requests may be repeated.
      const isRepeatable = (options.method === 'GET' || options.method === 'HEAD') && (options.body ?? null) === null
      if (!isRepeatable || !CLOSED.has(findErrorCode(fault) ?? '')) throw fault
      return agent.request(options)
    }
  }
}

/** undici decodes headers as UTF-8, Node's server encodes them as Latin-1. */
const toLatin1 = (text: string): string => (/^[ -~]*$/.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1'))

/** The headers of `responseHeaders: 'raw'`, which undici's types do not know. */
export const toRaw = (headers: unknown): RawHeaders => (Array.isArray(headers) ? headers.map(String).map(toLatin1) : [])

const toTrailers = (trailers: Readonly<Record<string, string | readonly string[]>>): RawHeaders =>
  fromPairs(Object.entries(trailers).flatMap(([name, value]) => [value].flat().map((one) => [name, one] as const)))

/** Whether a response has no body, whatever its headers say (RFC 9112, section 6.3), or an empty one. */
const isBodiless = (status: number, method: string, headers: Headers): boolean =>
  method === 'HEAD' || status === 204 || status === 304 || headers.get('Content-Length') === '0'

function toSentBody(body: UpstreamRequest['body']): Buffer | Readable | null {
  if (body === undefined) return null
  return body instanceof ReadableStream ? Readable.fromWeb(body as NodeStream) : Buffer.from(body)
}

/** Creates the client that `proxy` and `--passthrough` forward with: headers keep their order and case, bodies their bytes. */
export function createUpstreamClient(): UpstreamClient {
  const send = createSend()
  return {
    async send({ origin, target, method, headers, body, signal, onInformation }) {
      const answer = await send({
        origin,
        path: target,
        method,
        // undici sends no trailers with a request, so none are announced.
        headers: [...withoutHeaders(headers, (name) => name === 'trailer')],
        body: toSentBody(body),
        signal,
        responseHeaders: 'raw',
        onInfo: (information) =>
          onInformation?.({
            status: information.statusCode,
            statusText: STATUS_CODES[information.statusCode] ?? '',
            headers: toRaw(information.headers),
          }),
      })
      const raw = toRaw(answer.headers)
      const { statusCode: status, body: received } = answer
      const isEmpty = isBodiless(status, method, toHeaders(raw))
      if (isEmpty) received.resume()
      return {
        status,
        statusText: answer.statusText,
        headers: raw,
        body: isEmpty ? undefined : (Readable.toWeb(received) as ReadableStream<Uint8Array<ArrayBuffer>>),
        trailers: () => toTrailers(answer.trailers),
      }
    },
    async decode(bytes, encoding, limit) {
      const names = encoding.split(',').map((name) => name.trim().toLowerCase())
      let decoded = bytes
      for (const name of names.toReversed()) {
        const decode = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined
        if (decode === undefined) return undefined
        const next = await decode(decoded, { maxOutputLength: limit }).catch(() => undefined)
        if (next === undefined) return undefined
        decoded = new Uint8Array(next)
      }
      return decoded
    },
  }
}
