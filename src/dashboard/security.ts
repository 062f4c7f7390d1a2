import { shellStyleHash } from './built-client.ts'

/**
 * What a page of the dashboard may do: load its own script, style and images, and talk to the mock. Nothing that stands
 * in the page itself runs or gives it a look but the style that it begins with, and no text becomes markup but through the
 * one policy of its script (Trusted Types).
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
 * The headers of a page, by those of the request for it. A page that may have been opened by another site's keeps nothing
 * that leads back (HTML, section 7.1.3). One that a person opened has nothing to keep, and is painted sooner without: a
 * browser takes another process for a page that says so.
 */
export function toPageHeaders(asked: Headers): Readonly<Record<string, string>> {
  const site = asked.get('Sec-Fetch-Site')
  const isOwn = site === 'none' || site === 'same-origin'
  return isOwn ? HEADERS : { ...HEADERS, 'Cross-Origin-Opener-Policy': 'same-origin' }
}
