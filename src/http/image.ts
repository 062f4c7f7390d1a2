import { problem } from '../errors.ts'
import type { FindSize, ImageSize } from './image-format.ts'
import { findGifSize } from './image-gif.ts'
import { findJpegSize } from './image-jpeg.ts'
import { findPngSize } from './image-png.ts'

const formats = {
  'image/jpeg': findJpegSize,
  'image/png': findPngSize,
  'image/gif': findGifSize,
} as const satisfies Record<string, FindSize>

/** The media types whose files can be checked. */
export type ImageFormat = keyof typeof formats

/**
 * Checks that bytes are a whole image of the declared type (specification 4.13, D21), and tells its size.
 *
 * @throws {Problem} 400 InvalidInput for another format, and for a file that is cut off or damaged
 */
export function checkImage(bytes: Uint8Array, type: ImageFormat): ImageSize {
  const size = formats[type](new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  if (size === undefined || size.width === 0 || size.height === 0) {
    throw problem.invalidInput(`Image data can't be read as ${type}. Possibly corrupted?`)
  }
  return size
}
