import { shellStyleHash } from './built-client.ts'

/**
 * A page of the dashboard may load its own script, style and images, and talk to the mock. Inline, it may have only its
 * own style. Text becomes markup only through the one policy of its script (Trusted Types).
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' '${shellStyleHash}'`,
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types dashboard',
].join('; ')

const HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
  Vary: 'Accept, Sec-Fetch-Site',
}

/**
 * The headers of a page. A page that another site may have opened is isolated from it (HTML, section 7.1.3). For others
 * this is left out: it makes the browser start another process, which delays the first paint.
 */
export function toPageHeaders(asked: Headers): Readonly<Record<string, string>> {
  const site = asked.get('Sec-Fetch-Site')
  const isOwn = site === 'none' || site === 'same-origin'
  return isOwn ? HEADERS : { ...HEADERS, 'Cross-Origin-Opener-Policy': 'same-origin' }
}
