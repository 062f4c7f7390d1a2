import { crc32, deflateSync } from 'node:zlib'

/** @param {string} type @param {Buffer} data */
function toChunk(type, data) {
  const body = Buffer.concat([Buffer.from(type), data])
  const head = Buffer.alloc(4)
  head.writeUInt32BE(data.length)
  const tail = Buffer.alloc(4)
  tail.writeUInt32BE(crc32(body))
  return Buffer.concat([head, body, tail])
}

/**
 * An image to upload: a shape of one colour on a background of another (PNG, third edition, section 5).
 *
 * @param {readonly [number, number, number]} thing
 * @param {readonly [number, number, number]} ground
 * @returns {Buffer}
 */
export function toPicture(thing, ground) {
  const [width, height] = [160, 120]
  const rows = Array.from({ length: height }, (_row, y) => {
    const pixels = Array.from({ length: width }, (_pixel, x) => {
      const isTop = y > 38 && y < 52 && x > 22 && x < 138
      const isLeg = y >= 52 && y < 100 && ((x > 32 && x < 42) || (x > 118 && x < 128))
      const shade = 1 - y / 900
      return (isTop || isLeg ? thing : ground).map((value) => Math.round(value * shade))
    })
    return Buffer.from([0, ...pixels.flat()])
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    toChunk('IHDR', header),
    toChunk('IDAT', deflateSync(Buffer.concat(rows))),
    toChunk('IEND', Buffer.alloc(0)),
  ])
}
