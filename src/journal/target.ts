import { parseAddress } from '../http/request-head.ts'

/** The target of a request. */
export interface Target {
  /** Path and query as they were sent. */
  readonly sent: string
  readonly sentPath: string
  /** The service's own path, without the session and the base URL in front; equivalent percent-encodings are one. */
  readonly path: string
  /** From the question mark on, or the empty string. */
  readonly search: string
}

/** The start of the path of a URL, absolute or not; -1 if it has none. */
const findPath = (url: string): number => (url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('//') + 2))

/** Path and query of a URL as they were sent. */
export function toSent(url: string): string {
  const start = findPath(url)
  return start === -1 ? '/' : url.slice(start)
}

/** Splits any URL, absolute or not. */
export function toTarget(url: string): Target {
  const start = findPath(url)
  const sent = toSent(url)
  const question = sent.indexOf('?')
  const sentPath = question === -1 ? sent : sent.slice(0, question)
  return {
    sent,
    sentPath,
    path: findServicePath(start > 0 ? url.slice(0, start) : 'http://mock', sentPath),
    search: question === -1 ? '' : sent.slice(question),
  }
}

function findServicePath(origin: string, path: string): string {
  try {
    return parseAddress(origin + path).path
  } catch {
    // Malformed percent-encoding was refused with a 400; such a path is its own.
    return path
  }
}

/** The pairs of a `Cookie` header (RFC 6265, section 4.2.1). */
export const toCookiePairs = (header: string | undefined): readonly (readonly [string, string])[] =>
  (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
    .map((pair) => {
      const end = pair.indexOf('=')
      return end === -1 ? ['', pair] : [pair.slice(0, end), pair.slice(end + 1)]
    })
