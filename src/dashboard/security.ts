/**
 * What a page of the dashboard may do: load its own script, style and images, and talk to the mock. Nothing that stands
 * in the page itself runs, and no text becomes markup but through the one policy of its script (Trusted Types).
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types dashboard',
].join('; ')

/** The headers of every page. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
  Vary: 'Accept',
}
