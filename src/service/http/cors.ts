import { commonHeaderNames } from './request-head.ts'

/**
 * Response headers that need no permission: those that every page may read (Fetch standard, "CORS-safelisted
 * response-header name"), those that none may read, and those for the browser itself.
 */
const UNEXPOSED =
  /^(?:access-control-.*|cache-control|connection|content-length|content-type|date|expires|keep-alive|last-modified|pragma|set-cookie2?|transfer-encoding|vary|x-content-type-options)$/i

/** The mock's own response headers that scripts in a browser may read. */
const EXPOSED = [
  ...commonHeaderNames.filter((name) => !UNEXPOSED.test(name)),
  'Location',
  'Content-Location',
  'ETag',
  'Allow',
  'WWW-Authenticate',
  'Content-Language',
  'Preference-Applied',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Sl-Violations',
  'X-Mock-Fallback',
]
const EXPOSED_LIST = EXPOSED.join(', ')
const exposedNames = new Set(EXPOSED.map((name) => name.toLowerCase()))

const EXPOSE = 'access-control-expose-headers'

/** Lists the headers that a page may read: the mock's, the response's, and those that the response itself exposes. */
function toExposed(response: ResponseHeaders): string {
  const more = new Map<string, string>()
  for (const [name, value] of response) {
    const listed = name.toLowerCase() === EXPOSE ? value.split(',').map((one) => one.trim()) : [name]
    for (const one of listed) {
      const key = one.toLowerCase()
      if (one !== '' && !exposedNames.has(key) && !UNEXPOSED.test(key)) more.set(key, one)
    }
  }
  return more.size === 0 ? EXPOSED_LIST : `${EXPOSED_LIST}, ${[...more.values()].join(', ')}`
}

/**
 * The browser origins that may send requests. `any`: all origins, with credentials only if {@link isTrusted}. `off`: none.
 * A list: the listed and all loopback origins. `only`: just the listed ones.
 */
export type CorsPolicy = 'any' | 'off' | readonly string[] | { readonly only: readonly string[] }

type HeaderRecord = Readonly<Record<string, string>>

/** The headers of a response: names and values. */
type ResponseHeaders = Iterable<readonly [name: string, value: string]>

const NOTHING: HeaderRecord = {}

/**
 * Matches origins on this machine, with any port: `http://localhost:5173`, `http://shop.localhost`, `http://[::1]:3000`.
 */
const LOOPBACK = /^https?:\/\/(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/

/** Whether pages of an origin may send cookies, and access this machine from a public address. */
function isTrusted(policy: CorsPolicy, origin: string): boolean {
  if (policy === 'off') return false
  if (policy === 'any') return LOOPBACK.test(origin)
  return 'only' in policy ? policy.only.includes(origin) : policy.includes(origin) || LOOPBACK.test(origin)
}

const isAllowed = (policy: CorsPolicy, origin: string): boolean => policy === 'any' || isTrusted(policy, origin)

/**
 * The CORS headers of a response (Fetch standard, section 3.2). The origin is echoed instead of `*`, because a trusted
 * origin may send the session cookie.
 *
 * @param response the headers of the response, all of which scripts may read
 */
export function toCorsHeaders(policy: CorsPolicy, origin: string | undefined, response: ResponseHeaders): HeaderRecord {
  if (origin === undefined || policy === 'off') return NOTHING
  if (!isAllowed(policy, origin)) return { Vary: 'Origin' }
  return {
    'Access-Control-Allow-Origin': origin,
    ...(isTrusted(policy, origin) ? { 'Access-Control-Allow-Credentials': 'true' } : {}),
    'Access-Control-Expose-Headers': toExposed(response),
    Vary: 'Origin',
  }
}

/** Preflight headers in addition to {@link toCorsHeaders}: all requested headers are allowed, for ten minutes. */
export function toPreflightHeaders(policy: CorsPolicy, request: Request, methods: readonly string[]): HeaderRecord {
  const origin = request.headers.get('Origin')
  if (origin === null || !isAllowed(policy, origin)) return NOTHING
  const requestedHeaders = request.headers.get('Access-Control-Request-Headers')
  const isPrivate = request.headers.has('Access-Control-Request-Private-Network') && isTrusted(policy, origin)
  return {
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Max-Age': '600',
    ...(requestedHeaders === null ? {} : { 'Access-Control-Allow-Headers': requestedHeaders }),
    ...(isPrivate ? { 'Access-Control-Allow-Private-Network': 'true' } : {}),
  }
}

export const isPreflight = (request: Request): boolean =>
  request.method === 'OPTIONS' && request.headers.has('Origin') && request.headers.has('Access-Control-Request-Method')
