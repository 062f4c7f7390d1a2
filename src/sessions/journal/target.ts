import { parseAddress } from '../../service/http/request-head.ts'

/** The target of a request. */
export interface Target {
  /** Path and query as sent. */
  readonly sent: string
  readonly sentPath: string
  /** The service's path without session and base URL; percent-encoding is normalized. */
  readonly path: string
  /** The query with its question mark, or an empty string. */
  readonly search: string
}

/** The index where a URL's path starts; -1 if it has none. */
const findPathStart = (url: string): number => (url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('//') + 2))

/** The path and query of a URL as sent. */
export function toSent(url: string): string {
  const start = findPathStart(url)
  return start === -1 ? '/' : url.slice(start)
}

/** The path of a URL as sent, without its query. */
export const toSentPath = (url: string): string => toSent(url).split('?', 1)[0] ?? '/'

/** Splits a URL, absolute or not. */
export function toTarget(url: string): Target {
  const start = findPathStart(url)
  const sent = toSent(url)
  const question = sent.indexOf('?')
  const sentPath = question === -1 ? sent : sent.slice(0, question)
  return {
    sent,
    sentPath,
    path: findPathBelow(start > 0 ? url.slice(0, start) : 'http://mock', sentPath),
    search: question === -1 ? '' : sent.slice(question),
  }
}

function findPathBelow(origin: string, path: string): string {
  try {
    return parseAddress(origin + path).path
  } catch {
    // The app rejected this malformed percent-encoding with a 400.
    return path
  }
}

/** Parses the pairs of a `Cookie` header (RFC 6265, section 4.2.1). */
export const toCookiePairs = (header: string | undefined): readonly (readonly [string, string])[] =>
  (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
    .map((pair) => {
      const end = pair.indexOf('=')
      return end === -1 ? ['', pair] : [pair.slice(0, end), pair.slice(end + 1)]
    })
