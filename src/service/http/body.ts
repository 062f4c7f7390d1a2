import { createPace, pause, createQueues } from '../../util/turns.ts'
import { Problem, problem } from '../../errors.ts'
import { createHeaderReader } from './request-head.ts'
import type { ReadHeader } from './request-head.ts'
import { parseJsonBody } from './json.ts'
import type { JsonLimits } from './json-problems.ts'

/** Maximum number of bytes passed as arguments of a single call. */
const CHUNK = 8192

/** Encodes bytes as Base64 (RFC 4648, section 4). For a view, only the viewed bytes are encoded, not its whole buffer. */
export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.byteLength; at += CHUNK) {
    binary += String(Reflect.apply(String.fromCharCode, undefined, bytes.subarray(at, at + CHUNK)))
  }
  return btoa(binary)
}

type Bytes = Uint8Array<ArrayBuffer>

/** The result of reading a stream up to a limit. */
export type StreamRead =
  | { readonly kind: 'whole'; readonly bytes: Bytes }
  /** Exceeds the limit: `begun` has the chunks read so far, and `reader` provides the rest. */
  | { readonly kind: 'longer'; readonly begun: readonly Bytes[]; readonly reader: ReadableStreamDefaultReader<Bytes> }

/** Number of joined bytes after which to yield to other requests. */
const SLICE = 8 * 1024 * 1024

async function join(chunks: readonly Bytes[], size: number): Promise<Bytes> {
  const [only] = chunks
  if (chunks.length === 1 && only !== undefined) return only
  const whole = new Uint8Array(size)
  const pace = createPace(SLICE)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
    await pace(chunk.byteLength)
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
    if (done) return { kind: 'whole', bytes: await join(chunks, size) }
    chunks.push(value)
    size += value.byteLength
    if (size > limit) return { kind: 'longer', begun: chunks, reader }
  }
}

const ENCODINGS = { gzip: 'gzip', 'x-gzip': 'gzip', deflate: 'deflate' } as const

type Encoding = 'gzip' | 'deflate'

