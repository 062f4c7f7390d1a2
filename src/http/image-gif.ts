import type { FindSize } from './image-format.ts'

// GIF89a specification: a header, a screen, perhaps a colour table, then blocks up to the trailer.

/** `GIF8`, then `7a` or `9a`. */
const SIGNATURE = 0x47494638
const VERSION_87A = 0x3761
const VERSION_89A = 0x3961
const EXTENSION = 0x21
const IMAGE = 0x2c
const TRAILER = 0x3b
const HEADER = 13
const DESCRIPTOR = 10

/** Bytes of the colour table that follows a packed field (sections 18 and 20). */
const tableLength = (packed: number): number => (packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0)

/** Where data sub-blocks end (section 15): each is its length and so many bytes, the last one is empty. */
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
  if (file.byteLength < HEADER || file.getUint32(0) !== SIGNATURE) return undefined
  const version = file.getUint16(4)
  if (version !== VERSION_87A && version !== VERSION_89A) return undefined
  let hasImage = false
  let at = HEADER + tableLength(file.getUint8(10))
  while (at < file.byteLength) {
    const block = file.getUint8(at)
    if (block === EXTENSION) {
      at = skipSubBlocks(file, at + 2)
    } else if (block === IMAGE && at + DESCRIPTOR <= file.byteLength) {
      hasImage = true
      // One byte between the table and the data: the code size.
      at = skipSubBlocks(file, at + DESCRIPTOR + tableLength(file.getUint8(at + DESCRIPTOR - 1)) + 1)
    } else {
      const isWhole = block === TRAILER && hasImage
      return isWhole ? { width: file.getUint16(6, true), height: file.getUint16(8, true) } : undefined
    }
  }
  return undefined
}
