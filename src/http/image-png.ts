import type { FindSize, ImageSize } from './image-format.ts'

// PNG (W3C, third edition), section 5: a signature, then chunks of length, type, data and a check sum of the last two.

const SIGNATURE = 0x89504e470d0a1a0an
const FRAME = 12

// Chunk types are four ASCII letters.
const IHDR = 0x49484452
const IDAT = 0x49444154
const IEND = 0x49454e44

/** Annex D: the check sum of every byte. */
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
  if (file.byteLength < 8 || file.getBigUint64(0) !== SIGNATURE) return undefined
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
