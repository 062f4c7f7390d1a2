import { problem } from '../errors.ts'
import { BoundedMap } from '../util/bounded-map.ts'
import { createJudge } from './judge.ts'
import type { AuthMode, TokenVerdict } from './judge.ts'
import { EVERYTHING, toExpiry } from './scopes.ts'
import type { Grant } from './scopes.ts'
import type { Tokens } from './tokens.ts'

/**
 * Tells what the bearer of an `Authorization` header may do; at once where the header was judged before.
 *
 * @throws {Problem} 401 with a sentence that says what is wrong, and the remedy.
 */
export type Authenticator = (
  authorization: string | undefined,
  projectKey: string,
  /** Epoch milliseconds. Default: the time by the authenticator's clock. */
  now?: number,
) => Grant | Promise<Grant>

interface AuthenticatorInit {
  readonly mode: AuthMode
  readonly tokens: Tokens
  /** Epoch milliseconds. */
  readonly clock: () => number
}

/** Headers whose verdict is kept, so that a token's signature is verified once. */
const MOST_VERDICTS = 1000

const REMEDY =
  'Send "Authorization: Bearer <token>" with a token from POST /oauth/token, or start the mock with --auth off.'

/** The scheme's name knows no case (RFC 9110, section 11.1). */
const BEARER = /^Bearer(?: +(.*))?$/is

/** The message never repeats the header: what is malformed may be a secret all the same. */
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
export function createAuthenticator({ mode, tokens, clock }: AuthenticatorInit): Authenticator {
  if (mode === 'off') return () => EVERYTHING
  const judge = createJudge({ mode, tokens })
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
