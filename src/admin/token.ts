import { generateCookie } from 'hono/cookie'
import { parse } from 'hono/utils/cookie'

const encoder = new TextEncoder()

/** Compares in a time that tells nothing of the secret but whether it is this. */
export function isSecret(given: string, secret: string): boolean {
  const actual = encoder.encode(given)
  const expected = encoder.encode(secret)
  let difference = actual.length ^ expected.length
  for (const [at, byte] of actual.entries()) difference |= byte ^ (expected[at % expected.length] ?? 0)
  return difference === 0
}

const COOKIE = 'mock-admin-token'

/** The cookie that keeps the token in a browser, out of reach of scripts and other sites (RFC 6265bis, section 5.6.7). */
export const toTokenCookie = (token: string, path: string, isSecure: boolean): string =>
  generateCookie(COOKIE, token, { path, httpOnly: true, sameSite: 'Strict', secure: isSecure })

/** The token that a request's headers bring: as a bearer token (RFC 6750, section 2.1), or in the cookie. */
export function findToken(headers: Headers): string | undefined {
  const bearer = /^Bearer +(\S+)\s*$/i.exec(headers.get('Authorization') ?? '')?.[1]
  return bearer ?? parse(headers.get('Cookie') ?? '', COOKIE)[COOKIE]
}
