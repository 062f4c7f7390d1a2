/** Decoded, these would change what an address means, or how the line around it reads. */
const KEPT = /[%&#+\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/u

function decode(encoded: string, kept: RegExp): string {
  let text: string
  try {
    text = decodeURIComponent(encoded)
  } catch {
    return encoded
  }
  return [...text].map((one) => (KEPT.test(one) || kept.test(one) ? encodeURIComponent(one) : one)).join('')
}

const ENCODED = /(?:%[\da-f]{2})+/gi

/** A request target as people read it: percent-encodings decoded, but for those that keep its parts apart. */
export function toReadable(target: string): string {
  const [path = '', ...query] = target.split('?')
  return [
    path.replaceAll(ENCODED, (encoded) => decode(encoded, /[/?]/)),
    ...(query.length === 0 ? [] : [query.join('?').replaceAll(ENCODED, (encoded) => decode(encoded, /[^\s\S]/))]),
  ].join('?')
}
