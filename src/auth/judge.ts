import { EVERYTHING, findSpelledScopes } from './scopes.ts'
import type { Grant } from './scopes.ts'
import type { Tokens, Verification } from './tokens.ts'

/** How bearer tokens are judged (D32). */
export const authModes = ['off', 'lenient', 'strict'] as const
export type AuthMode = (typeof authModes)[number]

/** What a token is worth, once and for all: what it grants until it expires, or the sentence that says why it grants nothing. */
export type TokenVerdict =
  | { readonly kind: 'granted'; readonly grant: Grant; readonly clientId?: string }
  | { readonly kind: 'refused'; readonly reason: string }

export type Judge = (token: string) => Promise<TokenVerdict>

const refuse = (reason: string): TokenVerdict => ({ kind: 'refused', reason })

const BROKEN = refuse(
  'The bearer token has whitespace in it, or is none at all. Send one token; scopes that a token spells out are separated by commas alone: "Authorization: Bearer view_test:acme,manage_products:acme".',
)
const REFRESH = refuse(
  'This is a refresh token, which no endpoint takes. Exchange it for an access token at POST /oauth/token with grant_type=refresh_token.',
)
const FORGED = refuse(
  'The token has the form of one that this mock issues, but not its signature: it was changed, or signed with another secret. Get a new one from POST /oauth/token; --token-secret keeps tokens good when the mock restarts.',
)
const UNKNOWN = refuse(
  'The token was not issued by this mock, and --auth strict admits no other. Get one from POST /oauth/token, or spell its scopes: "Authorization: Bearer view_test:{projectKey}".',
)
const UNHELD: TokenVerdict = { kind: 'granted', grant: EVERYTHING }

/**
 * Creates the judge of bearer tokens (D32). Modes differ in one thing: what a token may do that is neither issued by the
 * mock nor spells scopes — nothing under `strict`, else everything.
 */
export function createJudge({ mode, tokens }: { readonly mode: AuthMode; readonly tokens: Tokens }): Judge {
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
