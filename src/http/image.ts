import type { ImageType } from '../contract/endpoint.ts'
import { problem } from '../errors.ts'
import type { FindSize, ImageSize } from './image-format.ts'
import { findGifSize } from './image-gif.ts'
import { findJpegSize } from './image-jpeg.ts'
import { findPngSize } from './image-png.ts'

const formats: Readonly<Record<ImageType, FindSize>> = {
  'image/jpeg': findJpegSize,
  'image/png': findPngSize,
  'image/gif': findGifSize,
}

/**
 * Checks that bytes are a whole image of the declared type (specification 4.13, D21), and tells its size.
 *
 * @throws {Problem} 400 InvalidInput for another format, and for a file that is cut off or damaged
 */
export function checkImage(bytes: Uint8Array, type: ImageType): ImageSize {
  const size = formats[type](new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  if (size === undefined || size.width === 0 || size.height === 0) {
    throw problem.invalidInput(`Image data can't be read as ${type}. Possibly corrupted?`)
  }
  return size
}
