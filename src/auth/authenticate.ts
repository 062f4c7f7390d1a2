import { EVERYTHING, findSpelledScopes, toExpiry } from './scopes.ts'
import type { Grant } from './scopes.ts'
import { problem } from '../errors.ts'
import { BoundedMap } from '../util/memoize.ts'
import type { Tokens, Verification } from './tokens.ts'

/** How bearer tokens are judged (D32). */
export const authModes = ['off', 'lenient', 'strict'] as const
export type AuthMode = (typeof authModes)[number]

/** The grant of a token until it expires, or the reason why it is refused. */
export type TokenVerdict =
  | { readonly kind: 'granted'; readonly grant: Grant; readonly clientId?: string }
  | { readonly kind: 'refused'; readonly reason: string }

export type Judge = (token: string) => Promise<TokenVerdict>

const refuse = (reason: string): TokenVerdict => ({ kind: 'refused', reason })

const BROKEN = refuse(
  'The bearer token is empty or contains whitespace. Send one token; separate the scopes that it spells by commas only: "Authorization: Bearer view_test:acme,manage_products:acme".',
)
const REFRESH = refuse(
  'This is a refresh token, which no endpoint takes. Exchange it for an access token at POST /oauth/token with grant_type=refresh_token.',
)
const FORGED = refuse(
  'The token has the form of one that this mock issues, but not its signature: it was changed, or signed with another secret. Get a new one from POST /oauth/token; --token-secret keeps tokens good when the mock restarts.',
)
const UNKNOWN = refuse(
  'The token was not issued by this mock, and --auth strict accepts no other. Get one from POST /oauth/token, or spell its scopes: "Authorization: Bearer view_test:{projectKey}".',
)
const UNHELD: TokenVerdict = { kind: 'granted', grant: EVERYTHING }

/**
 * Creates the judge of bearer tokens (D32). Modes differ in one thing: what a token may do that is neither issued by the
 * mock nor spells scopes — nothing under `strict`, else everything.
 */
export function createJudge(mode: AuthMode, tokens: Tokens): Judge {
  function toVerdict(verification: Verification): TokenVerdict {
    if (verification.kind === 'forged') return FORGED
    if (verification.kind === 'foreign') return mode === 'strict' ? UNKNOWN : UNHELD
    const { kind, scopes, clientId, expiresAt } = verification.token
    if (kind === 'refresh') return REFRESH
    return { kind: 'granted', clientId, grant: { kind: 'scopes', scopes: new Set(scopes), expiresAt } }
  }

  return async (token) => {
    if (!/^\S+$/.test(token)) return BROKEN
    const scopes = findSpelledScopes(token)
    if (scopes !== undefined) return { kind: 'granted', grant: { kind: 'scopes', scopes } }
    return toVerdict(await tokens.verify(token))
  }
}

/**
 * Returns the grant of an `Authorization` header, synchronously if the header is known.
 *
 * @throws {Problem} 401 with the reason and the remedy.
 */
export type Authenticator = (
  authorization: string | undefined,
  projectKey: string,
  /** Epoch milliseconds. Default: the time by the authenticator's clock. */
  now?: number,
) => Grant | Promise<Grant>

/** Headers whose verdict is kept, so that a token's signature is verified once. */
const MOST_VERDICTS = 1000

const REMEDY =
  'Send "Authorization: Bearer <token>" with a token from POST /oauth/token, or start the mock with --auth off.'

/** The scheme's name knows no case (RFC 9110, section 11.1). */
const BEARER = /^Bearer(?: +(.*))?$/is

/** Never repeats the header: even a malformed one may contain a secret. */
const NOT_BEARER: TokenVerdict = {
  kind: 'refused',
  reason: `The header Authorization is not of the scheme Bearer. ${REMEDY}`,
}

const toExpirySentence = (expiresAt: number): string =>
  `The token expired at ${new Date(expiresAt).toISOString()}. Get a new one from POST /oauth/token.`

function toGrant(verdict: TokenVerdict, projectKey: string, now: number): Grant {
  if (verdict.kind === 'refused') throw problem.invalidToken(projectKey, verdict.reason)
  const { grant } = verdict
  const expiry = toExpiry(grant)
  if (now >= expiry) throw problem.invalidToken(projectKey, toExpirySentence(expiry))
  return grant
}

/**
 * Creates the authenticator of a mode (D32).
 *
 * @example
 * const authenticate = createAuthenticator({ mode: 'lenient', tokens, clock })
 * const grant = await authenticate('Bearer view_test:acme', 'acme')
 */
export function createAuthenticator({
  mode,
  tokens,
  clock,
}: {
  readonly mode: AuthMode
  readonly tokens: Tokens
  /** Epoch milliseconds. */
  readonly clock: () => number
}): Authenticator {
  if (mode === 'off') return () => EVERYTHING
  const judge = createJudge(mode, tokens)
  const verdicts = new BoundedMap<string, TokenVerdict>(MOST_VERDICTS)

  /** Most requests bring the header of the one before, which is quicker to compare than to look up. */
  let latest: { readonly authorization: string; readonly verdict: TokenVerdict } | undefined

  function findVerdict(authorization: string): TokenVerdict | undefined {
    if (latest?.authorization === authorization) return latest.verdict
    const verdict = verdicts.get(authorization)
    if (verdict !== undefined) latest = { authorization, verdict }
    return verdict
  }

  async function judgeHeader(authorization: string, projectKey: string, now: number): Promise<Grant> {
    const credentials = BEARER.exec(authorization)
    const verdict = credentials === null ? NOT_BEARER : await judge(credentials[1] ?? '')
    verdicts.set(authorization, verdict)
    return toGrant(verdict, projectKey, now)
  }

  return (authorization, projectKey, now = clock()) => {
    if (authorization === undefined) {
      throw problem.invalidToken(projectKey, `The header Authorization is missing. ${REMEDY}`)
    }
    const known = findVerdict(authorization)
    return known === undefined ? judgeHeader(authorization, projectKey, now) : toGrant(known, projectKey, now)
  }
}
