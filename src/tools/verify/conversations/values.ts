import { splitList } from './conversation.ts'
import { decodeBase64 } from 'hono/utils/encode'

/** Integers at the ends of int64, and one that a double would round (D3). */
export const LARGE: readonly bigint[] = [9223372036854775807n, -9223372036854775808n, 9007199254740993n]

/** Strings that services often store, encode or compare wrongly. */
export const AWKWARD: readonly string[] = splitList(
  ' |   | O\'Brien | say "hi" | back\\slash | 100% | 50%25 | a_c | abc | a,b | a;b | a+b | a&b=c',
  'Straße | STRASSE | Café | Cafe\u0301 | cafe | CAFÉ | tail  | tail |  lead | 😀 smile',
  '👩\u200d👩\u200d👧 | кот | 日本 | null | true | 1 | 1.0 | <b>&amp;</b> | a/b | line\r\nbreak',
  'tab\there | key=1 | 7 in arrayOfIntExample | 42abc | abc42 | İstanbul | ǆ',
)

/** Values of `someProperty` that differ in case, accent, type or trailing blank. */
export const PROPERTIES: readonly string[] = ['', 'b', 'B', 'a', 'Ä', 'z', 'null', 'b ', '10', '9', '😀', '\uffee']

const decodeImage = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(decodeBase64(base64))

/** The smallest images of each type. */
export const IMAGES: Readonly<Record<'jpeg' | 'png' | 'gif', Uint8Array<ArrayBuffer>>> = {
  jpeg: decodeImage(
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQH/wAALCAAIAAgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AP//Z',
  ),
  png: decodeImage('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=='),
  gif: decodeImage('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAkQBADs='),
}

/** A value of each JSON type. */
export const EACH_TYPE: readonly unknown[] = [null, 'x', '1', '', 1, 1.5, true, {}, []]
