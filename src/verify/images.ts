import type { ImageType } from '../contract/endpoint.ts'

const decode = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

/** The smallest image of each format that decoders take: one pixel, for JPEG one block of eight by eight. */
export const images: Readonly<Record<ImageType, Uint8Array<ArrayBuffer>>> = {
  'image/jpeg': decode(
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQH/wAALCAAIAAgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AP//Z',
  ),
  'image/png': decode('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=='),
  'image/gif': decode('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAkQBADs='),
}
