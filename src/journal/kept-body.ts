import { toBase64 } from '../http/base64.ts'
import type { KeptBody } from './entry.ts'

/** As much of a body as the journal keeps, in bytes. */
export const KEPT_BYTES = 64 * 1024

/** The beginning of a body that was too large to be kept whole. */
interface CutBody {
  readonly bytes: Uint8Array
  /** Of the whole body. */
  readonly size: number
}

/** A body as it is recorded: by reference where it is small, else its beginning. */
export type RecordedBody = string | Uint8Array | CutBody

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * What is recorded of a body. A large text is copied into bytes, for a slice of a string keeps the whole one alive; so
 * does a view of a buffer.
 */
export function toRecordedBody(body: string | Uint8Array | undefined): RecordedBody | undefined {
  if (body === undefined) return undefined
  if (typeof body === 'string') {
    if (body.length <= KEPT_BYTES) return body
    const bytes = new Uint8Array(KEPT_BYTES)
    const { written } = encoder.encodeInto(body, bytes)
    return { bytes: bytes.subarray(0, written), size: encoder.encode(body).byteLength }
  }
  if (body.byteLength <= KEPT_BYTES && body.buffer.byteLength === body.byteLength) return body
  const bytes = new Uint8Array(body.subarray(0, KEPT_BYTES))
  return bytes.byteLength === body.byteLength ? bytes : { bytes, size: body.byteLength }
}

/** The text of UTF-8 bytes; a cut may have parted the last character, of which up to three bytes are left. */
function findText(bytes: Uint8Array, isCut: boolean): string | undefined {
  for (let spare = 0; spare <= (isCut ? 3 : 0); spare += 1) {
    try {
      return decoder.decode(bytes.subarray(0, bytes.byteLength - spare))
    } catch {
      // Not UTF-8 as far as this: tried again with less, else kept as base64.
    }
  }
  return undefined
}

/** The body as an entry shows it; undefined for an empty one. */
export function toKeptBody(body: RecordedBody | undefined): KeptBody | undefined {
  if (body === undefined) return undefined
  if (typeof body === 'string') {
    const bytes = encoder.encode(body)
    const size = bytes.byteLength
    if (size > KEPT_BYTES) return toKeptBody({ bytes: bytes.subarray(0, KEPT_BYTES), size })
    return size === 0 ? undefined : { text: body, encoding: 'utf-8', size, isCut: false }
  }
  const { bytes, size } = body instanceof Uint8Array ? { bytes: body, size: body.byteLength } : body
  if (size === 0) return undefined
  const isCut = size > bytes.byteLength
  const text = findText(bytes, isCut)
  return text === undefined
    ? { text: toBase64(bytes), encoding: 'base64', size, isCut }
    : { text, encoding: 'utf-8', size, isCut }
}

/** Base64 of what is kept of a body, whatever it is kept as. */
export const toBodyAsBase64 = (body: KeptBody): string =>
  body.encoding === 'base64' ? body.text : toBase64(encoder.encode(body.text))

/** Says of a body that was cut how much of it there is. */
export const toCutNote = (body: KeptBody): string => `cut: the first ${KEPT_BYTES} of ${body.size} bytes`
