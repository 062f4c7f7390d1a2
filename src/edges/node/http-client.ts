import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import type { Dispatcher } from 'undici'
import { findErrorCode } from '../../errors.ts'
import type { HttpClient } from '../../tools/proxy/upstream.ts'

type Decode = (bytes: Uint8Array, options: zlib.ZlibOptions) => Promise<Uint8Array>

/** Node supports zstd from 22.15. */
const { zstdDecompress } = zlib as { readonly zstdDecompress?: typeof zlib.gunzip }

/** Decoders by content coding (RFC 9110, section 8.4.1). */
const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.gunzip)],
  ['x-gzip', promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.gunzip)],
  [
    'deflate',
    // Many servers send it without its zlib header.
    (bytes, options) => promisify(zlib.inflate)(bytes, options).catch(() => promisify(zlib.inflateRaw)(bytes, options)),
  ],
  ['br', promisify<Uint8Array, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress)],
  ['identity', async (bytes) => bytes],
  ...(zstdDecompress === undefined
    ? []
    : [['zstd', promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zstdDecompress)] as const]),
])

/** Errors of a connection that the other side closed. */
const CLOSED_CODES = new Set(['ECONNRESET', 'UND_ERR_SOCKET'])

/** Loads undici for the first request only: before `fetch` is used, it would also become the dispatcher of the process. */
async function openDispatcher(): Promise<Dispatcher> {
  const { default: undici } = await import('undici')
  // Callers have time limits of their own. A proxy gets requests to http: services without a tunnel, as most expect.
  return new undici.EnvHttpProxyAgent({ headersTimeout: 0, bodyTimeout: 0, proxyTunnel: false })
}

/** Creates the client of `proxy`, `--passthrough`, `verify` and `replay`. It follows HTTP_PROXY, HTTPS_PROXY and NO_PROXY. */
export function createHttpClient(): HttpClient {
  let opening: Promise<Dispatcher> | undefined
  return {
    async send(options) {
      const agent = await (opening ??= openDispatcher())
      try {
        return await agent.request(options)
      } catch (fault) {
        // The service may close an idle connection just as it is reused, and these requests may be repeated.
        const isRepeatable = (options.method === 'GET' || options.method === 'HEAD') && (options.body ?? null) === null
        if (!isRepeatable || !CLOSED_CODES.has(findErrorCode(fault) ?? '')) throw fault
        return agent.request(options)
      }
    },
    async decode(bytes, encoding, limit) {
      const decoders = encoding.split(',').map((name) => DECODERS.get(name.trim().toLowerCase()))
      let decoded: Uint8Array = bytes
      for (const decode of decoders.toReversed()) {
        if (decode === undefined) return undefined
        decoded = await decode(decoded, limit === undefined ? {} : { maxOutputLength: limit })
      }
      return new Uint8Array(decoded)
    },
  }
}
