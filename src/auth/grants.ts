import { problem } from '../errors.ts'
import { expectParameter } from './oauth-parameters.ts'
import type { OAuthParameters } from './oauth-parameters.ts'
import { covers, EVERY_SCOPE, isFullScope } from './scopes.ts'
import { LIFETIMES } from './tokens.ts'
import type { IssuedToken, Tokens } from './tokens.ts'

/** A successful answer of a token endpoint (RFC 6749, section 5.1). */
export interface TokenAnswer {
  readonly access_token: string
  readonly token_type: 'Bearer'
  /** Seconds. */
  readonly expires_in: number
  readonly scope: string
  readonly refresh_token?: string
}

interface TokenRequest {
  readonly parameters: OAuthParameters
  readonly clientId: string
  /** Epoch milliseconds. */
  readonly now: number
}

/**
 * Turns a request of one grant type into tokens.
 *
 * @throws {Problem} 400 with an error code of RFC 6749, section 5.2.
 */
export type GrantType = (request: TokenRequest) => Promise<TokenAnswer>

/** The scopes asked for, each once; undefined where none is. */
function findAskedScopes(parameters: OAuthParameters): readonly string[] | undefined {
  const asked = (parameters.get('scope') ?? '').split(' ').filter((scope) => scope !== '')
  const wrong = asked.find((scope) => !isFullScope(scope))
  if (wrong !== undefined) {
    throw problem.oauth(
      400,
      'invalid_scope',
      `The scope ${JSON.stringify(wrong)} is none. Write each as name:projectKey, such as view_test:acme or manage_project:*, separated by spaces.`,
    )
  }
  return asked.length === 0 ? undefined : [...new Set(asked)]
}

const toInvalidGrant = (what: string) => problem.oauth(400, 'invalid_grant', `${what} Sign in again for a new one.`)

/** Creates the grant types that the token endpoints offer (D31). */
export function createGrantTypes(tokens: Tokens) {
  async function issueAccess(
    scopes: readonly string[],
    { clientId, now }: Pick<TokenRequest, 'clientId' | 'now'>,
  ): Promise<TokenAnswer> {
    return {
      access_token: await tokens.issue({ scopes, clientId, kind: 'access' }, now),
      token_type: 'Bearer',
      expires_in: LIFETIMES.access,
      scope: scopes.join(' '),
    }
  }

  /** A client's own token. */
  const clientCredentials: GrantType = (request) =>
    issueAccess(findAskedScopes(request.parameters) ?? [EVERY_SCOPE], request)

  /** The token of someone who comes back: with a refresh token. */
  const anonymous: GrantType = async (request) => {
    const { parameters, clientId, now } = request
    const scopes = findAskedScopes(parameters) ?? [EVERY_SCOPE]
    const answer = await issueAccess(scopes, request)
    return { ...answer, refresh_token: await tokens.issue({ scopes, clientId, kind: 'refresh' }, now) }
  }

  /** Any username and password will do: the mock knows no customers. */
  const password: GrantType = async (request) => {
    expectParameter(request.parameters, 'username')
    expectParameter(request.parameters, 'password')
    return anonymous(request)
  }

  async function expectRefreshToken({ parameters, clientId, now }: TokenRequest): Promise<IssuedToken> {
    const verification = await tokens.verify(expectParameter(parameters, 'refresh_token'))
    if (verification.kind !== 'issued' || verification.token.kind !== 'refresh') {
      throw toInvalidGrant('The parameter "refresh_token" is not a refresh token that this mock issued.')
    }
    const { token } = verification
    if (token.clientId !== clientId) throw toInvalidGrant('The refresh token was issued to another client.')
    if (now >= token.expiresAt) {
      throw toInvalidGrant(`The refresh token expired at ${new Date(token.expiresAt).toISOString()}.`)
    }
    return token
  }

  /** The same scopes or fewer (RFC 6749, section 6); the refresh token stays good, so none is answered. */
  const refreshToken: GrantType = async (request) => {
    const { scopes: granted } = await expectRefreshToken(request)
    const asked = findAskedScopes(request.parameters) ?? granted
    const held = new Set(granted)
    const wider = asked.find((scope) => !covers(held, scope))
    if (wider === undefined) return issueAccess(asked, request)
    throw problem.oauth(
      400,
      'invalid_scope',
      `The scope ${JSON.stringify(wider)} was not granted with the refresh token. Ask for some of: ${granted.join(' ')}.`,
    )
  }

  return { clientCredentials, refreshToken, anonymous, password }
}
