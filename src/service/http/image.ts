import { problem } from '../../errors.ts'

// GIF89a specification: a header, a screen descriptor, an optional color table, then blocks up to the trailer.

/** `GIF8`, then `7a` or `9a`. */
const SIGNATURE = 0x47494638
const VERSION_87A = 0x3761
const VERSION_89A = 0x3961
const EXTENSION = 0x21
const IMAGE = 0x2c
const TRAILER = 0x3b
const GIF_HEADER = 13
const DESCRIPTOR = 10

/** The length in bytes of the color table described by a packed field (sections 18 and 20). */
const tableLength = (packed: number): number => (packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0)

/**
 * Skips data sub-blocks (section 15) and returns the offset after them. Each consists of a length byte and as many data
 * bytes; the last one is empty.
 */
function skipSubBlocks(file: DataView, start: number): number {
  let at = start
  while (at < file.byteLength) {
    const length = file.getUint8(at)
    at += 1 + length
    if (length === 0) break
  }
  return at
}

export const findGifSize: FindSize = (file) => {
  if (file.byteLength < GIF_HEADER || file.getUint32(0) !== SIGNATURE) return undefined
  const version = file.getUint16(4)
  if (version !== VERSION_87A && version !== VERSION_89A) return undefined
  let hasImage = false
  let at = GIF_HEADER + tableLength(file.getUint8(10))
  while (at < file.byteLength) {
    const block = file.getUint8(at)
    if (block === EXTENSION) {
      at = skipSubBlocks(file, at + 2)
    } else if (block === IMAGE && at + DESCRIPTOR <= file.byteLength) {
      hasImage = true
      // The code size, one byte, is between the color table and the data.
      at = skipSubBlocks(file, at + DESCRIPTOR + tableLength(file.getUint8(at + DESCRIPTOR - 1)) + 1)
    } else {
      const isWhole = block === TRAILER && hasImage
      return isWhole ? { width: file.getUint16(6, true), height: file.getUint16(8, true) } : undefined
    }
  }
  return undefined
}

// JPEG (ITU-T T.81), annex B: segments that start with 0xFF and a marker; a scan's data follows its header.

const JPEG_START = 0xffd8
const JPEG_END = 0xd9
const SCAN = 0xda

/** Frame headers are 0xC0 to 0xCF, except the tables 0xC4 and 0xCC and the reserved 0xC8. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** Within a scan, 0xFF 0x00 is data, and the restart markers 0xD0 to 0xD7 separate intervals. */
const isWithinScan = (byte: number): boolean => byte === 0 || (byte >= 0xd0 && byte <= 0xd7)

/** Finds the 0xFF of the next marker after a scan's data, or the end of the file. */
function skipScanData(file: DataView, start: number): number {
  let at = start
  while (at + 1 < file.byteLength) {
    if (file.getUint8(at) === 0xff && !isWithinScan(file.getUint8(at + 1))) return at
    at += 1
  }
  return file.byteLength
}

export const findJpegSize: FindSize = (file) => {
  if (file.byteLength < 2 || file.getUint16(0) !== JPEG_START) return undefined
  let size: ImageSize | undefined
  let hasScan = false
  let at = 2
  while (at + 1 < file.byteLength && file.getUint8(at) === 0xff) {
    const marker = file.getUint8(at + 1)
    if (marker === JPEG_END) return hasScan ? size : undefined
    if (marker === 0xff) {
      // B.1.1.2: fill bytes may precede any marker.
      at += 1
      continue
    }
    const length = at + 4 <= file.byteLength ? file.getUint16(at + 2) : 0
    const next = at + 2 + length
    if (marker < 0xc0 || length < 2 || next > file.byteLength) return undefined
    if (isFrame(marker) && size === undefined) {
      if (length < 8) return undefined
      size = { width: file.getUint16(at + 7), height: file.getUint16(at + 5) }
    }
    if (marker === SCAN) {
      if (size === undefined) return undefined
      hasScan = true
    }
    at = marker === SCAN ? skipScanData(file, next) : next
  }
  return undefined
}

// PNG (W3C, third edition), section 5: a signature, then chunks of length, type, data and a checksum of type and data.

const PNG_SIGNATURE = 0x89504e470d0a1a0an
const FRAME = 12

// Chunk types are four ASCII letters.
const IHDR = 0x49484452
const IDAT = 0x49444154
const IEND = 0x49454e44

/** Annex D: the CRC of each byte value. */
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? 0xedb88320 ^ (sum >>> 1) : sum >>> 1
  return sum
})

function toCrc(file: DataView, start: number, end: number): number {
  let sum = 0xffffffff
  for (let at = start; at < end; at += 1) sum = (CRC_TABLE[(sum ^ file.getUint8(at)) & 0xff] ?? 0) ^ (sum >>> 8)
  return ~sum >>> 0
}

export const findPngSize: FindSize = (file) => {
  if (file.byteLength < 8 || file.getBigUint64(0) !== PNG_SIGNATURE) return undefined
  let size: ImageSize | undefined
  let hasData = false
  for (let at = 8; at + FRAME <= file.byteLength;) {
    const length = file.getUint32(at)
    const type = file.getUint32(at + 4)
    const checkAt = at + 8 + length
    if (checkAt + 4 > file.byteLength || toCrc(file, at + 4, checkAt) !== file.getUint32(checkAt)) return undefined
    if (size === undefined) {
      if (type !== IHDR || length !== 13) return undefined
      size = { width: file.getUint32(at + 8), height: file.getUint32(at + 12) }
    }
    if (type === IDAT) hasData = true
    if (type === IEND) return hasData ? size : undefined
    at = checkAt + 4
  }
  return undefined
}

const formats = {
  'image/jpeg': findJpegSize,
  'image/png': findPngSize,
  'image/gif': findGifSize,
} as const satisfies Record<string, FindSize>

/**
 * Checks that bytes are a complete image of the declared type (specification 4.13, D21), and returns its size.
 *
 * @throws {Problem} 400 InvalidInput for another format, and for a truncated or damaged file
 */
export function checkImage(bytes: Uint8Array, type: keyof typeof formats): ImageSize {
  const size = formats[type](new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  if (size === undefined || size.width === 0 || size.height === 0)
    throw problem.invalidInput(`Image data can't be read as ${type}. Possibly corrupted?`)
  return size
}

/** In pixels. */
export interface ImageSize {
  readonly width: number
  readonly height: number
}

/**
 * Parses a file from its first byte to its end marker, in one pass. Returns undefined for a different format, a truncated
 * file or a missing size. Data after the end marker is ignored.
 */
export type FindSize = (file: DataView) => ImageSize | undefined
