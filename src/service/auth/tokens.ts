import { encoder } from '../http/body.ts'
import { sign, verify } from 'hono/jwt'
import { encodeBase64Url } from 'hono/utils/encode'
import { JwtTokenInvalid, JwtTokenSignatureMismatched } from 'hono/utils/jwt/types'
import * as z from 'zod'

/** Access tokens are for endpoints; refresh tokens can only be exchanged for access tokens. */
export type TokenKind = 'access' | 'refresh'

/** Lifetimes in seconds: two days for an access token (D31), 200 for a refresh token. */
export const LIFETIMES = { access: 172_800, refresh: 17_280_000 } as const satisfies Record<TokenKind, number>

/** The content of an issued token. */
export interface IssuedToken {
  readonly kind: TokenKind
  readonly scopes: readonly string[]
  readonly clientId: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/**
 * `issued`: by this mock, though possibly expired. `forged`: looks like an issued token, but has an invalid signature.
 * `foreign`: anything else.
 */
export type Verification =
  | { readonly kind: 'issued'; readonly token: IssuedToken }
  | { readonly kind: 'forged' }
  | { readonly kind: 'foreign' }

/** Issues and verifies tokens. Tokens are self-contained, so none are stored (D31). */
export type TokenService = ReturnType<typeof createTokens>

const ALGORITHM = 'HS256'
const ISSUER = 'resource-mock'

const issued = z.object({ iss: z.literal(ISSUER) })

const claims = issued.extend({
  client_id: z.string(),
  scope: z.string(),
  use: z.enum(['access', 'refresh']),
  exp: z.int().nonnegative(),
})

/** Base64url without padding, as JWTs require (RFC 7515, section 2). */
const toBase64Url = (bytes: Uint8Array<ArrayBuffer>): string => encodeBase64Url(bytes.buffer).replaceAll('=', '')

/**
 * A payload and a 32-byte signature. The unused bits of the last character must be zero, so that the encoding is unique.
 */
const REST = /^[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/

/** The header segment of all issued tokens. The key id distinguishes them from other JWTs. */
const TOKEN_HEADER = `${toBase64Url(encoder.encode(JSON.stringify({ alg: ALGORITHM, typ: 'JWT', kid: ISSUER })))}.`

/** Whether a token's unverified payload names this mock as issuer. */
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
 * Issues and verifies tokens, signed by HMAC-SHA-256 with the UTF-8 bytes of a secret.
 *
 * @example await createTokens({ clock: () => 0 }).issue({ scopes: ['view_test:acme'], clientId: 'shop', kind: 'access' })
 */
export function createTokens(parts: {
  /** The signing secret. Default: a random one, so tokens become invalid when the mock restarts. */
  readonly secret?: string | undefined
  /** Epoch milliseconds. */
  readonly clock: () => number
  /** Makes tokens issued at the same time unique. Default: a random UUID. */
  readonly newId?: () => string
}) {
  const { secret, clock, newId = () => crypto.randomUUID() } = parts

  function createKey() {
    const bytes = secret === undefined ? crypto.getRandomValues(new Uint8Array(32)) : encoder.encode(secret)
    return { kty: 'oct', k: toBase64Url(bytes), alg: ALGORITHM, kid: ISSUER }
  }

  let key: ReturnType<typeof createKey> | undefined
  /** Created for the first token: few tests need one, and Node takes milliseconds to load Web Crypto. */
  const findKey = () => (key ??= createKey())

  async function findClaims(token: string): Promise<unknown> {
    if (!REST.test(token.slice(TOKEN_HEADER.length))) return undefined
    try {
      // Expiry depends on the mock's clock, not the platform's (D31).
      return await verify(token, findKey(), { alg: ALGORITHM, exp: false, nbf: false, iat: false })
    } catch (error) {
      if (error instanceof JwtTokenSignatureMismatched || error instanceof JwtTokenInvalid) return undefined
      throw error
    }
  }

  return {
    /**
     * Resolves to a unique JWT (RFC 7519).
     *
     * @param now epoch milliseconds
     */
    issue({ scopes, clientId, kind }: Omit<IssuedToken, 'expiresAt'>, now = clock()): Promise<string> {
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
        findKey(),
      )
    },

    /** Does not reject for invalid tokens, or check the expiry. */
    async verify(token: string): Promise<Verification> {
      if (!token.startsWith(TOKEN_HEADER)) return { kind: claimsIssuer(token) ? 'forged' : 'foreign' }
      const claimed = claims.safeParse(await findClaims(token))
      if (!claimed.success) return { kind: 'forged' }
      const { use, scope, client_id: clientId, exp } = claimed.data
      return { kind: 'issued', token: { kind: use, scopes: scope.split(' '), clientId, expiresAt: exp * 1000 } }
    },
  }
}
