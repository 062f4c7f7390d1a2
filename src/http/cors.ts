/** Every header of an answer that a browser's script may read beside the ones it always may. */
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

export type CorsPolicy = 'any' | 'off' | readonly string[]

type Headers = Readonly<Record<string, string>>

const NOTHING: Headers = {}

const isAdmitted = (policy: CorsPolicy, origin: string): boolean =>
  policy === 'any' || (policy !== 'off' && policy.includes(origin))

/**
 * The CORS headers of an answer (Fetch standard, section 3.2). The origin is named rather than `*`, so that
 * requests with the session's cookie pass too.
 */
export function toCorsHeaders(policy: CorsPolicy, origin: string | undefined): Headers {
  if (origin === undefined || policy === 'off') return NOTHING
  if (!isAdmitted(policy, origin)) return { Vary: 'Origin' }
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': EXPOSED,
    Vary: 'Origin',
  }
}

/** What a preflight is answered beside {@link toCorsHeaders}: all that was asked for, for ten minutes. */
export function toPreflightHeaders(policy: CorsPolicy, request: Request, methods: readonly string[]): Headers {
  const origin = request.headers.get('Origin')
  if (origin === null || !isAdmitted(policy, origin)) return NOTHING
  const asked = request.headers.get('Access-Control-Request-Headers')
  return {
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Max-Age': '600',
    ...(asked === null ? {} : { 'Access-Control-Allow-Headers': asked }),
    ...(request.headers.has('Access-Control-Request-Private-Network')
      ? { 'Access-Control-Allow-Private-Network': 'true' }
      : {}),
  }
}

export const isPreflight = (request: Request): boolean =>
  request.method === 'OPTIONS' && request.headers.has('Origin') && request.headers.has('Access-Control-Request-Method')
