import { problem } from '../../errors.ts'
import { createHeaderReader } from './request-head.ts'
import type { ReadHeader } from './request-head.ts'
import { parseJson } from './json.ts'

/** Maximum number of bytes passed as arguments of a single call. */
const BASE64_CHUNK = 8192

/** Encodes bytes as Base64 (RFC 4648, section 4). For a view, only the viewed bytes are encoded, not its whole buffer. */
export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.byteLength; at += BASE64_CHUNK) {
    binary += String(Reflect.apply(String.fromCharCode, undefined, bytes.subarray(at, at + BASE64_CHUNK)))
  }
  return btoa(binary)
}

/** Encodes texts as UTF-8. */
export const encoder = new TextEncoder()

type Bytes = Uint8Array<ArrayBuffer>

/** The result of reading a stream up to a limit. */
export type StreamRead =
  | { readonly kind: 'whole'; readonly bytes: Bytes }
  /** Exceeds the limit: `begun` has the chunks read so far, and `reader` provides the rest. */
  | { readonly kind: 'longer'; readonly begun: readonly Bytes[]; readonly reader: ReadableStreamDefaultReader<Bytes> }

function joinChunks(chunks: readonly Bytes[], size: number): Bytes {
  const [only] = chunks
  if (chunks.length === 1 && only !== undefined) return only
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
  }
  return whole
}

/** Reads a whole stream, but stops as soon as it exceeds a limit in bytes. */
export async function readStream(stream: ReadableStream<Bytes>, limit: number): Promise<StreamRead> {
  const reader = stream.getReader()
  const chunks: Bytes[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return { kind: 'whole', bytes: joinChunks(chunks, size) }
    chunks.push(value)
    size += value.byteLength
    if (size > limit) return { kind: 'longer', begun: chunks, reader }
  }
}

const ENCODINGS = { gzip: 'gzip', 'x-gzip': 'gzip', deflate: 'deflate' } as const

type Encoding = 'gzip' | 'deflate'

const NOT_UTF8 = 'the body is not valid UTF-8. Encode it as UTF-8.'

/** Decodes UTF-8; throws a `TypeError` for anything else. */
export const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads a stream; returns undefined if it exceeds the limit in bytes. */
async function readWithin(stream: ReadableStream<Bytes>, limit: number): Promise<Bytes | undefined> {
  const read = await readStream(stream, limit)
  if (read.kind === 'whole') return read.bytes
  read.reader.cancel().catch(() => undefined)
  return undefined
}

function findEncoding(header: ReadHeader): Encoding | undefined {
  const named = header('content-encoding')?.trim().toLowerCase()
  if (named === undefined || named === '' || named === 'identity') return undefined
  if (Object.hasOwn(ENCODINGS, named)) return ENCODINGS[named as keyof typeof ENCODINGS]
  throw problem.unsupportedContentEncoding(named, ['gzip', 'deflate', 'identity'])
}

/** Reads a body as it was sent; returns undefined if its declared or actual size exceeds the limit in bytes. */
async function receive(request: Request, limit: number, declared: string | undefined): Promise<Bytes | undefined> {
  if (declared !== undefined && Number(declared) > limit) return undefined
  try {
    // The HTTP parser enforces a declared length, so the platform may read the body in one go. Streaming is also not
    // available in every browser: Firefox has no `Request.body`.
    if (declared !== undefined || request.body === undefined) {
      const bytes = new Uint8Array(await request.arrayBuffer())
      return bytes.byteLength > limit ? undefined : bytes
    }
    return request.body === null ? new Uint8Array() : await readWithin(request.body, limit)
  } catch {
    throw problem.invalidInput(
      'The request body ended before it was complete. Send the request again with the whole body.',
    )
  }
}

/** Decompresses a body; returns undefined if the result exceeds the limit in bytes. */
async function decompress(bytes: Bytes, encoding: Encoding, limit: number): Promise<Bytes | undefined> {
  const { body } = new Response(bytes)
  try {
    return body === null ? bytes : await readWithin(body.pipeThrough(new DecompressionStream(encoding)), limit)
  } catch {
    throw problem.invalidInput(
      `The request body is not valid ${encoding} data, but Content-Encoding is ${encoding}. Send valid data, or an uncompressed body.`,
    )
  }
}

/**
 * Reads a request's body once and decompresses it (D9).
 *
 * @param limit maximum size in bytes, of both the sent and the decompressed body: a row of `MAX_BYTES`, or `--max-body`
 * @throws {Problem} 413 if the declared or actual size exceeds the limit; 415 for an unknown Content-Encoding; 400 if the
 * body is incomplete or cannot be decompressed.
 */
export async function readBytes(
  request: Request,
  limit: number,
  header: ReadHeader = createHeaderReader(request),
): Promise<Bytes> {
  const encoding = findEncoding(header)
  const sent = await receive(request, limit, header('content-length'))
  const bytes = sent === undefined || encoding === undefined ? sent : await decompress(sent, encoding, limit)
  if (bytes === undefined) throw problem.contentTooLarge(limit)
  return bytes
}

/**
 * Decodes UTF-8 text (RFC 8259, section 8.1), without a byte order mark.
 *
 * @throws {Problem} 400 InvalidJsonInput for bytes that are not valid UTF-8.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw problem.invalidJson(NOT_UTF8)
  }
}

/** A parsed JSON body, its text, and its size in bytes. */
export interface JsonText {
  readonly value: unknown
  readonly text: string
  readonly size: number
}

/**
 * Reads and parses a request's JSON body.
 *
 * @param limit as in {@link readBytes}
 * @throws {Problem} 400 if the body is not JSON, 413 if it has too many bytes, 415 for an unknown Content-Encoding.
 */
export async function readJsonBody(request: Request, limit: number): Promise<JsonText> {
  const bytes = await readBytes(request, limit)
  const text = decodeUtf8(bytes)
  return { text, value: parseJson(text), size: bytes.byteLength }
}
