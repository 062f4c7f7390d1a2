/** Parts up to this length are left to `indexOf`, which is faster unless both texts are long and repetitive. */
const SHORT_TEXT = 100

/** For each prefix of a part, the length of its longest border: a proper prefix that is also a suffix. */
function toBorders(part: string): Uint32Array {
  const borders = new Uint32Array(part.length)
  let length = 0
  for (let at = 1; at < part.length; at += 1) {
    while (length > 0 && part.charCodeAt(at) !== part.charCodeAt(length)) length = borders[length - 1] ?? 0
    if (part.charCodeAt(at) === part.charCodeAt(length)) length += 1
    borders[at] = length
  }
  return borders
}

/**
 * Finds a part of a text, like `indexOf`, but always in linear time (Knuth, Morris and Pratt, 1977): `indexOf` takes seconds
 * for `aaa…b…aaa` in a long run of `a`.
 */
export function findPart(text: string, part: string, from = 0): number {
  if (part.length <= SHORT_TEXT) return text.indexOf(part, from)
  if (part.length > text.length - from) return -1
  const borders = toBorders(part)
  let length = 0
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    while (length > 0 && part.charCodeAt(length) !== code) length = borders[length - 1] ?? 0
    if (part.charCodeAt(length) === code) length += 1
    if (length === part.length) return at + 1 - length
  }
  return -1
}

/** Whether a text contains a part; in linear time, like {@link findPart}. */
export const hasPart = (text: string, part: string): boolean => findPart(text, part) !== -1
