import { decodeBase64 as decode } from 'hono/utils/encode'
import type { ImageType } from '../contract/endpoint.ts'

/** The smallest image of each format that decoders take: one pixel, for JPEG one block of eight by eight. */
export const images: Readonly<Record<ImageType, Uint8Array<ArrayBuffer>>> = {
  'image/jpeg': decode(
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQH/wAALCAAIAAgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AP//Z',
  ),
  'image/png': decode('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=='),
  'image/gif': decode('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAkQBADs='),
}
