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
