import { problem } from '../../errors.ts'

/** In pixels. */
export interface ImageSize {
  readonly width: number
  readonly height: number
}

/** Returns undefined for a different format or a file without its end marker. */
type FindSize = (bytes: Uint8Array, view: DataView) => ImageSize | undefined

const hasAt = (bytes: Uint8Array, at: number, wanted: readonly number[]): boolean =>
  wanted.every((byte, index) => bytes[at + index] === byte)

/** Whether bytes occur at an offset or after it. Searches from the end, where the end marker of most files is. */
function hasAfter(bytes: Uint8Array, start: number, wanted: readonly [number, ...number[]]): boolean {
  let at = bytes.lastIndexOf(wanted[0])
  while (at >= start && !hasAt(bytes, at, wanted)) at = at === 0 ? -1 : bytes.lastIndexOf(wanted[0], at - 1)
  return at >= start
}

/** `GIF8`, then `7a` or `9a`. A GIF ends with an empty data block and the trailer (GIF89a, sections 15 and 27). */
const findGifSize: FindSize = (bytes, view) => {
  const isGif =
    hasAt(bytes, 0, [0x47, 0x49, 0x46, 0x38]) && (bytes[4] === 0x37 || bytes[4] === 0x39) && bytes[5] === 0x61
  if (!isGif || bytes.length <= 13 || !hasAt(bytes, bytes.length - 2, [0, 0x3b])) return undefined
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
}

/** Frame headers are 0xC0 to 0xCF, except the tables 0xC4 and 0xCC and the reserved 0xC8 (ITU-T T.81, table B.1). */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** Reads the segments before the first scan, as a thumbnail in one of them has an end marker, too. */
const findJpegSize: FindSize = (bytes, view) => {
  if (!hasAt(bytes, 0, [0xff, 0xd8])) return undefined
  let size: ImageSize | undefined
  let at = 2
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = view.getUint8(at + 1)
    if (marker === 0xda) return hasAfter(bytes, at, [0xff, 0xd9]) ? size : undefined
    if (isFrame(marker)) size ??= { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    // Fill bytes may precede any marker (B.1.1.2).
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2)
  }
  return undefined
}

/** A signature, the chunk IHDR with the size, and at the end the empty chunk IEND with its checksum (PNG, section 5). */
const findPngSize: FindSize = (bytes, view) => {
  const isPng =
    hasAt(bytes, 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) && hasAt(bytes, 12, [0x49, 0x48, 0x44, 0x52])
  if (!isPng || !hasAfter(bytes, 33, [0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82])) return undefined
  return { width: view.getUint32(16), height: view.getUint32(20) }
}

const imageFormats = {
  'image/jpeg': findJpegSize,
  'image/png': findPngSize,
  'image/gif': findGifSize,
} as const satisfies Record<string, FindSize>

/**
 * Checks that bytes are an image of the declared type with its end marker (specification 4.13, D21), and returns its size.
 *
 * @throws {Problem} 400 InvalidInput for another format, and for a truncated file
 */
export function checkImage(bytes: Uint8Array, type: keyof typeof imageFormats): ImageSize {
  const size = imageFormats[type](bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  if (size === undefined || size.width === 0 || size.height === 0)
    throw problem.invalidInput(`Image data can't be read as ${type}. Possibly corrupted?`)
  return size
}
