import { Problem, problem } from '../errors.ts'
import { createHeaderReader } from './request-headers.ts'
import type { ReadHeader } from './request-headers.ts'
import { readStream } from './read-stream.ts'

const ENCODINGS = { gzip: 'gzip', 'x-gzip': 'gzip', deflate: 'deflate' } as const

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** @throws {Problem} 413 past the limit. */
async function readWithin(stream: ReadableStream<Uint8Array<ArrayBuffer>>, limit: number): Promise<Uint8Array> {
  const read = await readStream(stream, limit)
  if (read.kind === 'whole') return read.bytes
  read.reader.cancel().catch(() => undefined)
  throw problem.contentTooLarge(limit)
}

function findEncoding(header: ReadHeader): 'gzip' | 'deflate' | undefined {
  const named = header('content-encoding')?.trim().toLowerCase()
  if (named === undefined || named === '' || named === 'identity') return undefined
  if (Object.hasOwn(ENCODINGS, named)) return ENCODINGS[named as keyof typeof ENCODINGS]
  throw problem.unsupportedContentEncoding(named, ['gzip', 'deflate', 'identity'])
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
  const encoding = findEncoding(header)
  const declared = header('content-length')
  if (declared !== undefined && Number(declared) > limit) throw problem.contentTooLarge(limit)
  try {
    // A declared length is held by the HTTP parser, so the platform may read it in one go.
    if (encoding === undefined && declared !== undefined) {
      const bytes = new Uint8Array(await request.arrayBuffer())
      if (bytes.byteLength > limit) throw problem.contentTooLarge(limit)
      return bytes
    }
    // Not every browser lets a request's body be streamed: Firefox knows no such member.
    const body = request.body === undefined ? new Response(await request.arrayBuffer()).body : request.body
    if (body === null) return new Uint8Array()
    return await readWithin(encoding === undefined ? body : body.pipeThrough(new DecompressionStream(encoding)), limit)
  } catch (fault) {
    if (fault instanceof Problem) throw fault
    throw problem.invalidInput(
      encoding === undefined
        ? 'The request body broke off before it was complete. Send it again, whole.'
        : `The request body is not valid ${encoding} data, though Content-Encoding says so. Send it whole, or uncompressed.`,
    )
  }
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
    throw problem.invalidJson('the body is not valid UTF-8. Encode it as UTF-8.')
  }
}
