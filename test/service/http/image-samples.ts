import { crc32, deflateSync } from 'node:zlib'
import type { ImageType } from '../../../src/service/contract/endpoint.ts'

// Tiny encoders of valid images, each of one grey or a few shades.

const ascii = (text: string): Buffer => Buffer.from(text, 'latin1')
const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff])
const uint16Little = (value: number): Buffer => Buffer.from([value & 0xff, value >> 8])

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** Packs text of 0 and 1 into bytes, the first bit highest; the last byte is filled up with `fill`. */
const packHigh = (bits: string, fill: '0' | '1'): number[] =>
  (bits.padEnd(Math.ceil(bits.length / 8) * 8, fill).match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([ascii(type), data])
  return Buffer.concat([uint32(data.length), typed, uint32(crc32(typed))])
}

/** The start and pixel spacing of each pass of Adam7: x, y, step of x, step of y. */
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

/** An 8-bit grey PNG; its scanlines are split into the given number of IDAT chunks. */
export function toPng(width: number, height: number, { isInterlaced = false, parts = 1 } = {}): Buffer {
  const passes = isInterlaced ? ADAM7 : ([[0, 0, 1, 1]] as const)
  const lines = passes.flatMap(([x, y, stepX, stepY]) => {
    const columns = Math.ceil((width - x) / stepX)
    const rows = Math.ceil((height - y) / stepY)
    return columns <= 0 ? [] : Array.from({ length: Math.max(0, rows) }, () => Buffer.alloc(1 + columns))
  })
  const data = deflateSync(Buffer.concat(lines))
  const size = Math.ceil(data.length / parts)
  const header = Buffer.concat([uint32(width), uint32(height), Buffer.from([8, 0, 0, 0, isInterlaced ? 1 : 0])])
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('tEXt', ascii('Comment\0made by a test')),
    ...Array.from({ length: parts }, (_, part) => chunk('IDAT', data.subarray(part * size, (part + 1) * size))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Codes of 3 bits, lowest bit first; a clear code before every other pixel keeps them at 3 bits. */
function toGifData(pixels: number): Buffer {
  const codes: string[] = []
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    if (pixel % 2 === 0) codes.unshift('100')
    codes.unshift(pixel % 4 === 0 ? '001' : '000')
  }
  const bits = `101${codes.join('')}`
  const whole = bits.padStart(Math.ceil(bits.length / 8) * 8, '0')
  const bytes = (whole.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)).toReversed()
  const blocks = Array.from({ length: Math.ceil(bytes.length / 200) }, (_, at) => {
    const block = bytes.slice(at * 200, (at + 1) * 200)
    return Buffer.from([block.length, ...block])
  })
  return Buffer.concat([Buffer.from([2]), ...blocks, Buffer.from([0])])
}

/** A GIF with that number of frames; every other one has its own colour table. */
export function toGif(width: number, height: number, { frames = 1, version = 'GIF89a' } = {}): Buffer {
  const table = Buffer.from([0, 0, 0, 255, 255, 255, 128, 128, 128, 64, 64, 64])
  const size = Buffer.concat([uint16Little(width), uint16Little(height)])
  const control = Buffer.from([0x21, 0xf9, 4, 0, 10, 0, 0, 0])
  const repeat = Buffer.concat([Buffer.from([0x21, 0xff, 11]), ascii('NETSCAPE2.0'), Buffer.from([3, 1, 0, 0, 0])])
  const images = Array.from({ length: frames }, (_, frame) => {
    const own = frame % 2 === 1 ? [Buffer.from([0x81]), table] : [Buffer.from([0])]
    const image = [Buffer.from([0x2c, 0, 0, 0, 0]), size, ...own, toGifData(width * height)]
    return Buffer.concat(frames > 1 ? [control, ...image] : image)
  })
  return Buffer.concat([
    ascii(version),
    size,
    Buffer.from([0x81, 0, 0]),
    table,
    ...(frames > 1 ? [repeat] : []),
    ...images,
    Buffer.from([0x3b]),
  ])
}

const segment = (marker: number, ...content: readonly Buffer[]): Buffer => {
  const data = Buffer.concat(content)
  return Buffer.concat([Buffer.from([0xff, marker]), uint16(data.length + 2), data])
}

