import { mapHeader, toPairs, withoutHeaders } from '../http/raw-headers.ts'
import type { RawHeaders } from '../http/raw-headers.ts'

/** Headers that are about one connection alone (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
])

/** All headers but those that end at this hop, among them whatever `Connection` names. */
function toEndToEnd(raw: RawHeaders): RawHeaders {
  const named = new Set(
    toPairs(raw)
      .filter(([name]) => name.toLowerCase() === 'connection')
      .flatMap(([, value]) => value.split(',').map((one) => one.trim().toLowerCase())),
  )
  return withoutHeaders(raw, (name) => HOP_BY_HOP.has(name) || named.has(name))
}

/** Cookies that are the proxy's own: a session's name, and the token of the admin API. */
const OWN_COOKIE = /^\s*mock-(?:session|admin-token)=/

function dropOwnCookies(value: string): string | undefined {
  const cookies = value.split(';')
  const kept = cookies.filter((cookie) => !OWN_COOKIE.test(cookie))
  if (kept.length === cookies.length) return value
  return kept.length === 0 ? undefined : kept.join(';').trimStart()
}

/** What only the mock understands, and what was said to this proxy alone. */
const isOwn = (name: string): boolean => name.startsWith('x-mock-') || name === 'expect'

interface UpstreamHeaderParts {
  /** The upstream's own. */
  readonly host: string
  readonly correlationId: string
  /** The version of HTTP that the request came by, such as `1.0`. */
  readonly httpVersion: string
  /** What this proxy calls itself in `Via` (RFC 9110, section 7.6.3). */
  readonly pseudonym: string
}

/** The headers of a request as the upstream gets them. */
export function toUpstreamHeaders(
  raw: RawHeaders,
  { host, correlationId, httpVersion, pseudonym }: UpstreamHeaderParts,
): RawHeaders {
  const kept = mapHeader(withoutHeaders(toEndToEnd(raw), isOwn), 'cookie', dropOwnCookies)
  const names = new Set(toPairs(kept).map(([name]) => name.toLowerCase()))
  return [
    ...(names.has('host') ? mapHeader(kept, 'host', () => host) : ['Host', host, ...kept]),
    ...(names.has('x-correlation-id') ? [] : ['X-Correlation-ID', correlationId]),
    'Via',
    `${httpVersion} ${pseudonym}`,
  ]
}

/** The headers of an answer as the client gets them. `Alt-Svc` would lead it past the proxy (RFC 7838). */
export const toClientHeaders = (raw: RawHeaders): RawHeaders =>
  withoutHeaders(toEndToEnd(raw), (name) => name === 'alt-svc')

/** The headers with one in place of all of its name. */
export const setHeader = (raw: RawHeaders, name: string, value: string): RawHeaders => [
  ...withoutHeaders(raw, (one) => one === name.toLowerCase()),
  name,
  value,
]

/** Whether a message says that its body is JSON. */
export const isJsonType = (headers: Headers): boolean =>
  /^application\/(?:[\w.-]+\+)?json\b/i.test(headers.get('Content-Type') ?? '')
