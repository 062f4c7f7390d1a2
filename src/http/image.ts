import type { ImageType } from '../contract/endpoint.ts'
import { problem } from '../errors.ts'
import { findGifSize } from './image-gif.ts'
import { findJpegSize } from './image-jpeg.ts'
import { findPngSize } from './image-png.ts'

/** In pixels. */
export interface ImageSize {
  readonly width: number
  readonly height: number
}

/**
 * Walks a file of one format from its first byte to its end marker, in one pass. Undefined for what is of another
 * format, cut off, or has no size; what follows the end marker is not looked at.
 */
export type FindSize = (file: DataView) => ImageSize | undefined

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
