import { sign, verify } from 'hono/jwt'
import { encodeBase64Url } from 'hono/utils/encode'
import { JwtTokenInvalid, JwtTokenSignatureMismatched } from 'hono/utils/jwt/types'
import * as z from 'zod'
import { SetupError } from '../errors.ts'

/** Access tokens are for endpoints; a refresh token is exchanged for one. */
export type TokenKind = 'access' | 'refresh'

/** Seconds from issue to expiry: two days, as D31 says, and 200 for a refresh token. */
export const LIFETIMES = { access: 172_800, refresh: 17_280_000 } as const satisfies Record<TokenKind, number>

/** The claims of an issued token. */
export interface IssuedToken {
  readonly kind: TokenKind
  readonly scopes: readonly string[]
  readonly clientId: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/** Issued: by this mock, perhaps expired. Forged: of an issued token's form, without its signature. Foreign: neither. */
export type Verification =
  | { readonly kind: 'issued'; readonly token: IssuedToken }
  | { readonly kind: 'forged' }
  | { readonly kind: 'foreign' }

/** Issues tokens, and knows its own again: they carry all that there is to know of them (D31). */
export interface Tokens {
  /** Resolves to a JWT (RFC 7519) that differs from every other. */
  issue(
    about: {
      readonly scopes: readonly string[]
      readonly clientId: string
      readonly kind: TokenKind
    },
    /** Epoch milliseconds. Default: the time by the clock. */
    now?: number,
  ): Promise<string>
  /** Never rejects for an invalid token, and does not check its expiry. */
  verify(token: string): Promise<Verification>
}

const ALGORITHM = 'HS256'
const ISSUER = 'resource-mock'

const issued = z.object({ iss: z.literal(ISSUER) })

const claims = issued.extend({
  client_id: z.string(),
  scope: z.string(),
  use: z.enum(['access', 'refresh']),
  exp: z.int().nonnegative(),
})

/** Base64url without padding, as a JWT has it (RFC 7515, section 2). */
const toBase64Url = (bytes: Uint8Array<ArrayBuffer>): string => encodeBase64Url(bytes.buffer).replaceAll('=', '')

/** A payload and a signature of 32 bytes; the last character's spare bits are zero, so that no second spelling passes. */
const REST = /^[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/

const encoder = new TextEncoder()

/** The first segment of every token issued: the key's name makes it unlike that of anyone else's JWT. */
const HEADER = `${toBase64Url(encoder.encode(JSON.stringify({ alg: ALGORITHM, typ: 'JWT', kid: ISSUER })))}.`

/** Whether a token names this mock as its issuer in a payload that nobody has vouched for. */
function claimsIssuer(token: string): boolean {
  const [, payload = ''] = token.split('.', 2)
  try {
    const claimed: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return issued.safeParse(claimed).success
  } catch {
    return false
  }
}

/**
 * Issues and verifies tokens, by HMAC with SHA-256 over the secret's UTF-8 bytes.
 *
 * @throws {SetupError} for an empty secret.
 * @example await createTokens({ clock: () => 0 }).issue({ scopes: ['view_test:acme'], clientId: 'shop', kind: 'access' })
 */
export function createTokens({
  secret,
  clock,
  newId = () => crypto.randomUUID(),
}: {
  /** Signs tokens; default: a random one, so that tokens are valid as long as the mock runs. */
  readonly secret?: string | undefined
  /** Epoch milliseconds. */
  readonly clock: () => number
  /** Distinguishes tokens issued at the same time. Default: a random UUID. */
  readonly newId?: () => string
}): Tokens {
  if (secret === '') {
    throw new SetupError('The token secret is empty. Set one, or leave it out for a random one.')
  }
  const bytes = secret === undefined ? crypto.getRandomValues(new Uint8Array(32)) : encoder.encode(secret)
  const key = { kty: 'oct', k: toBase64Url(bytes), alg: ALGORITHM, kid: ISSUER }

  async function findClaims(token: string): Promise<unknown> {
    if (!REST.test(token.slice(HEADER.length))) return undefined
    try {
      // The platform's clock has no say in it: expiry follows the mock's own (D31).
      return await verify(token, key, { alg: ALGORITHM, exp: false, nbf: false, iat: false })
    } catch (error) {
      if (error instanceof JwtTokenSignatureMismatched || error instanceof JwtTokenInvalid) return undefined
      throw error
    }
  }

  return {
    issue({ scopes, clientId, kind }, now = clock()) {
      const iat = Math.floor(now / 1000)
      return sign(
        {
          iss: ISSUER,
          client_id: clientId,
          scope: scopes.join(' '),
          use: kind,
          jti: newId(),
          iat,
          exp: iat + LIFETIMES[kind],
        },
        key,
      )
    },

    async verify(token) {
      if (!token.startsWith(HEADER)) return { kind: claimsIssuer(token) ? 'forged' : 'foreign' }
      const claimed = claims.safeParse(await findClaims(token))
      if (!claimed.success) return { kind: 'forged' }
      const { use, scope, client_id: clientId, exp } = claimed.data
      return { kind: 'issued', token: { kind: use, scopes: scope.split(' '), clientId, expiresAt: exp * 1000 } }
    },
  }
}