const NOT_UTF8 = 'the body is not valid UTF-8. Encode it as UTF-8.'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads a stream; returns undefined if it exceeds the limit in bytes. */
async function readWithin(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
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

/** A body as sent, possibly compressed. */
interface SentBody {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly encoding: Encoding | undefined
}

const BROKEN_OFF = 'The request body ended before it was complete. Send the request again with the whole body.'

/** @throws {Problem} 413 if the declared or actual size exceeds the limit. */
async function receive(request: Request, limit: number, header: ReadHeader): Promise<SentBody> {
  const encoding = findEncoding(header)
  const declared = header('content-length')
  if (declared !== undefined && Number(declared) > limit) throw problem.contentTooLarge(limit)
  try {
    // The HTTP parser enforces a declared length, so the platform may read the body in one go. Streaming is also not
    // available in every browser: Firefox has no `Request.body`.
    if (declared !== undefined || request.body === undefined) {
      const bytes = new Uint8Array(await request.arrayBuffer())
      if (bytes.byteLength > limit) throw problem.contentTooLarge(limit)
      return { bytes, encoding }
    }
    const bytes = request.body === null ? new Uint8Array() : await readWithin(request.body, limit)
    if (bytes === undefined) throw problem.contentTooLarge(limit)
    return { bytes, encoding }
  } catch (fault) {
    throw fault instanceof Problem ? fault : problem.invalidInput(BROKEN_OFF)
  }
}

/** Decompresses a body; returns undefined if the result exceeds the limit in bytes. */
async function decompress(bytes: Bytes, encoding: Encoding, limit: number): Promise<Uint8Array | undefined> {
  const { body } = new Response(bytes)
  try {
    return body === null ? bytes : await readWithin(body.pipeThrough(new DecompressionStream(encoding)), limit)
  } catch {
    throw problem.invalidInput(
      `The request body is not valid ${encoding} data, but Content-Encoding is ${encoding}. Send valid data, or an uncompressed body.`,
    )
  }
}

/** Like {@link decompress}, but synchronous if the body is not compressed. */
function toPlain(
  { bytes, encoding }: SentBody,
  limit: number,
): Uint8Array | undefined | Promise<Uint8Array | undefined> {
  if (encoding !== undefined) return decompress(bytes, encoding, limit)
  return bytes.byteLength > limit ? undefined : bytes
}

/**
 * Reads a request's body once and decompresses it (D9). The limit in bytes applies to both the sent and the decompressed
 * body.
 *
 * @throws {Problem} 413 if the declared or actual size exceeds the limit; 415 for an unknown Content-Encoding; 400 if the
 * body is incomplete or cannot be decompressed.
 */
export async function readBytes(
  request: Request,
  limit: number,
  header: ReadHeader = createHeaderReader(request),
): Promise<Uint8Array> {
  const bytes = await toPlain(await receive(request, limit, header), limit)
  if (bytes === undefined) throw problem.contentTooLarge(limit)
  return bytes
}

/**
 * Bodies above this size, in bytes, are processed one at a time, because a few kilobytes can decompress to any size. All
 * mocks in a process share its memory, so they also share the queue.
 */
const LARGE = 1024 * 1024
const largeBodies = createQueues()

/**
 * Like {@link readBytes}, but also processes the body. Only one large body is decompressed and processed at a time, so
 * `use` must not wait for another request.
 */
export async function useBody<Result>(
  request: Request,
  limit: number,
  use: (bytes: Uint8Array) => Promise<Result>,
  header: ReadHeader = createHeaderReader(request),
): Promise<Result> {
  const sent = await receive(request, limit, header)
  const plain = toPlain(sent, Math.min(LARGE, limit))
  const small = plain instanceof Promise ? await plain : plain
  if (small !== undefined) return use(small)
  if (limit <= LARGE) throw problem.contentTooLarge(limit)
  return largeBodies.run('large', async () => {
    const bytes = await toPlain(sent, limit)
    if (bytes === undefined) throw problem.contentTooLarge(limit)
    return use(bytes)
  })
}

/**
 * Decodes UTF-8 text (RFC 8259, section 8.1), without a byte order mark.
 *
 * @throws {Problem} 400 InvalidJsonInput for bytes that are not valid UTF-8.
 */
export function toText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw problem.invalidJson(NOT_UTF8)
  }
}

/**
 * Like {@link toText}, but yields to other requests between the slices of a long text. Short text is returned
 * synchronously.
 */
export const toTextInSlices = (bytes: Uint8Array): string | Promise<string> =>
  bytes.byteLength <= LARGE ? toText(bytes) : decodeInSlices(bytes)

async function decodeInSlices(bytes: Uint8Array): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const pieces: string[] = []
  try {
    for (let at = 0; at < bytes.byteLength; at += LARGE) {
      pieces.push(decoder.decode(bytes.subarray(at, at + LARGE), { stream: true }))
      await pause()
    }
    pieces.push(decoder.decode())
  } catch {
    throw problem.invalidJson(NOT_UTF8)
  }
  return pieces.join('')
}

/** Options for reading a JSON body. */
export interface ReadJsonOptions {
  /** Maximum size in bytes, after decompression. */
  readonly limit: number
  /** Limits on the JSON values. */
  readonly limits: JsonLimits
  /** Whether an empty body is accepted; its value is undefined. */
  readonly isOptional?: boolean
}

/** A parsed JSON body and its text. */
export interface JsonText {
  readonly value: unknown
  readonly text: string
}

/**
 * Reads, parses and processes a request's JSON body. Limits apply during decompression and again during parsing, which is
 * done in slices. Large bodies are processed one at a time, so `use` must not wait for another request.
 *
 * @throws {Problem} 400 if the body is not JSON or exceeds the limits, 413 if it has too many bytes, 415 for an unknown
 * Content-Encoding.
 */
export const readJsonBody = <Result>(
  request: Request,
  { limit, limits, isOptional = false }: ReadJsonOptions,
  use: (body: JsonText) => Result | Promise<Result>,
): Promise<Result> =>
  useBody(request, limit, async (bytes) => {
    const text = await toTextInSlices(bytes)
    const isAbsent = isOptional && text === ''
    return use({ text, value: isAbsent ? undefined : await parseJsonBody(text, limits) })
  })
