/** Characters that stay encoded: decoded, they would change the meaning of the URL or break the line. */
const KEPT_IN_QUERY = /[%&#+\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu
const KEPT_IN_PATH = new RegExp(`[/?]|${KEPT_IN_QUERY.source}`, 'gu')

const ENCODED = /(?:%[\da-f]{2})+/gi

function decode(encoded: string, kept: RegExp): string {
  try {
    return decodeURIComponent(encoded).replaceAll(kept, encodeURIComponent)
  } catch {
    return encoded
  }
}

/**
 * Path and query of a request for people: decoded, except for characters that separate their parts, and without the
 * session that the view already names.
 */
export function toReadable(url: string, session: string): { readonly path: string; readonly query: string } {
  const question = url.indexOf('?')
  const [path, query] = question === -1 ? [url, ''] : [url.slice(0, question), url.slice(question)]
  const prefix = `/@${session}/`
  return {
    path: (path.startsWith(prefix) ? path.slice(prefix.length - 1) : path).replaceAll(ENCODED, (text) =>
      decode(text, KEPT_IN_PATH),
    ),
    query: query.replaceAll(ENCODED, (text) => decode(text, KEPT_IN_QUERY)),
  }
}
