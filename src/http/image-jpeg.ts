import type { FindSize, ImageSize } from './image-format.ts'

// JPEG (ITU-T T.81), annex B: segments that each begin with 0xFF and a marker; a scan's data follows its header.

const START = 0xffd8
const END = 0xd9
const SCAN = 0xda

/** Frame headers are 0xC0 to 0xCF, but for the tables 0xC4 and 0xCC and the reserved 0xC8. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** Within a scan, 0xFF 0x00 is data, and restart markers, 0xD0 to 0xD7, part it. */
const isWithinScan = (byte: number): boolean => byte === 0 || (byte >= 0xd0 && byte <= 0xd7)

/** Where the next marker's 0xFF stands behind a scan's data, or the file's end. */
function skipScanData(file: DataView, start: number): number {
  let at = start
  while (at + 1 < file.byteLength) {
    if (file.getUint8(at) === 0xff && !isWithinScan(file.getUint8(at + 1))) return at
    at += 1
  }
  return file.byteLength
}

export const findJpegSize: FindSize = (file) => {
  if (file.byteLength < 2 || file.getUint16(0) !== START) return undefined
  let size: ImageSize | undefined
  let hasScan = false
  let at = 2
  while (at + 1 < file.byteLength && file.getUint8(at) === 0xff) {
    const marker = file.getUint8(at + 1)
    if (marker === END) return hasScan ? size : undefined
    if (marker === 0xff) {
      // B.1.1.2: any marker may be preceded by fill bytes.
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
