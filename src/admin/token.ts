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

/** What keeps the token in a browser: out of reach of scripts and of other sites (RFC 6265bis, section 5.6.7). */
export function toTokenCookie(token: string, path: string, isSecure: boolean): string {
  const attributes = [`${COOKIE}=${encodeURIComponent(token)}`, `Path=${path}`, 'HttpOnly', 'SameSite=Strict']
  return (isSecure ? [...attributes, 'Secure'] : attributes).join('; ')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The token that a request's headers bring: as a bearer token (RFC 6750, section 2.1), or in the cookie. */
export function findToken(headers: Headers): string | undefined {
  const bearer = /^Bearer +(\S+)\s*$/i.exec(headers.get('Authorization') ?? '')?.[1]
  if (bearer !== undefined) return bearer
  const cookie = new RegExp(`(?:^|;\\s*)${COOKIE}=([^;]*)`).exec(headers.get('Cookie') ?? '')?.[1]
  return cookie === undefined ? undefined : decode(cookie)
}
