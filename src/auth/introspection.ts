import { createJudge } from './judge.ts'
import type { AuthMode } from './judge.ts'
import { EVERY_SCOPE, toExpiry } from './scopes.ts'
import type { Tokens } from './tokens.ts'

/** An answer of RFC 7662, section 2.2; of a token that is not good it says no more than that. */
export type Introspection =
  | { readonly active: false }
  | {
      readonly active: true
      readonly scope: string
      /** Seconds since 1970; absent where the token does not end. */
      readonly exp?: number
      /** Absent where the mock did not issue the token. */
      readonly client_id?: string
      readonly token_type: 'Bearer'
    }

interface IntrospectionInit {
  readonly mode: AuthMode
  readonly tokens: Tokens
}

/**
 * Creates what tells of a token: it is active exactly where an endpoint would take it as a bearer token at this moment.
 * So a token that spells scopes is active with them in every mode, a refresh token never is, and an unknown token is
 * active for `manage_project:*` under `lenient` and `off`, where it may do everything, but not under `strict`.
 */
export function createIntrospection({ mode, tokens }: IntrospectionInit) {
  const judge = createJudge({ mode, tokens })

  return async (token: string, now: number): Promise<Introspection> => {
    const verdict = await judge(token)
    if (verdict.kind === 'refused' || now >= toExpiry(verdict.grant)) return { active: false }
    const { grant, clientId } = verdict
    const expiry = toExpiry(grant)
    return {
      active: true,
      scope: grant.kind === 'scopes' ? [...grant.scopes].join(' ') : EVERY_SCOPE,
      ...(expiry === Infinity ? {} : { exp: expiry / 1000 }),
      ...(clientId === undefined ? {} : { client_id: clientId }),
      token_type: 'Bearer',
    }
  }
}