/** A Huffman table of one code, `0`, for the given symbol. */
const table = (place: number, symbol: number): Buffer =>
  segment(0xc4, Buffer.from([place, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, symbol]))

const scan = (from: number, to: number, ...data: readonly number[]): Buffer =>
  Buffer.concat([segment(0xda, Buffer.from([1, 1, 0, from, to, 0])), Buffer.from(data)])

interface JpegOptions {
  /** SOF0 is baseline, SOF2 progressive. */
  readonly isProgressive?: boolean
  /** A whole JPEG, kept in the EXIF segment. */
  readonly thumbnail?: Buffer
  /** A restart marker behind every block. */
  readonly hasRestarts?: boolean
  /** Two blocks so bright that the data contain 0xFF; the image is 16 by 8. */
  readonly hasStuffing?: boolean
}

/** A grey JPEG whose blocks are all zero: one bit for the mean, one bit for the end of a block. */
export function toJpeg(width: number, height: number, options: JpegOptions = {}): Buffer {
  const { isProgressive = false, thumbnail, hasRestarts = false, hasStuffing = false } = options
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8)
  const frame = Buffer.concat([Buffer.from([8]), uint16(height), uint16(width), Buffer.from([1, 1, 0x11, 0])])
  const restarts = Array.from({ length: blocks }, (_, at) => (at === 0 ? [0x3f] : [0xff, 0xd0 + ((at - 1) % 8), 0x3f]))
  const data = () => {
    if (hasRestarts) return [scan(0, 63, ...restarts.flat())]
    if (hasStuffing) return [scan(0, 63, 0x7f, 0xf3, 0xff, 0x00, 0x7f)]
    if (!isProgressive) return [scan(0, 63, ...packHigh('00'.repeat(blocks), '1'))]
    const bits = packHigh('0'.repeat(blocks), '1')
    return [scan(0, 0, ...bits), segment(0xfe, ascii('between scans')), scan(1, 63, ...bits)]
  }
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, ascii('JFIF\0'), Buffer.from([1, 1, 0, 0, 1, 0, 1, 0, 0])),
    ...(thumbnail === undefined ? [] : [segment(0xe1, ascii('Exif\0\0MM\0*\0\0\0\b\0\0\0\0\0\0'), thumbnail)]),
    segment(0xdb, Buffer.from([0, ...Array<number>(64).fill(1)])),
    segment(isProgressive ? 0xc2 : 0xc0, frame),
    table(0x00, hasStuffing ? 11 : 0),
    table(0x10, 0),
    ...(hasRestarts ? [segment(0xdd, uint16(1))] : []),
    ...data(),
    Buffer.from([0xff, 0xd9]),
  ])
}

export interface Sample {
  readonly name: string
  readonly type: ImageType
  readonly width: number
  readonly height: number
  readonly bytes: Buffer
}

const sample = (name: string, type: ImageType, width: number, height: number, bytes: Buffer): Sample => ({
  name,
  type,
  width,
  height,
  bytes,
})

export const samples: readonly Sample[] = [
  sample('a PNG', 'image/png', 3, 2, toPng(3, 2)),
  sample('a PNG in several chunks', 'image/png', 40, 30, toPng(40, 30, { parts: 3 })),
  sample('an interlaced PNG', 'image/png', 9, 7, toPng(9, 7, { isInterlaced: true })),
  sample('a baseline JPEG', 'image/jpeg', 24, 16, toJpeg(24, 16)),
  sample('a progressive JPEG', 'image/jpeg', 16, 40, toJpeg(16, 40, { isProgressive: true })),
  sample('a JPEG with a thumbnail in EXIF', 'image/jpeg', 64, 48, toJpeg(64, 48, { thumbnail: toJpeg(8, 8) })),
  sample('a JPEG with restart markers', 'image/jpeg', 80, 8, toJpeg(80, 8, { hasRestarts: true })),
  sample('a JPEG with 0xFF in its data', 'image/jpeg', 16, 8, toJpeg(16, 8, { hasStuffing: true })),
  sample('a still GIF', 'image/gif', 5, 4, toGif(5, 4)),
  sample('a GIF of 1987', 'image/gif', 2, 2, toGif(2, 2, { version: 'GIF87a' })),
  sample('an animated GIF', 'image/gif', 30, 20, toGif(30, 20, { frames: 3 })),
]
