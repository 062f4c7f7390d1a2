/** Response headers that scripts in a browser may read in addition to the CORS-safelisted ones. */
const EXPOSED = [
  'X-Correlation-ID',
  'X-Mock-Operation',
  'X-Mock-Scenario',
  'X-Mock-Warning',
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
].join(', ')

/**
 * The browser origins that may send requests. `any`: all origins, with credentials only if {@link isTrusted}. `off`: none.
 * A list: the listed and all loopback origins. `only`: just the listed ones.
 */
export type CorsPolicy = 'any' | 'off' | readonly string[] | { readonly only: readonly string[] }

type Headers = Readonly<Record<string, string>>

const NOTHING: Headers = {}

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
 */
export function toCorsHeaders(policy: CorsPolicy, origin: string | undefined): Headers {
  if (origin === undefined || policy === 'off') return NOTHING
  if (!isAllowed(policy, origin)) return { Vary: 'Origin' }
  return {
    'Access-Control-Allow-Origin': origin,
    ...(isTrusted(policy, origin) ? { 'Access-Control-Allow-Credentials': 'true' } : {}),
    'Access-Control-Expose-Headers': EXPOSED,
    Vary: 'Origin',
  }
}

/** Preflight headers in addition to {@link toCorsHeaders}: all requested headers are allowed, for ten minutes. */
export function toPreflightHeaders(policy: CorsPolicy, request: Request, methods: readonly string[]): Headers {
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
