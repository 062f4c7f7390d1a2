/** So many bytes at a time become arguments of one call. */
const CHUNK = 8192

/** Base64 of bytes, of a view's own alone (RFC 4648, section 4). */
export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.byteLength; at += CHUNK) {
    binary += String(Reflect.apply(String.fromCharCode, undefined, bytes.subarray(at, at + CHUNK)))
  }
  return btoa(binary)
}
