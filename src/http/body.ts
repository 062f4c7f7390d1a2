import { createPace, pause, createQueues } from '../util/turns.ts'
import { Problem, problem } from '../errors.ts'
import { createHeaderReader } from './request-head.ts'
import type { ReadHeader } from './request-head.ts'
import { parseJsonBody } from './json.ts'
import type { JsonLimits } from './json-problems.ts'

/** So many bytes at a time become arguments of one call. */
const CHUNK = 8192

/** Base64 of bytes, of a view's own alone (RFC 4648, section 4). */
export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.byteLength; at += CHUNK) {
    binary += String(Reflect.apply(String.fromCharCode, undefined, bytes.subarray(at, at + CHUNK)))
  }
  return btoa(binary)
}

type Bytes = Uint8Array<ArrayBuffer>

/** A stream as far as it was read. */
export type StreamRead =
  | { readonly kind: 'whole'; readonly bytes: Bytes }
  /** Longer than the limit: what came until then, and where the rest comes from. */
  | { readonly kind: 'longer'; readonly begun: readonly Bytes[]; readonly reader: ReadableStreamDefaultReader<Bytes> }

/** After so many joined bytes others have their turn. */
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

/** Reads a stream whole, and stops as soon as it is longer than a limit in bytes. */
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

/** Returns undefined for what is longer than the limit in bytes. */
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

/** A body as it was sent. */
interface SentBody {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly encoding: Encoding | undefined
}

const BROKEN_OFF = 'The request body broke off before it was complete. Send it again, whole.'

/** @throws {Problem} 413 for more bytes than the limit, declared or sent. */
async function receive(request: Request, limit: number, header: ReadHeader): Promise<SentBody> {
  const encoding = findEncoding(header)
  const declared = header('content-length')
  if (declared !== undefined && Number(declared) > limit) throw problem.contentTooLarge(limit)
  try {
    // A declared length is held by the HTTP parser, so the platform may read it in one go. And not every browser lets a
    // request's body be streamed: Firefox knows no such member.
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

/** Returns undefined for a body that is longer than the limit in bytes. */
async function decompress(bytes: Bytes, encoding: Encoding, limit: number): Promise<Uint8Array | undefined> {
  const { body } = new Response(bytes)
  try {
    return body === null ? bytes : await readWithin(body.pipeThrough(new DecompressionStream(encoding)), limit)
  } catch {
    throw problem.invalidInput(
      `The request body is not valid ${encoding} data, though Content-Encoding says so. Send it whole, or uncompressed.`,
    )
  }
}

/** As {@link decompress}; synchronous if the body is not compressed. */
function toPlain(
  { bytes, encoding }: SentBody,
  limit: number,
): Uint8Array | undefined | Promise<Uint8Array | undefined> {
  if (encoding !== undefined) return decompress(bytes, encoding, limit)
  return bytes.byteLength > limit ? undefined : bytes
}

/**
 * Reads a request's body once, decompressed (D9), under a limit in bytes that counts after decompression.
 *
 * @throws {Problem} 413 past the limit, whether declared or met; 415 for an unknown Content-Encoding;
 * 400 for a body that breaks off or does not decompress.
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
 * A body of more bytes waits until the work on the one before it is done, as a few kilobytes can become any number of large
 * ones. All mocks of a process share its memory, so they share the queue.
 */
const LARGE = 1024 * 1024
const largeBodies = createQueues()

/**
 * As {@link readBytes}, and works on the body. Of all large bodies only one is decompressed and worked on at a time, so the
 * work must not wait for another request.
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
 * @throws {Problem} 400 InvalidJsonInput for bytes that are not UTF-8.
 */
export function toText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw problem.invalidJson(NOT_UTF8)
  }
}

/** As {@link toText}; other requests have their turn between the pieces of a long text. A short one is returned synchronously. */
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

/** How a JSON body is read. */
export interface ReadJsonOptions {
  /** The most bytes, after decompression. */
  readonly limit: number
  /** What it may hold. */
  readonly limits: JsonLimits
  /** Whether a body without JSON is taken, as undefined. */
  readonly isOptional?: boolean
}

/** A JSON body, and what it was parsed from. */
export interface JsonText {
  readonly value: unknown
  readonly text: string
}

/**
 * Reads a request's JSON body and works on it: the one way from bytes to values. It is limited while it is decompressed, and
 * again while it is parsed, in slices. Large bodies are read and worked on one after the other, so the work must not wait for
 * another request.
 *
 * @throws {Problem} 400 if it is not JSON or exceeds the limits, 413 for too many bytes, 415 for an unknown Content-Encoding.
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
